"""A grid of runs in one folder: skip what is done, work through the rest here or on a Ray cluster, and gather.

A run is trained by the process that holds its lock: several sweeps may share one folder, and what a killed one leaves
is free at once. The grid: neural/runs/grid.py; a run's folder: neural/runs/storage.py.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Executor, Future, wait
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from neural.runs import plugins, results
from neural.runs.attempt import attempt, failed, gpus
from neural.runs.grid import Trial, expand
from neural.runs.results import Line
from neural.runs.target import Target
from surrogate.kit.errors import ProblemError
from surrogate.kit.executor import Local

__all__ = ["sweep"]

POLL = 0.3  # seconds between two looks at the folder


def sweep(
    given: Mapping[str, Any],
    out: Path,
    engine: Callable[[], Executor] | None = None,
    show: Callable[[list[Line]], None] = lambda table: None,
    target: Target | None = None,
    say: Callable[[str], None] = lambda line: None,
) -> list[Line]:
    """Run what is not done yet and return the table, which is also in OUT/results.csv and OUT/results.parquet.

    ``engine``: makes the executor, `surrogate.kit.executor.Local` (default, with the GPUs of this machine) or
    `surrogate.kit.ray_executor.Ray`, with options bound by functools.partial. ``show`` is called with the table
    whenever it has changed. ``target``: adds the rounds that each run took to it. ``say`` is called where the files of
    a finished sweep could not be written again.
    """
    trials = expand(given)
    for trial in trials:
        with contextlib.suppress(OSError):
            (out / trial.folder / "error.txt").unlink(missing_ok=True)
    lines = results.progress(trials, out)
    open_ = [t for t, line in zip(trials, lines, strict=True) if not (_ended(line) and results.whole(t, out))]
    if open_:
        with (engine or partial(Local, devices=gpus()))() as pool:
            _work(pool, trials, open_, out, show)
    table = results.gather(trials, out, target)
    show(table)
    try:
        results.write(table, out)
    except ProblemError as refused:
        if open_:
            raise
        say(f"the table could not be refreshed: {str(refused).splitlines()[0]}")
    return table


def _work(
    pool: Executor, trials: Sequence[Trial], open_: Sequence[Trial], out: Path, show: Callable[[list[Line]], None]
) -> None:
    """Until every run has ended or failed; those that another sweep holds are tried again."""
    under_way, before = {_submitted(pool, trial, out): trial for trial in open_}, list[Line]()
    while under_way:
        now = results.progress(trials, out)
        if now != before:
            show(now)
        before = now
        wait(under_way, POLL)
        for future in [future for future in under_way if future.done()]:
            trial = under_way.pop(future)
            if not _over(future, trial, out):
                under_way[_submitted(pool, trial, out)] = trial


def _over(future: Future[bool], trial: Trial, out: Path) -> bool:
    """Whether nothing is left to do; a run whose processes died is noted as failed."""
    try:
        return future.result()
    except Exception as error:
        failed(trial, out, str(error))
        return True


def _submitted(pool: Executor, trial: Trial, out: Path) -> Future[bool]:
    """With whole paths, since a worker may start in another folder."""
    config = trial.config
    method, task = plugins.absolute(config.method), plugins.absolute(config.task)
    return pool.submit(attempt, replace(trial, config=config.replace(method=method, task=task)), out.resolve())


def _ended(line: Line) -> bool:
    return line["status"] in results.ENDED
