"""What a task is: data of clients, a model, a loss, metrics; and the registry of tasks by name."""

from __future__ import annotations

import difflib
import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import torch
from torch import Tensor, nn

from neural.capabilities import ClosedForm
from neural.data.federated import FederatedData
from neural.tasks import catalogue
from surrogate.kit.errors import problem

__all__ = ["Metric", "Task", "build", "describe", "names", "register"]

Metric = Callable[[Tensor, Tensor], tuple[Tensor, Tensor]]  # (outputs, y) -> (sum, count)
ByHand = Callable[
    [Tensor, Tensor, Tensor, Tensor], Tensor
]  # (vectors [M, D], x, y [M, B, ...], share [M, B]) -> [M, D]
SCALES = ("smoke", "laptop", "paper")


@dataclass(frozen=True, eq=False)
class Task:
    """One thing to train.

    ``model()``: a fresh module, seeded by the caller. ``loss(outputs, y)``: per-example losses (B,), padding inside an
    example (of a text) masked. ``metrics``: name -> (sum, count) over a batch; ``better``: "max" or "min" of each.
    ``batch``: examples a local step, 0 for all that the client has; ``replacement``: drawn with replacement.
    ``random``: the module takes a second argument, keys (B,) int64, from which it draws its dropout (`neural.noise`);
    None in its place when it is evaluated. ``augment(x, keys)``: changes training examples. ``by_hand(vectors, x, y,
    share)``: the gradients of sum_b share_b loss_b of M models at once, where that is known better than by autograd; a
    `by_hand.Linear` takes whole steps, too. ``closed_form``: formulas in place of autograd in every engine.
    For worker processes all of these must be picklable: functions of a module, or functools.partial of them.
    """

    name: str
    data: FederatedData
    model: Callable[[], nn.Module]
    loss: Callable[[Tensor, Tensor], Tensor]
    metrics: Mapping[str, Metric] = field(default_factory=dict)
    batch: int = 20
    dtype: torch.dtype = torch.float32
    better: Mapping[str, str] = field(default_factory=dict)
    scale: str = "laptop"
    replacement: bool = False
    random: bool = False
    augment: Callable[[Tensor, Tensor], Tensor] | None = None
    by_hand: ByHand | None = None
    closed_form: ClosedForm | None = None
    options: Mapping[str, Any] = field(default_factory=dict)

    @property
    def weights(self) -> tuple[float, ...] | None:
        """Client weights that belong to the task itself; None where all count alike."""
        return None


Factory = Callable[..., Task]
_FACTORIES: dict[str, Factory] = {}


def register(name: str) -> Callable[[Factory], Factory]:
    """Enter a factory ``f(scale, seed, *, options...) -> Task``: its signature lists the options."""

    def enter(factory: Factory) -> Factory:
        _FACTORIES[name] = factory
        return factory

    return enter


def names() -> tuple[str, ...]:
    """The names of all tasks, sorted."""
    return tuple(sorted({*catalogue.FILES, *_FACTORIES}))


def describe(name: str) -> tuple[dict[str, Any], str]:
    """The options of a task with their defaults ("required" where there is none), and what it is."""
    factory = _factory(name)
    options = {
        p.name: "required" if p.default is p.empty else p.default
        for p in inspect.signature(factory).parameters.values()
        if p.kind is p.KEYWORD_ONLY
    }
    return options, inspect.getdoc(factory) or ""


def build(name: str, scale: str = "laptop", seed: int = 0, **options: Any) -> Task:
    """The task called ``name``; options that it does not know are refused.

    >>> build("quadratic", n=3, d=2).data.n
    3
    """
    factory = _factory(name)
    if scale not in SCALES:
        raise problem("scale", repr(scale), f"one of {', '.join(SCALES)}", "a slip", 'pass scale="laptop"')
    known = describe(name)[0]
    for option in options:
        if option not in known:
            near = difflib.get_close_matches(option, known, n=2)
            raise problem(
                f"the option {option!r} of the task {name}",
                "unknown",
                f"one of {', '.join(known) or 'none: it has no options'}",
                f"a slip for {' or '.join(near)}" if near else "an option of another task, which here would be ignored",
                "drop or correct it",
            )
    return factory(scale, seed, **options)


def _factory(name: str) -> Factory:
    if name not in _FACTORIES:
        catalogue.load(name)
    if name not in _FACTORIES:
        near = difflib.get_close_matches(str(name), names(), n=3, cutoff=0.5)
        raise problem(
            "the task",
            repr(name),
            f"one of {', '.join(names())}",
            f"a slip for {' or '.join(near)}" if near else "a task that is not here",
            "run `surrogate tasks` for what each is",
        )
    return _FACTORIES[name]
