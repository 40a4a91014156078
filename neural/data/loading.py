"""``data.load(name, ...)``: from what the machine has to examples of clients. Nothing is downloaded here."""

from __future__ import annotations

import functools
import hashlib
import importlib.util
import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from neural.data import catalogue, splits, store
from neural.data.catalogue import DataSet, Route
from neural.data.examples import Examples
from neural.data.federated import FederatedData
from surrogate.kit.errors import ProblemError, problem, unknown

__all__ = ["examples", "load", "options", "route", "words_of"]

Array = NDArray[Any]
_SHARED = ("clients", "per_client", "seed")  # arguments of load that a reader may take too, to read less


def load(
    name: str,
    split: str | None = None,
    clients: int | None = None,
    seed: int = 0,
    limit: int | None = None,
    classes: int | None = None,
    per_client: int | None = None,
    least: int = 1,
    dtype: torch.dtype = torch.float32,
    source: str | None = None,
    **settings: Any,
) -> FederatedData:
    """The data set called ``name``, given to clients.

    ``split``: natural, dirichlet (alpha, balanced), pachinko (alpha, beta), iid, one_class; by default natural where
    the data name their owners, else the paper's (where that is natural: dirichlet, or iid without labels).
    ``clients``: how many; of natural clients so many drawn by ``seed`` (default all), of those with ``least`` examples
    or more. ``classes``: only the examples of the first so many labels, before anything is drawn, and ``source`` of
    what comes back says so. ``limit``: at most so many training and so many test examples, drawn by ``seed``.
    ``per_client``: at most so many of each client, its first ones. ``dtype``: of pixels, in 0..1; torch.uint8 keeps the
    bytes 0..255, a quarter of the memory. ``source``: "published", "real" or "stand-in" instead of the best there is.

    Further ``settings`` are the split's, or the data set's own (`options`): tags gives dense rows of word frequencies,
    or with dense=False the numbers of the words (1..V, padded by 0; `words_of` makes a batch of them dense).
    """
    asked = catalogue.find(name)
    where = route(asked, source)
    if classes is not None and "classes" in where.options():  # then the reader reads no more than these
        settings["classes"] = classes
    own, dense = _own_settings(asked, where, settings, {"clients": clients, "per_client": per_client, "seed": seed})
    found, source_text = examples(asked, where, own)
    found, source_text = _few_classes(asked, found, classes, source_text)
    split = split or _usual(asked, found)
    rng = np.random.default_rng([seed, 0xDA7A])
    split_settings = dict(asked.settings if split == asked.split else {}) | settings
    found = _limited(found, limit, rng)
    found, owner, n = _owned(asked, found, split, clients, least, seed, rng, split_settings)
    order, offsets = splits.ranges(owner, n)
    order, offsets = _first(order, offsets, per_client)
    holds, vocabulary = asked.holds, found.vocabulary if dense else None
    x, test_x = (_inputs(part, holds, dtype, vocabulary) for part in (found.x, found.test_x))
    y, test_y = (_targets(part, holds) for part in (found.y, found.test_y))
    who = (torch.from_numpy(order), torch.from_numpy(offsets))
    return FederatedData(name, source_text, x, y, *who, test_x, test_y, found.classes)


def options(name: str, source: str | None = None) -> dict[str, Any]:
    """The data set's own settings where it would be loaded from, with their defaults."""
    asked = catalogue.find(name)
    own = route(asked, source).options()
    return {k: v for k, v in own.items() if k not in _SHARED} | ({"dense": True} if asked.holds == "bag" else {})


def route(asked: DataSet, source: str | None = None) -> Route:
    """The best route for which this machine has everything; else an error that says what to fetch."""
    kinds = ("published", "real", "stand-in")
    if source is not None and source not in kinds:
        raise problem("source", repr(source), f"one of {', '.join(kinds)}", "a slip", "leave it out for the best")
    for one in asked.routes:
        if source in (None, one.kind) and _there(one) is not None and (source or _meant(asked, one)):
            return one
    wanted = f" from a {source} source" if source else ""
    raise problem(
        f"the data set {asked.name}{wanted}", "not on this machine", "fetched, or published files in SURROGATE_DATA",
        "it was never fetched", f"run `surrogate data fetch {asked.name}`",
    )  # fmt: skip


def _meant(asked: DataSet, where: Route) -> bool:
    """Whether this route was asked for: data fetched under another name stand in for nothing by themselves."""
    first = next(route for route in asked.routes if route.package)
    ours = where == first or not where.package or where.kind != "stand-in"
    return ours or store.stand_in_allowed(asked.name, where.archive)


def examples(asked: DataSet, where: Route, own: Mapping[str, Any]) -> tuple[Examples, str]:
    """The examples by one route (from the cache if it can be), and their source with a hash of what was read."""
    place = _there(where)
    assert place is not None, "route() looked"
    identity = _identity(where, place)
    key = _key(asked, where, own, identity)
    kept = store.load_arrays(key)
    if kept is None:
        archive = store.path(where.archive, asked.name) if where.package else place
        kept = where.function()(archive, **where.fixed, **own).arrays()
        _try_to_save(key, kept)
    return Examples.of(kept), f"{where.title}, {identity[:12]}"


def words_of(x: Tensor, vocabulary: int) -> Tensor:
    """Dense rows (N, vocabulary) of word frequencies from the numbers of the words (N, L), 0 being no word.

    >>> words_of(torch.tensor([[2, 2, 1, 0]]), 3)
    tensor([[0.3333, 0.6667, 0.0000]])
    """
    counts = torch.zeros(len(x), vocabulary).scatter_add_(1, (x - 1).clamp_(min=0), (x > 0).float())
    return counts.div_(counts.sum(1, keepdim=True).clamp_(min=1))


def _there(where: Route) -> Path | None:
    """Where this route's archive or files are; None where they are not."""
    if where.package:
        there = store.fetched(where.archive)
        return store.folder() / "packages" / where.archive.file if there else None
    if where.takes == "installed":
        found = importlib.util.find_spec("sklearn")
        file = Path(found.origin).parent / where.files[0] if found and found.origin else None
        return file if file and file.is_file() else None
    folder = store.published()
    located = where.locate(folder) if folder else None
    return located[0] if located else None


def _identity(where: Route, place: Path) -> str:
    """A hash that changes with the data: the package's sha256, or of the published files' names, sizes and times."""
    if where.package:
        note = store.receipt(where.archive)
        return str(note["sha256"]) if note else where.archive.sha256
    home = place if place.is_dir() else place.parent
    stats = [(str(f), f.stat().st_size, f.stat().st_mtime_ns) for p in where.files for f in sorted(home.glob(p))]
    stats += [(str(place), place.stat().st_size, place.stat().st_mtime_ns)]
    return hashlib.sha256(repr(stats).encode()).hexdigest()


def _key(asked: DataSet, where: Route, own: Mapping[str, Any], identity: str) -> str:
    said = json.dumps([where.reader, dict(where.fixed), dict(own), identity, _code()], sort_keys=True)
    return f"{asked.name}-{hashlib.sha256(said.encode()).hexdigest()[:20]}"


@functools.cache
def _code() -> str:
    """A hash of the code that makes examples: what older code made is not used."""
    home = Path(__file__).parent
    files = sorted([*(home / "formats").glob("*.py"), *(home / "sources").glob("*.py"), home / "text.py"])
    return hashlib.sha256(b"".join(file.read_bytes() for file in files)).hexdigest()


def _try_to_save(key: str, arrays: Mapping[str, Array]) -> None:
    """A cache that cannot be written costs time, no more."""
    try:
        store.save_arrays(key, arrays)
    except ProblemError as error:
        import warnings

        warnings.warn(f"the prepared arrays are not kept: {error}", RuntimeWarning, stacklevel=4)


def _own_settings(
    asked: DataSet, where: Route, settings: dict[str, Any], shared: Mapping[str, Any]
) -> tuple[dict[str, Any], bool]:
    """The reader's settings, taken out of ``settings``; what neither it nor a split knows is refused."""
    known = where.options()
    own = {name: settings.pop(name) for name in list(settings) if name in known and name not in _SHARED}
    own |= {name: value for name, value in shared.items() if name in known and value is not None}
    dense = settings.pop("dense", True) if asked.holds == "bag" else False
    of_splits = {option for split in splits.names() for option in splits.options(split)}
    for name in settings:
        if name not in of_splits:
            everything = sorted({*known, *of_splits} - set(_SHARED))
            what, cause = f"the setting {name!r} of {asked.name}", "a setting of another data set, ignored here"
            raise unknown(what, name, everything, cause, "drop it", "unknown")
    return own, dense


def _few_classes(asked: DataSet, found: Examples, classes: int | None, said: str) -> tuple[Examples, str]:
    """The examples of the first labels, and their source; families of labels are counted anew, without gaps."""
    if classes is None:
        return found, said
    if found.classes is None:
        raise problem("classes", classes, "left out", f"{asked.name}, whose targets are no labels", "drop it")
    which = first_classes(classes, found.classes, asked.name)
    source, _, identity = said.rpartition(", ")
    families = None if found.coarse is None else np.unique(found.coarse[:classes], return_inverse=True)[1]
    few = _taken(found, np.flatnonzero(found.y < classes), np.flatnonzero(found.test_y < classes))
    few = replace(few, classes=classes, coarse=families)
    return few, f"{source}, {which}, {identity}"


def first_classes(classes: int, of: int, name: str) -> str:
    """What is said of the first ``classes`` of the labels of ``name``; a number that makes no sense is refused."""
    if type(classes) is not int or not 2 <= classes <= of:
        cause, fix = "a slip, or other data", "leave it out for all classes"
        raise problem("classes", repr(classes), f"2 to {of}, which {name} has", cause, fix)
    return f"{classes} classes" if classes == of else f"{classes} of its {of} classes"


def _limited(found: Examples, limit: int | None, rng: np.random.Generator) -> Examples:
    if limit is None:
        return found
    if limit < 1:
        raise problem("limit", limit, "at least 1", "a slip", "leave it out for all examples")
    train, test = (
        np.sort(rng.permutation(len(part))[:limit]) if len(part) > limit else np.arange(len(part))
        for part in (found.y, found.test_y)
    )
    return _taken(found, train, test)


def _taken(found: Examples, train: Array, test: Array | slice = slice(None)) -> Examples:
    owner = None if found.owner is None else found.owner[train]
    x, y, test_x, test_y = found.x[train], found.y[train], found.test_x[test], found.test_y[test]
    return replace(found, x=x, y=y, test_x=test_x, test_y=test_y, owner=owner)


def _usual(asked: DataSet, found: Examples) -> str:
    """The owners that the data name; else the paper's split, or one that these data allow in its place."""
    if found.owner is not None:
        return "natural"
    if asked.split != "natural":
        return asked.split
    return "iid" if found.classes is None else "dirichlet"


def _owned(
    asked: DataSet, found: Examples, split: str, clients: int | None, least: int, seed: int, rng: np.random.Generator,
    settings: Mapping[str, Any],
) -> tuple[Examples, Array, int]:  # fmt: skip
    """(examples, owner of each, number of clients). Natural clients that were not drawn take their examples along."""
    if split != "natural":
        n = clients if clients is not None else asked.clients or 100
        return found, splits.assign(split, found.y, n, seed, found.coarse, **settings), n
    if found.owner is None:
        raise problem(
            "split", "'natural'", "a split by labels or at random", f"{asked.name} from a source that names no writers",
            'pass split="dirichlet" (or "iid" for data without labels)',
        )  # fmt: skip
    if settings:
        raise problem("settings of the split natural", ", ".join(settings), "none", "another split meant", "drop them")
    sizes = np.bincount(splits.natural(found.owner))
    able = np.flatnonzero(sizes >= least)
    if not 1 <= (1 if clients is None else clients) <= len(able):
        raise problem(
            "clients", clients, f"1 to {len(able)}", f"{len(able)} of {len(sizes)} clients have {least} examples",
            "ask for fewer clients, a lower `least`, or another split",
        )  # fmt: skip
    chosen = able if clients is None else rng.choice(able, clients, replace=False)
    if len(chosen) < len(sizes):
        found = _taken(found, np.flatnonzero(np.isin(splits.natural(found.owner), chosen)))
    return found, splits.natural(_owner(found)), len(chosen)


def _owner(found: Examples) -> Array:
    assert found.owner is not None, "natural splits alone come here"
    return found.owner


def _first(order: Array, offsets: Array, most: int | None) -> tuple[Array, Array]:
    """The first ``most`` examples of each client."""
    if most is None:
        return order, offsets
    if most < 1:
        raise problem("per_client", most, "at least 1", "a slip", "leave it out for all examples")
    sizes = np.diff(offsets)
    place = np.arange(len(order)) - np.repeat(offsets[:-1], sizes)
    return order[place < most], np.concatenate([[0], np.cumsum(np.minimum(sizes, most))])


def _inputs(x: Array, holds: str, dtype: torch.dtype, vocabulary: int | None) -> Tensor:
    """Pixels in 0..1 or bytes, floats, or numbers of characters and words; dense frequencies given a vocabulary."""
    if holds in ("text", "bag"):
        numbers = torch.from_numpy(x.astype(np.int64))
        return numbers if vocabulary is None else words_of(numbers, vocabulary).to(dtype)
    tensor = torch.from_numpy(np.require(x, requirements=["C", "W"]))
    if x.dtype != np.uint8:
        return tensor.to(dtype)
    return tensor if dtype == torch.uint8 else tensor.to(dtype).div_(255)


def _targets(y: Array, holds: str) -> Tensor:
    """Labels and texts as int64; tags, which are 0 or 1 each, as float32 rows."""
    return torch.from_numpy(y.astype(np.float32 if holds == "bag" else np.int64))
