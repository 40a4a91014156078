"""A grid of runs in one folder, worked through by processes that need no master: a lock a run, and skip what is done.

rounds = 200                          anything that a run's file may hold
[task]
name = "quadratic"
[method]
steps = 5
[grid]
method = ["fedavg", "reptile"]
gamma = [0.1, 0.01]
seed = [0, 1]
"""

from __future__ import annotations

import itertools
import multiprocessing
import os
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from neural.runs import storage
from neural.runs.callbacks import Callback
from neural.runs.config import Config, flat
from neural.runs.files import Damaged, Held
from neural.runs.key import folder_name
from surrogate.errors import ProblemError, problem

__all__ = ["LAST", "expand", "gather", "score", "sweep", "work"]

LAST = 100  # rounds whose mean loss ranks a run, as in the papers
ENDED = ("done", "diverged")


def expand(given: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The flat keys of each run of the grid; every one is checked before any starts."""
    table = dict(given)
    grid = table.pop("grid", None)
    if not isinstance(grid, Mapping) or not grid or not all(isinstance(v, list) and v for v in grid.values()):
        raise problem(
            "[grid]", repr(grid), "a table of lists, none empty", "a sweep without a grid", "write gamma = [0.1, 0.01]"
        )
    common = flat(table)
    runs = [{**common, **dict(zip(grid, point, strict=True))} for point in itertools.product(*grid.values())]
    for keys in runs:
        Config.of(keys)
    return runs


def score(rows: Sequence[Mapping[str, Any]]) -> float:
    """Mean loss over the last 100 rounds, of those that measured it."""
    last = rows[-1]["round"] if rows else 0
    losses = [row["loss"] for row in rows if "loss" in row and row["round"] > last - LAST]
    return sum(losses) / len(losses) if losses else float("nan")


def gather(runs: Sequence[Mapping[str, Any]], out: Path, varied: Sequence[str]) -> list[dict[str, Any]]:
    """A line a run: what was varied, status, rounds, score (infinite where it diverged)."""
    table = []
    for keys in runs:
        folder = out / folder_name(Config.of(keys))
        note = _note(folder)
        line = {**{name: keys[name] for name in varied}, "status": note["status"], "rounds": note["rounds"]}
        if note["status"] == "done":
            line["score"] = score(storage.read_rows(folder / "rows.parquet"))
        table.append(
            {**line, "folder": folder.name} | ({"score": float("inf")} if note["status"] == "diverged" else {})
        )
    return table


def sweep(
    given: Mapping[str, Any], out: Path, processes: int = 1, show: Callable[[list[dict[str, Any]]], None] = print
) -> list[dict[str, Any]]:
    """Run what is not done yet, with so many processes, and return the table; ``show`` hears it as it changes."""
    runs = expand(given)
    context = multiprocessing.get_context("spawn")
    arguments = [(runs, str(out), place, os.getpid()) for place in range(processes)]
    workers = [context.Process(target=work, args=found) for found in arguments]
    for worker in workers:
        worker.start()
    before: list[dict[str, Any]] = []
    try:
        while any(worker.is_alive() for worker in workers):
            before = _shown(runs, out, given, before, show)
            time.sleep(0.3)
    finally:
        for worker in workers:
            worker.terminate() if worker.is_alive() else None
            worker.join()
    _shown(runs, out, given, before, show)
    return gather(runs, out, list(given["grid"]))


def work(runs: Sequence[Mapping[str, Any]], out: str, place: int, parent: int) -> None:
    """Go through the runs from ``place`` on until all have ended; those that another process holds are tried again."""
    import torch

    from neural.runs.run import run

    torch.set_num_threads(1)

    open_ = list(range(len(runs)))
    open_ = open_[place:] + open_[:place]
    while open_:
        for index in list(open_):
            config = Config.of(runs[index])
            note = _note(Path(out) / folder_name(config))
            ended = note["status"] == "diverged" or (note["status"] == "done" and note["rounds"] >= config.rounds)
            if not ended:
                try:
                    run(config, out, callbacks=[_Orphan(parent)], alone=False)
                except Held:
                    continue
                except ProblemError as error:
                    print(f"{folder_name(config)}: {error}", flush=True)
            open_.remove(index)
        time.sleep(0.1 if open_ else 0)


class _Orphan(Callback):
    """Ends a run whose sweep was killed: what there is is kept."""

    def __init__(self, parent: int) -> None:
        self.parent = parent

    def row(self, run: Any, row: Mapping[str, Any]) -> None:
        """After each round."""
        if os.getppid() != self.parent:
            raise KeyboardInterrupt


def _shown(runs: Any, out: Path, given: Any, before: Any, show: Callable[[Any], None]) -> list[dict[str, Any]]:
    try:
        now = gather(runs, out, list(given["grid"]))
    except Damaged:  # a worker is about to make it again
        return list(before)
    if now != before:
        show(now)
    return now


def _note(folder: Path) -> dict[str, Any]:
    try:
        return storage.read_manifest(folder / "manifest.json")
    except Damaged:
        return {"status": "waiting", "rounds": 0}
