"""From a figure's file to its outputs: table, parquet, drawing, findings. What is done stays done.

Figures that need no training come first, so that a gallery stands within a minute; then the flagship list, then others,
where time is limited by what they cost (`figures.turns`).
"""

from __future__ import annotations

import json
import time
import traceback
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from figures import storage
from figures.compute import NotRun, Session
from figures.findings import Finding, not_run
from figures.keys import drawing_key, key
from figures.registry import Entry
from figures.turns import in_turns

__all__ = ["Outcome", "make", "make_all", "recorded", "waiting"]

Say = Callable[[str], None]
_UNITS = (("h", 3600), ("min", 60))


@dataclass(frozen=True)
class Outcome:
    """What became of one figure. ``state``: ``made``, ``not run`` or ``failed``; ``note`` says why, or how.

    ``kept``: nothing of it was made anew.
    """

    entry: Entry
    state: str
    findings: Sequence[Finding]
    scale: str
    note: str = ""
    data: str = ""  # JSON, task -> source of its data
    kept: bool = False

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
    show: Callable[[Sequence[Outcome]], object] = lambda outcomes: None,
) -> list[Outcome]:
    """Make the figures, those without training first; one that fails does not stop the rest.

    Past ``budget`` seconds training stops, to be resumed; what an earlier run made is shown, and what needs no more
    training is made.
    ``show`` hears the outcomes once all quick figures are made, and then after each that was not kept as it was.
    """
    for path in storage.sweep(out):
        say(f"removed {path}, left half-written by a run that was killed")
    begin, outcomes, quick = clock(), [], sum(not entry.trained for entry in entries)
    with Session(out, None if budget is None else time.monotonic() + budget) as session:
        for number, entry in enumerate(_ordered(entries, scale, out, budget, session, say), 1):
            prefix = f"[{number}/{len(entries)}] {entry.id}"
            if budget is not None and clock() - begin >= budget:
                why = f"the budget of {_told(budget)} was used up"
                outcome = _late(entry, scale, out, why, _prefixed(say, prefix), session)
            else:
                outcome = _guarded(entry, scale, out, _prefixed(say, prefix), session)
            say(f"{prefix}: {_closing(outcome)}")
            outcomes.append(outcome)
            if number == max(quick, 1) or (number > quick and not outcome.kept):
                show(outcomes)
    return outcomes


def _ordered(
    entries: Sequence[Entry], scale: str, out: Path, budget: float | None, session: Session, say: Say
) -> Iterator[Entry]:
    """In turns; within a ``budget`` what costs least first, counted once those without training are made.

    What there is to train is begun at once.
    """
    trained = in_turns([entry for entry in entries if entry.trained])
    quick = in_turns([entry for entry in entries if not entry.trained])
    made = [entry for entry in trained if _standing(entry, scale, out)]
    if quick and len(made) < len(trained) and budget != 0:
        session.begin([entry for entry in trained if entry not in made], scale, say)
    yield from quick
    trained = _trained(trained, made, scale, out, budget)
    if trained:
        session.expect(trained, scale)
    yield from trained


def _trained(
    trained: list[Entry], standing: Sequence[Entry], scale: str, out: Path, budget: float | None
) -> list[Entry]:
    """What costs least first; what stands costs nothing."""
    if not budget or len(trained) < 2:
        return trained
    from figures import bill

    made: dict[str, dict[str, float]] = {entry.id: {} for entry in standing}
    costs = bill.waiting([entry for entry in trained if entry.id not in made], scale, out / "runs")
    return in_turns(trained, made | costs)


def waiting(outcomes: Sequence[Outcome]) -> list[Outcome]:
    """Those that the budget was used up for."""
    return [outcome for outcome in outcomes if outcome.state == "not run" and outcome.note.startswith("the budget")]


def make(entry: Entry, scale: str, out: Path, say: Say = print, session: Session | None = None) -> Outcome:
    """One figure: out/<paper>/<name>.parquet, .pdf, .svg, .png, .findings.json; of a table .md and .tex as well.

    A current table is kept.
    """
    if session is None:
        with Session(out) as session:
            return make(entry, scale, out, say, session)
    base = out / entry.paper / entry.name
    say(entry.title)
    rows, how = _rows(entry, scale, base.with_name(f"{entry.name}.parquet"), say, session)
    notes = storage.metadata(rows)
    drawn = drawing_key(entry, f"{notes['key']} {notes['digest']}")
    kept = _drawn(entry, scale, out, drawn)
    if kept is not None:
        return replace(kept, note=f"{how}, drawings kept", kept=True)
    begin = time.perf_counter()
    findings = _drawings(entry, rows, base)
    about = {"figure": entry.id, "title": entry.title, "scale": scale, "data": notes["data"]}
    record = {
        **about,
        "key": notes["key"],
        "drawn": drawn,
        "findings": [finding.record() for finding in findings],
    }
    storage.write_text(json.dumps(record, indent=2, ensure_ascii=False) + "\n", _record_path(entry, out))
    note = f"{how}, drawn in {time.perf_counter() - begin:.1f} s"
    return Outcome(entry, "made", findings, scale, note, notes["data"])


def _drawings(entry: Entry, rows: Any, base: Path) -> list[Finding]:
    """Write all that is drawn from the rows; the findings."""
    from figures.render import render

    if entry.sheet is not None:
        from figures import tables

        tables.write(entry.sheet(rows), entry, rows, base)
    render(entry, entry.picture, rows, base)
    return entry.findings(rows)


def _drawn(entry: Entry, scale: str, out: Path, wanted: str) -> Outcome | None:
    """What was drawn and found before, if nothing has changed since and every file is there."""
    kinds = ["pdf", "svg", "png", "thumb.png", *(["md", "tex"] if entry.sheet else [])]
    if not all((out / f"{entry.alias}.{kind}").is_file() for kind in kinds):
        return None
    try:
        record = json.loads(_record_path(entry, out).read_text(encoding="utf-8"))
        found = [Finding.from_record(item) for item in record["findings"]]
        same = (record["drawn"], record["scale"]) == (wanted, scale)
    except (FileNotFoundError, ValueError, KeyError, TypeError):
        return None
    return Outcome(entry, "made", found, scale, "", record["data"]) if same else None


def recorded(entry: Entry, out: Path) -> Outcome:
    """What an earlier run left in ``out``: its findings if the table's code is still the same, else not run."""
    try:
        record = json.loads(_record_path(entry, out).read_text(encoding="utf-8"))
        scale, found = record["scale"], [Finding.from_record(item) for item in record["findings"]]
        current = isinstance(record["data"], str) and record["key"] == _key_now(entry, scale)
    except FileNotFoundError:
        return Outcome.unmade(entry, "not run", "", "not asked for yet")
    except (ValueError, KeyError, TypeError):
        return Outcome.unmade(entry, "not run", "", f"{_record_path(entry, out)} is damaged: draw the figure again")
    if not current:
        return Outcome.unmade(entry, "not run", "", "its code has changed since: draw the figure again")
    return Outcome(entry, "made", found, scale, "from an earlier run", record["data"])


def _key_now(entry: Entry, scale: str) -> str:
    """The key, or "" where the figure's file is broken: one such must not keep the gallery from being written."""
    try:
        return key(entry, scale)
    except Exception:
        return ""


def _rows(entry: Entry, scale: str, path: Path, say: Say, session: Session) -> tuple[Any, str]:
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
    rows = session.rows(entry, scale, say)
    storage.write(rows, path)
    return rows, f"table of {rows.num_rows} rows computed in {time.perf_counter() - begin:.1f} s"


def _told(seconds: float) -> str:
    """45 min, 1.5 h; seconds where it is short."""
    return next((f"{seconds / size:g} {unit}" for unit, size in _UNITS if seconds >= 2 * size), f"{seconds:g} s")


def _prefixed(say: Say, prefix: str) -> Say:
    return lambda line: say(f"{prefix}: {line}")


def _guarded(entry: Entry, scale: str, out: Path, say: Say, session: Session) -> Outcome:
    try:
        return make(entry, scale, out, say, session)
    except NotRun as why:
        return _earlier(entry, scale, out, str(why))
    except Exception as error:
        traceback.print_exc()
        return Outcome.unmade(entry, "failed", scale, f"{type(error).__name__}: {error}")


def _standing(entry: Entry, scale: str, out: Path) -> Outcome | None:
    """What an earlier run made at this scale, if it is still current."""
    found = recorded(entry, out)
    return found if found.state == "made" and (entry.exact or found.scale == scale) else None


def _earlier(entry: Entry, scale: str, out: Path, why: str) -> Outcome:
    """What an earlier run made at this scale, if it is still current; else not run."""
    found = _standing(entry, scale, out)
    return (
        Outcome.unmade(entry, "not run", scale, why) if found is None else replace(found, note=f"{found.note} ({why})")
    )


def _late(entry: Entry, scale: str, out: Path, why: str, say: Say, session: Session) -> Outcome:
    """Past the budget: as it was made before; else made if others have trained all its runs."""
    found = _earlier(entry, scale, out, why)
    if found.state == "made" or not entry.trained:
        return found
    heard: list[str] = []
    made = _guarded(entry, scale, out, heard.append, session)
    if made.state == "not run":
        return found
    for line in heard:
        say(line)
    return made


def _closing(outcome: Outcome) -> str:
    if outcome.state != "made":
        return f"{outcome.state}: {outcome.note}"
    counts = [finding.status for finding in outcome.findings]
    tally = ", ".join(f"{counts.count(status)} {status}" for status in dict.fromkeys(counts))
    return f"{outcome.note}; findings: {tally or 'none'}"


def _record_path(entry: Entry, out: Path) -> Path:
    return out / entry.paper / f"{entry.name}.findings.json"
