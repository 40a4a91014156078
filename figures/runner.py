"""From a figure's file to its outputs: table, parquet, drawing, findings. What is done stays done."""

from __future__ import annotations

import json
import time
import traceback
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from figures import storage
from figures.findings import Finding, not_run
from figures.keys import key
from figures.registry import Entry

__all__ = ["Outcome", "make", "make_all", "recorded"]

Say = Callable[[str], None]


@dataclass(frozen=True)
class Outcome:
    """What became of one figure. ``state``: ``made``, ``not run`` or ``failed``; ``note`` says why, or how."""

    entry: Entry
    state: str
    findings: Sequence[Finding]
    scale: str
    note: str = ""

    @classmethod
    def unmade(cls, entry: Entry, state: str, scale: str, why: str) -> Outcome:
        """A figure that was not made: all its claims are not run."""
        return cls(entry, state, [not_run(claim, why) for claim in entry.claims.values()], scale, why)


def make_all(
    entries: Sequence[Entry],
    scale: str,
    out: Path,
    budget: float | None = None,
    say: Say = print,
    clock: Callable[[], float] = time.monotonic,
) -> list[Outcome]:
    """Make the figures in order. Past ``budget`` seconds no other is started; one that fails does not stop the rest."""
    for path in storage.sweep(out):
        say(f"removed {path}, left half-written by a run that was killed")
    begin, outcomes = clock(), []
    for number, entry in enumerate(entries, 1):
        prefix = f"[{number}/{len(entries)}] {entry.id}"
        if budget is not None and clock() - begin >= budget:
            outcome = Outcome.unmade(entry, "not run", scale, f"the budget of {budget:g} s was used up")
        else:
            outcome = _guarded(entry, scale, out, _prefixed(say, prefix))
        say(f"{prefix}: {_closing(outcome)}")
        outcomes.append(outcome)
    return outcomes


def make(entry: Entry, scale: str, out: Path, say: Say = print) -> Outcome:
    """One figure: out/<paper>/<name>.parquet, .pdf, .svg, .png, .findings.json. A current table is kept."""
    from figures.render import render

    base = out / entry.paper / entry.name
    say(entry.title)
    module = entry.load()
    rows, how = _rows(module, entry, scale, base.with_name(f"{entry.name}.parquet"), say)
    begin = time.perf_counter()
    render(entry, module.draw, rows, base)
    findings = list(module.findings(rows))
    record = {
        "figure": entry.id,
        "title": entry.title,
        "scale": scale,
        "key": storage.metadata(rows)["key"],
        "findings": [finding.record() for finding in findings],
    }
    storage.write_text(json.dumps(record, indent=2, ensure_ascii=False) + "\n", _record_path(entry, out))
    return Outcome(entry, "made", findings, scale, f"{how}, drawn in {time.perf_counter() - begin:.1f} s")


def recorded(entry: Entry, out: Path) -> Outcome:
    """What an earlier run left in ``out``: its findings if the table's code is still the same, else not run."""
    try:
        record = json.loads(_record_path(entry, out).read_text(encoding="utf-8"))
        scale, found = record["scale"], [Finding.from_record(item) for item in record["findings"]]
        current = record["key"] == key(entry, scale)
    except FileNotFoundError:
        return Outcome.unmade(entry, "not run", "", "not asked for yet")
    except (ValueError, KeyError, TypeError):
        return Outcome.unmade(entry, "not run", "", f"{_record_path(entry, out)} is damaged: draw the figure again")
    if not current:
        return Outcome.unmade(entry, "not run", "", "its code has changed since: draw the figure again")
    return Outcome(entry, "made", found, scale, "from an earlier run")


def _rows(module: Any, entry: Entry, scale: str, path: Path, say: Say) -> tuple[Any, str]:
    """The stored table if it is current and intact, else a new one."""
    wanted = key(entry, scale)
    try:
        kept = storage.read(path, wanted)
    except storage.Unusable as damage:
        say(f"{path} is damaged ({damage}): rebuilding it")
        kept = None
    if kept is not None:
        return kept, "table kept"
    begin = time.perf_counter()
    rows = storage.tagged(module.table(scale), entry.id, wanted, scale)
    storage.write(rows, path)
    return rows, f"table of {rows.num_rows} rows computed in {time.perf_counter() - begin:.1f} s"


def _prefixed(say: Say, prefix: str) -> Say:
    return lambda line: say(f"{prefix}: {line}")


def _guarded(entry: Entry, scale: str, out: Path, say: Say) -> Outcome:
    try:
        return make(entry, scale, out, say)
    except Exception as error:
        traceback.print_exc()
        return Outcome.unmade(entry, "failed", scale, f"{type(error).__name__}: {error}")


def _closing(outcome: Outcome) -> str:
    if outcome.state != "made":
        return f"{outcome.state}: {outcome.note}"
    counts = [finding.status for finding in outcome.findings]
    tally = ", ".join(f"{counts.count(status)} {status}" for status in dict.fromkeys(counts))
    return f"{outcome.note}; findings: {tally or 'none'}"


def _record_path(entry: Entry, out: Path) -> Path:
    return out / entry.paper / f"{entry.name}.findings.json"
