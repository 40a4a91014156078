"""What has come of the runs of a sweep: a line each, and all as files. Which is best: neural/runs/ranking.py."""

from __future__ import annotations

import contextlib
import csv
import io
import json
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from neural.runs import files, storage
from neural.runs.files import Damaged
from neural.runs.grid import Trial
from neural.runs.target import Target

__all__ = ["ENDED", "LAST", "Line", "gather", "mixed", "progress", "score", "whole", "write"]

LAST = 100  # rounds whose mean loss ranks a run, as in the papers
ENDED = ("done", "diverged")
Line = dict[str, Any]


def score(rows: Sequence[Mapping[str, Any]], every: int = 1) -> float:
    """Mean loss over the last 100 rounds, of those that measured it; the start counts where there is nothing else.

    ``every``: rounds between measurements. A run that was extended has one more, where it had ended, and must not
    score otherwise than one that was not.
    """
    last = rows[-1]["round"] if rows else 0
    due = [row for row in rows if "loss" in row and (row["round"] == last or row["round"] % every == 0)]
    losses = [row["loss"] for row in due if row["round"] > max(last - LAST, 0)] or [row["loss"] for row in due]
    return sum(losses) / len(losses) if losses else float("nan")


def progress(trials: Sequence[Trial], out: Path) -> list[Line]:
    """A line a run: where it is in the grid, status, rounds (at most those asked for), and its last loss.

    Status: waiting, running (or stopped on the way), done, diverged, failed.
    """
    columns = dict.fromkeys(name for trial in trials for name in trial.point)
    return [{**columns, **trial.point, **_state(trial, out / trial.folder)} for trial in trials]


def gather(trials: Sequence[Trial], out: Path, target: Target | None = None) -> list[Line]:
    """The same with the score of each: infinite where it diverged, absent where it has not ended, or is damaged.

    ``rounds_to``: the round in which it reached the target, where one is given; see `Target.rounds`.
    """
    table = progress(trials, out)
    for trial, line in zip(trials, table, strict=True):
        ended = line["status"] in ENDED
        found = _rows(trial, out) if ended else None
        if found is not None:
            rows = found[: trial.config.rounds + 1]
            every = trial.config.engine_settings().eval_every or 1
            line["score"] = float("inf") if line["status"] == "diverged" else score(rows, every)
            if target is not None:
                note = storage.read_manifest(out / trial.folder / storage.MANIFEST)
                line["rounds_to"] = target.rounds(rows, {**note, "status": line["status"]})
        elif ended:
            line["status"] = "failed"
        line["folder"] = line.pop("folder")  # last
    return table


def whole(trial: Trial, out: Path) -> bool:
    """Whether the rows of an ended run can be read."""
    return _rows(trial, out) is not None


def _rows(trial: Trial, out: Path) -> list[Line] | None:
    try:
        return storage.read_rows(out / trial.folder / storage.ROWS)
    except Damaged:
        return None


def write(table: Sequence[Line], out: Path) -> None:
    """results.csv and results.parquet, a line a run."""
    names = list(dict.fromkeys(name for line in table for name in line))
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerows([names, *([_plain(line.get(name)) for name in names] for line in table)])
    files.replace(out / "results.csv", text.getvalue().encode())
    sink = io.BytesIO()
    pq.write_table(pa.table({name: _column([line.get(name) for line in table]) for name in names}), sink)
    files.replace(out / "results.parquet", sink.getvalue())


def mixed(trials: Sequence[Trial], out: Path) -> list[str]:
    """Under what the runs were made, torch and engine, where they were not all made under the same."""
    found: Counter[str] = Counter()
    for trial in trials:
        with contextlib.suppress(Damaged):
            note = storage.read_manifest(out / trial.folder / storage.MANIFEST)
            found[f"torch {note['torch']}, engine sources {note['engine_sources']}"] += 1
    return [f"{count} runs: {name}" for name, count in found.items()] if len(found) > 1 else []


def _state(trial: Trial, folder: Path) -> Line:
    try:
        note = storage.read_manifest(folder / storage.MANIFEST)
    except Damaged:
        note = {"status": "waiting", "rounds": 0, "loss": None}
    asked, status = trial.config.rounds, note["status"]
    if status in ENDED and note["rounds"] > asked:
        status = "done"  # at the round that was asked for
    elif status != "diverged" and note["rounds"] < asked and status != "waiting":
        status = "running"
    if status not in ENDED and (folder / "error.txt").exists():
        status = "failed"
    return {"status": status, "rounds": min(asked, note["rounds"]), "loss": note["loss"], "folder": folder.name}


def _column(values: list[Any]) -> pa.Array:
    """Numbers as numbers, anything else as text."""
    if all(isinstance(v, (int, float)) and not isinstance(v, bool) for v in values if v is not None):
        whole = all(isinstance(v, int) for v in values if v is not None)
        return pa.array(values, pa.int64() if whole else pa.float64())
    return pa.array([None if v is None else str(_plain(v)) for v in values], pa.string())


def _plain(value: Any) -> Any:
    return value if isinstance(value, (str, int, float)) or value is None else json.dumps(value, sort_keys=True)
