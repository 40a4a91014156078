"""How a task of METHODS.md is put together: a model for given shapes, and where its data comes from at each scale.

A family is a function ``f(dims, scale, *, options...) -> Parts`` that looks at no data; `federated` makes a task of it,
with the options that all have: data, split, clients, alpha, limit, batch; images have classes and shrink, too.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

import torch
from torch import Tensor, nn

from neural.data.federated import FederatedData
from neural.tasks import synthetic
from neural.tasks.catalogue import FILES, load
from neural.tasks.shrunk import fewer_pixels
from neural.tasks.task import ByHand, Metric, Task, register
from surrogate.kit.errors import problem

__all__ = ["FAMILIES", "Dims", "Family", "Parts", "Source", "families", "family", "federated", "parameters", "unloaded"]


class Dims(NamedTuple):
    """The shape of one example and how many outputs a model needs."""

    shape: tuple[int, ...]
    outputs: int


@dataclass(frozen=True)
class Source:
    """Data by name, split over clients (None: the data's own default), and the dims that it is known to have.

    ``shrink``: images are the means of so many by so many pixels.
    """

    name: str
    dims: Dims
    split: str | None = None
    clients: int | None = None
    alpha: float | None = None
    limit: int | None = None
    classes: int | None = None
    shrink: int = 1
    more: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Parts:
    """What a family makes: see Task. ``reconstructs``: the targets are the inputs."""

    model: Callable[[], nn.Module]
    loss: Callable[[Tensor, Tensor], Tensor]
    metrics: Mapping[str, Metric]
    better: Mapping[str, str]
    random: bool = False
    augment: Callable[[Tensor, Tensor], Tensor] | None = None
    by_hand: ByHand | None = None
    reconstructs: bool = False


@dataclass(frozen=True)
class Family:
    """A task by name: what it is made of. ``kind``: images, texts or tags; ``paper``: its data and model there."""

    name: str
    make: Callable[..., Parts]
    kind: str
    batch: int
    paper: str
    sources: Mapping[str, Source]


FAMILIES: dict[str, Family] = {}
_COMMON = ("data", "split", "clients", "alpha", "limit", "batch")
_OF_IMAGES = (*_COMMON, "classes", "shrink")


def family(name: str) -> Family | None:
    """The family of the task ``name``; None for a task whose data is no data set."""
    load(name)
    return FAMILIES.get(name)


def families() -> Mapping[str, Family]:
    """Every family by its task's name."""
    for name in FILES:
        load(name)
    return FAMILIES


def federated(
    name: str, *, kind: str, batch: int, paper: str, smoke: Source, laptop: Source, published: Source | None = None
) -> Callable[[Callable[..., Parts]], Callable[..., Parts]]:
    """Enter a family as the task ``name``. ``published``: the laptop's data, unless said otherwise."""
    sources = {"smoke": smoke, "laptop": laptop, "paper": published or laptop}

    def enter(make: Callable[..., Parts]) -> Callable[..., Parts]:
        family = Family(name, make, kind, batch, paper, sources)
        FAMILIES[name] = family

        @functools.wraps(make)
        def factory(scale: str, seed: int, **options: Any) -> Task:
            return _task(family, scale, seed, options)

        factory.__signature__ = _signature(make, _common(kind))  # type: ignore[attr-defined]
        about = _ABOUT_COMMON + (_ABOUT_IMAGES if kind == "images" else "")
        factory.__doc__ = f"{inspect.getdoc(make)}\n\n{about}"
        register(name)(factory)
        return make

    return enter


_ABOUT_COMMON = """\
``data``: a name of `surrogate data list`, or "synthetic" (None: the scale's own). ``split``, ``clients``, ``alpha``:
how it is dealt out. ``limit``: examples that are read. ``batch``: examples a local step."""
_ABOUT_IMAGES = """
``classes``: so many outputs, and only the examples of the first so many labels (None: all). ``shrink``: pixels are the
means of so many by so many of the data's (None: the scale's own)."""


def parameters(name: str, scale: str, **options: Any) -> int:
    """How many parameters the task's model has, from the dims that its data is known to have; nothing is loaded."""
    return sum(parameter.numel() for parameter in _shapes(unloaded(name, scale, options)[1]).parameters())


def unloaded(name: str, scale: str, options: Mapping[str, Any]) -> tuple[Dims, Parts]:
    """What a task with these options is made of, from the dims that its data is known to have."""
    load(name)
    family = FAMILIES[name]
    common, source = _common(family.kind), family.sources[scale]
    dims = source.dims
    if "classes" in common and options.get("classes") is not None:
        dims = dims._replace(outputs=options["classes"])
    if "shrink" in common and options.get("shrink") is not None:
        channels, *sides = dims.shape
        dims = dims._replace(shape=(channels, *(side * source.shrink // options["shrink"] for side in sides)))
    return dims, family.make(dims, scale, **{key: value for key, value in options.items() if key not in common})


def _common(kind: str) -> tuple[str, ...]:
    """Options that all tasks of a kind have."""
    return _OF_IMAGES if kind == "images" else _COMMON


def _shapes(parts: Parts) -> nn.Module:
    """The model without its numbers: nothing is drawn, no memory taken."""
    with torch.device("meta"):
        return parts.model()


def _signature(make: Callable[..., Parts], common: tuple[str, ...]) -> inspect.Signature:
    """(scale, seed, *, the common options, the family's own): what `describe` lists and `build` accepts."""
    keyword, either = inspect.Parameter.KEYWORD_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD
    own = [p for p in inspect.signature(make).parameters.values() if p.kind is keyword]
    shared = [inspect.Parameter(option, keyword, default=None) for option in common]
    return inspect.Signature([inspect.Parameter("scale", either), inspect.Parameter("seed", either), *shared, *own])


def _task(family: Family, scale: str, seed: int, options: dict[str, Any]) -> Task:
    given = {key: options.pop(key, None) for key in _common(family.kind)}
    batch = given.pop("batch")
    if batch is not None and not (isinstance(batch, int) and not isinstance(batch, bool) and batch >= 0):
        raise problem("task.batch", repr(batch), "a whole number >= 0 (0: all of a client's)", "a slip", "correct it")
    source = _chosen(family, scale, given)
    data = _load(family, source, seed)
    dims = _dims(family, source, data)
    parts = family.make(dims, scale, **options)
    _shapes(parts)  # so that sizes no model can have are refused here, not when training starts
    if parts.reconstructs:
        data = replace(data, y=data.x, test_y=data.test_x, classes=None)
    return Task(
        name=family.name,
        data=data,
        model=parts.model,
        loss=parts.loss,
        metrics=parts.metrics,
        better=parts.better,
        batch=family.batch if batch is None else batch,
        scale=scale,
        random=parts.random,
        augment=parts.augment,
        by_hand=parts.by_hand,
        options={key: value for key, value in (given | options | {"batch": batch}).items() if value is not None},
    )


def _chosen(family: Family, scale: str, given: dict[str, Any]) -> Source:
    """The scale's source, or the one that the user named, with what the user said about splitting it."""
    source, name = family.sources[scale], given["data"]
    if name is not None and name != source.name:
        known = {other.name: other for other in family.sources.values()}
        source = known.get(name) or replace(source, name=name, more={}, split=None, clients=None, alpha=None, shrink=1)
    changed = {key: value for key, value in given.items() if key != "data" and value is not None}
    if "split" in changed and "alpha" not in changed:
        changed["alpha"] = None  # the source's own alpha belongs to the source's own split
    return replace(source, **changed)


def _load(family: Family, source: Source, seed: int) -> FederatedData:
    settings = {key: getattr(source, key) for key in ("split", "clients", "alpha", "limit", "classes")}
    settings = {key: value for key, value in settings.items() if value is not None}
    if source.name == "synthetic":
        found = _stand_in(family, source, seed, settings)
    else:
        from neural import data

        found = data.load(source.name, seed=seed, **settings, **source.more)
    return found if source.shrink == 1 else fewer_pixels(found, source.shrink)


def _stand_in(family: Family, source: Source, seed: int, settings: dict[str, Any]) -> FederatedData:
    if family.kind == "images":
        channels, height, width = source.dims.shape
        return synthetic.images(seed, (channels, height, width), of=source.dims.outputs, **settings)
    idle = sorted(set(settings) - {"clients"})
    if idle:
        raise problem(
            f"the option {idle[0]} of {family.name}", settings[idle[0]], "left out",
            "synthetic texts, which have clients of their own", f"drop {idle[0]}, or name real data",
        )  # fmt: skip
    if family.kind == "texts":
        return synthetic.texts(seed, source.dims.shape[0], source.dims.outputs - 4, **settings)
    return synthetic.bags(seed, source.dims.shape[0], source.dims.outputs, **settings)


def _dims(family: Family, source: Source, data: FederatedData) -> Dims:
    """The dims of the data that was loaded; texts have no more tokens than their source says."""
    shape = tuple(data.x.shape[1:])
    if family.kind == "images":
        if data.classes is None or len(shape) != 3:
            raise _other_kind(family, data, "images with labels")
        return Dims(shape, data.classes)
    if family.kind == "tags":
        if data.y.ndim != 2:
            raise _other_kind(family, data, "bags of words with tags")
        return Dims(shape if data.x.is_floating_point() else source.dims.shape, data.y.shape[1])
    if data.x.ndim != 2 or data.y.shape != data.x.shape:
        raise _other_kind(family, data, "texts as rows of numbers")
    largest = int(max(data.x.max(), data.y.max()))
    if largest >= source.dims.outputs:
        raise _other_kind(family, data, f"numbers below {source.dims.outputs}, not {largest}")
    return Dims(shape, source.dims.outputs)


def _other_kind(family: Family, data: FederatedData, expected: str) -> Exception:
    shapes = f"x {tuple(data.x.shape)}, y {tuple(data.y.shape)}"
    cause, fix = "data of another task", f"run `surrogate tasks {family.name}` for what it trains on"
    return problem(f"the data {data.name} for {family.name}", shapes, expected, cause, fix)
