"""From a figure's file to its outputs: table, parquet, drawing, findings. What is done stays done.

Figures that need no training come first, so that a gallery stands within a minute; then the flagship list, then others,
where time is limited by what they cost, as their runs end (`figures.queue`).
"""

from __future__ import annotations

import time
import traceback
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from figures import made, storage
from figures.card import Card
from figures.figure import Figure
from figures.findings import Finding, not_run
from figures.keys import drawing_key, key
from figures.queue import Engine, NotRun, Plan, Queue, in_turns

__all__ = ["Outcome", "make", "make_all", "recorded", "waiting"]

Say = Callable[[str], None]
_UNITS = (("h", 3600), ("min", 60))


@dataclass(frozen=True)
class Outcome:
    """What became of one figure. ``state``: ``made``, ``not run`` or ``failed``; ``note`` says why, or how.

    ``kept``: nothing of it was made anew.
    """

    entry: Card
    state: str
    findings: Sequence[Finding]
    scale: str
    note: str = ""
    data: str = ""  # JSON, task -> source of its data
    kept: bool = False

    @classmethod
    def unmade(cls, entry: Card, state: str, scale: str, why: str) -> Outcome:
        """A figure that was not made: all its claims are not run."""
        return cls(entry, state, [not_run(claim, why) for claim in entry.claims.values()], scale, why)


def make_all(
    entries: Sequence[Figure],
    scale: str,
    out: Path,
    budget: float | None = None,
    say: Say = print,
    clock: Callable[[], float] = time.time,
    show: Callable[[Sequence[Outcome]], object] = lambda outcomes: None,
    engine: Engine | None = None,
) -> list[Outcome]:
    """Make the figures, those without training first, others as their runs end; one that fails does not stop the rest.

    Past ``budget`` seconds training stops, to be resumed; what an earlier run made is shown, and what needs no more
    training is made. ``show`` is called with the outcomes once all quick figures are made, and then after each that was
    not kept as it was. ``engine``: makes the executor that trains (default: `figures.queue.local`).
    """
    for path in storage.sweep(out):
        say(f"removed {path}, left half-written by a run that was killed")
    end = None if budget is None else clock() + budget
    why = "" if budget is None else f"the budget of {_told(budget)} was used up"
    outcomes: list[Outcome] = []
    quick = [entry for entry in entries if not entry.trained]
    trained = _in_order([_planned(entry, scale, out, say) for entry in entries if entry.trained], budget, out)
    with Queue(trained, out / "runs", engine, end, say, clock) as queue:
        for number, plan in enumerate(_each(quick, scale, queue), 1):
            prefix = f"[{number}/{len(entries)}] {plan.entry.id}"
            late = end is not None and not plan.entry.trained and clock() >= end
            outcome = _earlier(plan, out, why) if late else _guarded(plan, out, _prefixed(say, prefix))
            say(f"{prefix}: {_closing(outcome)}")
            outcomes.append(outcome)
            if number == max(len(quick), 1) or (number > len(quick) and not outcome.kept):
                show(outcomes)
    return outcomes


def _each(quick: Sequence[Figure], scale: str, queue: Queue) -> Iterator[Plan]:
    """Those without training, while runs of the others are trained; then these as they are ready."""
    for entry in quick:
        queue.step()
        yield Plan.of(entry, scale)
    yield from queue.ready()


def _planned(entry: Figure, scale: str, out: Path, say: Say) -> Plan:
    """The figure's runs; none are needed where its stored table is current."""
    plan = Plan.of(entry, scale)
    if plan.error is None:
        try:
            plan.kept = _stored(plan, out, say)
        except Exception as error:
            plan.error = error
    return plan


def _in_order(plans: list[Plan], budget: float | None, out: Path) -> list[Plan]:
    """In turns of the papers; within a ``budget`` what costs least first."""
    costs = None
    if budget and len(plans) > 1:
        from figures.costs import seconds_left

        costs = {plan.entry.id: {} if plan.kept is not None else seconds_left(plan, out / "runs") for plan in plans}
    known = {plan.entry.id: plan for plan in plans}
    return [known[entry.id] for entry in in_turns([plan.entry for plan in plans], costs)]


def waiting(outcomes: Sequence[Outcome]) -> list[Outcome]:
    """Those that the budget was used up for."""
    return [outcome for outcome in outcomes if outcome.state == "not run" and outcome.note.startswith("the budget")]


def make(entry: Figure, scale: str, out: Path, say: Say = print, engine: Engine | None = None) -> Outcome:
    """One figure: out/<paper>/<name>.parquet, .pdf, .svg, .png, .findings.json; of a table .md and .tex as well.

    A current table is kept.
    """
    with Queue([_planned(entry, scale, out, say)], out / "runs", engine, say=say) as queue:
        (plan,) = queue.ready()
        return _made(plan, out, say)


def _made(plan: Plan, out: Path, say: Say) -> Outcome:
    if plan.error is not None:
        raise plan.error
    entry, scale, begin = plan.entry, plan.scale, time.perf_counter()
    say(entry.title)
    rows, how = plan.kept if plan.entry.trained else _stored(plan, out, say), "table kept"
    if rows is None:
        rows = plan.table()
        storage.write(rows, out / f"{entry.alias}.parquet")
        how = f"table of {rows.num_rows} rows computed in {time.perf_counter() - begin:.1f} s"
    notes = storage.metadata(rows)
    drawn = drawing_key(entry, f"{notes['key']} {notes['digest']}")
    kept = _drawn(entry, scale, out, drawn)
    if kept is not None:
        return replace(kept, note=f"{how}, drawings kept", kept=True)
    begin = time.perf_counter()
    findings = _drawings(entry, rows, out / entry.paper / entry.name)
    about = {"figure": entry.id, "title": entry.title, "scale": scale, "data": notes["data"]}
    made.write(entry, out, {**about, "key": notes["key"], "drawn": drawn}, findings, _kinds(entry))
    note = f"{how}, drawn in {time.perf_counter() - begin:.1f} s"
    return Outcome(entry, "made", findings, scale, note, notes["data"])


def _drawings(entry: Figure, rows: Any, base: Path) -> list[Finding]:
    """Write all that is drawn from the rows; the findings."""
    from figures.render import render

    if entry.sheet is not None:
        from figures import tables

        tables.write(entry.sheet(rows), entry, rows, base)
    render(entry, entry.picture, rows, base)
    return entry.findings(rows)


def _kinds(entry: Figure) -> list[str]:
    """File types of a figure's drawings."""
    return ["pdf", "svg", "png", "thumb.png", *(["md", "tex"] if entry.sheet else [])]


def _drawn(entry: Figure, scale: str, out: Path, wanted: str) -> Outcome | None:
    """What was drawn and found before, if nothing has changed since and every file is there as it was written."""
    try:
        record = made.read(entry, out)
        found = [Finding.from_record(item) for item in record["findings"]]
    except (FileNotFoundError, ValueError, KeyError, TypeError):
        return None
    same = (record["drawn"], record["scale"]) == (wanted, scale) and made.intact(entry, out, record, _kinds(entry))
    return Outcome(entry, "made", found, scale, "", record["data"]) if same else None


def recorded(entry: Card, out: Path) -> Outcome:
    """What an earlier run left in ``out``: its findings if the table's code is still the same, else not run."""
    try:
        record = made.read(entry, out)
        found = [Finding.from_record(item) for item in record["findings"]]
    except FileNotFoundError:
        return Outcome.unmade(entry, "not run", "", "not asked for yet")
    except (ValueError, KeyError, TypeError) as error:
        return Outcome.unmade(entry, "not run", "", str(error))
    if record["key"] != _key_now(entry, record["scale"]):
        return Outcome.unmade(entry, "not run", "", "its code has changed since: draw the figure again")
    return Outcome(entry, "made", found, record["scale"], "from an earlier run", record["data"])


def _key_now(entry: Card, scale: str) -> str:
    """The key, or "" where the figure's file is broken: one such must not keep the gallery from being written."""
    try:
        return key(entry.load(), scale)
    except Exception:
        return ""


def _stored(plan: Plan, out: Path, say: Say) -> Any:
    """The stored table if it is current and intact; None: it is to be computed."""
    path = out / f"{plan.entry.alias}.parquet"
    try:
        return storage.read(path, plan.key())
    except storage.Unusable as damage:
        say(f"{path} is damaged ({damage}): rebuilding it")
        return None


def _told(seconds: float) -> str:
    """45 min, 1.5 h; seconds where it is short."""
    return next((f"{seconds / size:g} {unit}" for unit, size in _UNITS if seconds >= 2 * size), f"{seconds:g} s")


def _prefixed(say: Say, prefix: str) -> Say:
    return lambda line: say(f"{prefix}: {line}")


def _guarded(plan: Plan, out: Path, say: Say) -> Outcome:
    try:
        return _made(plan, out, say)
    except NotRun as why:
        return _earlier(plan, out, str(why))
    except Exception as error:
        traceback.print_exception(error)
        return Outcome.unmade(plan.entry, "failed", plan.scale, f"{type(error).__name__}: {error}")


def _earlier(plan: Plan, out: Path, why: str) -> Outcome:
    """What an earlier run made at this scale, if it is still current; else not run."""
    found = recorded(plan.entry, out)
    if found.state == "made" and (plan.entry.exact or found.scale == plan.scale):
        return replace(found, note=f"{found.note} ({why})")
    return Outcome.unmade(plan.entry, "not run", plan.scale, why)


def _closing(outcome: Outcome) -> str:
    if outcome.state != "made":
        return f"{outcome.state}: {outcome.note}"
    counts = [finding.status for finding in outcome.findings]
    tally = ", ".join(f"{counts.count(status)} {status}" for status in dict.fromkeys(counts))
    return f"{outcome.note}; findings: {tally or 'none'}"
