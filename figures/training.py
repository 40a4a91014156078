"""Training runs behind the figures: one folder for all of them, each run trained once.

A run lives in RUNS/<source>/<task>-<method>-<key>: its key is that of `neural.run` (configuration without rounds, and
the sources of task and method), ``source`` is the identity of the data on this machine, so that figures never mix
stand-in data with published data. Figures that name the same configuration share its run. More rounds extend it at
paper scale; a shorter scale's runs leave no checkpoints when they end, and a longer one begins anew (`figures.job`).
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from figures.records import Trained
from neural.data import catalogue, fetching, loading
from neural.runs import storage
from neural.runs.config import Config
from neural.runs.files import Damaged
from neural.runs.key import folder_name
from neural.tasks.family import family as family_of
from surrogate.kit.errors import ProblemError, problem

__all__ = ["NoData", "Run", "Trained", "TrainingFailed", "absent", "ended", "fetch", "identities", "missing", "read"]

Say = Callable[[str], None]
_FETCHING = threading.Lock()


class NoData(ProblemError):
    """Data that neither is on this machine nor could be fetched."""


class TrainingFailed(Exception):
    """A run that ended in an error, which is no result (one that diverges is)."""

    @classmethod
    def of(cls, run: Run, error: Exception) -> TrainingFailed:
        """The error, with the settings of the run."""
        settings = ", ".join(f"{k} {v}" for k, v in run.keys.items() if k not in ("task", "method", "scale"))
        failed = cls(f"{run.config.task} by {run.config.method}, {settings}: {type(error).__name__}: {error}")
        failed.__cause__ = error
        return failed


@dataclass(frozen=True)
class Run:
    """A configuration that a figure asked for, as flat keys and validated."""

    keys: Mapping[str, Any]
    config: Config

    @classmethod
    def of(cls, keys: Mapping[str, Any], scale: str) -> Run:
        """The run of these flat keys at a scale."""
        full = {"scale": scale, **keys}
        return cls(full, Config.of(full))

    @cached_property
    def place(self) -> str:
        """Its folder among all runs. It is looked up once: an edit while figures are trained must not mix runs."""
        return f"{_source(self.data)}/{folder_name(self.config)}"

    @property
    def identity(self) -> str:
        """What tells it, its rounds and its data from other runs."""
        return f"{self.place} {self.config.rounds}"

    @property
    def absent(self) -> bool:
        """Whether its data have to be fetched first."""
        return self.place.startswith("absent/")

    @property
    def data(self) -> str | None:
        """The data set that it trains on; None for what is drawn from a seed."""
        family = family_of(self.config.task)
        if family is None:
            return None
        name: str = self.config.options.get("data") or family.sources[self.config.scale].name
        return None if name == "synthetic" else name


def identities(asked: Sequence[Run]) -> list[str]:
    """Of each run: a table made from them depends on these."""
    return [run.identity for run in asked]


def missing(asked: Sequence[Run], runs: Path) -> list[Run]:
    """Those that have not ended yet, each once, with the largest number of rounds that is listed."""
    open_: dict[Path, Run] = {}
    for run in asked:
        folder = runs / run.place
        if folder not in open_ or open_[folder].config.rounds < run.config.rounds:
            open_[folder] = run
    return [run for folder, run in open_.items() if not ended(folder, run.config.rounds)]


def read(asked: Sequence[Run], runs: Path) -> list[Trained]:
    """What the runs left, in the order asked for, each up to the round that was asked for."""
    return [_read(run, runs / run.place) for run in asked]


def fetch(asked: Sequence[Run], say: Say) -> None:
    """Bring the data that these runs need and the machine lacks."""
    for name in sorted({run.data for run in asked if run.data is not None}):
        with _FETCHING:
            if not absent(name):
                continue
            say(f"fetching the data set {name}")
            try:
                fetching.fetch(name, say)
            except ProblemError as error:
                raise NoData(str(error)) from error


def absent(data: str) -> bool:
    """Whether a data set has to be fetched first."""
    return _source(data) == "absent"


def _source(data: str | None) -> str:
    """Of the route to the data: the start of its hash; "drawn" for what a seed draws, "absent" for what is not here."""
    if data is None:
        return "drawn"
    try:
        route = loading.route(catalogue.find(data))
    except ProblemError:
        return "absent"
    place = loading._there(route)
    return "absent" if place is None else loading._identity(route, place)[:12]


def _note(folder: Path) -> Mapping[str, Any]:
    try:
        return storage.read_manifest(folder / "manifest.json")
    except Damaged:
        return {"status": "waiting", "rounds": 0}


def ended(folder: Path, rounds: int) -> bool:
    """Whether the run there has had so many rounds, or is lost."""
    note = _note(folder)
    return bool(note["status"] == "diverged" or (note["status"] == "done" and note["rounds"] >= rounds))


def _read(run: Run, folder: Path) -> Trained:
    note, rounds = _note(folder), run.config.rounds
    if not ended(folder, rounds):
        raise problem(
            f"the run {folder.name}", "not there", "ended", "a task or method that was edited while runs were trained",
            "start the same command again",
        )  # fmt: skip
    rows = [row for row in storage.read_rows(folder / "rows.parquet") if row["round"] <= rounds]
    lost = note["status"] == "diverged" and note["rounds"] <= rounds  # else it was lost after what we look at
    return Trained(run.keys, rows, "diverged" if lost else "done", note["data"])
