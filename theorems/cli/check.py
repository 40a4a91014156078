"""``surrogate check``: replay what is recorded, look for a contradiction, and compare every field of the record."""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
import traceback
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from surrogate.cli import engine, output

if TYPE_CHECKING:
    from theorems.record import Record

__all__ = ["EXAMPLES", "SUMMARY", "configure", "run"]

SUMMARY = "Judge statements: replay what is recorded, search for a contradiction, compare every field."
EXAMPLES = """
surrogate check
surrogate check OLR.T17 OLR.C22 --examples 100000
surrogate check --paper outsized --fresh
surrogate check my_theorem.py
"""

CONTRADICTION = 1
_EXAMPLES = 10_000


def configure(parser: argparse.ArgumentParser) -> None:
    """Options of the verb."""
    parser.add_argument("ids", nargs="*", metavar="ID|FILE.py", help="statement ids, or statement files of your own")
    parser.add_argument("--paper", metavar="P", help="only this paper: outsized, local_adaptivity, fedda, ...")
    parser.add_argument("--examples", type=int, metavar="N", help="instances a statement (as recorded, or 10000)")
    parser.add_argument("--fresh", action="store_true", help="ignore earlier judgements in the cache")
    parser.add_argument("--record", action="store_true", help="write the verdicts to theorems/records")
    parser.add_argument(
        "--json", type=Path, metavar="FILE", help="write the verdicts, with seconds, to FILE; - is stdout"
    )
    engine.configure(parser)


def run(args: argparse.Namespace) -> int:
    """0: no contradiction; 1: a contradiction or a dead certificate; 2: wrong use."""
    from theorems import records
    from theorems.cli import names

    chosen = names.chosen(args.ids, args.paper)
    if args.examples is not None:
        names.positive(args.examples, "--examples")
    target = None if args.json is None else output.checked(args.json)
    started, trouble, results = time.monotonic(), 0, []
    for done, (name, fresh, complaint) in enumerate(_judged(chosen, args), start=1):
        results.append(fresh)
        trouble += bool(complaint)
        print(names.line(fresh, complaint), flush=True)
        if sys.stderr.isatty():
            print(f"  {done} of {len(chosen)}", end="\r", file=sys.stderr, flush=True)
        if args.record and not name.endswith(".py") and not complaint.startswith("failed"):
            records.write(cast("Record", {k: v for k, v in fresh.items() if k != "seconds"}))
    if args.record:
        from theorems import schema

        records.write_table()
        schema.write()
    if target is not None:
        output.write(target, json.dumps(results, indent=1, default=str))
    print(names.summary(results, trouble, time.monotonic() - started))
    return CONTRADICTION if trouble else 0


def _judged(chosen: list[str], args: argparse.Namespace) -> Iterator[tuple[str, dict[str, Any], str]]:
    """(name, verdict, complaint) as they come, from as many processes as there are cores; one judges here."""
    from concurrent.futures import as_completed

    executor = engine.chosen(args)
    work = [(os.path.abspath(name) if name.endswith(".py") else name) for name in chosen]
    options = (args.examples, args.fresh, args.record)
    if args.engine == "local" and (args.processes == 1 or len(work) == 1):
        yield from (judge_one(name, *options) for name in work)
        return
    with executor(grace=0.0) as pool:
        futures = {pool.submit(judge_one, name, *options): name for name in work}
        for future in as_completed(futures):
            try:
                yield future.result()
            except Exception as error:
                name = futures[future]
                yield name, _undecided(name), f"failed: {error}"


def _undecided(id: str, seconds: float = 0.0) -> dict[str, Any]:
    return {"id": id, "verdict": "undecided", "evidence": "", "seconds": seconds}


def judge_one(name: str, examples: int | None, fresh: bool, record: bool) -> tuple[str, dict[str, Any], str]:
    """Judge one statement (from the cache where nothing changed), and hold it against its record."""
    from theorems import cache, registry

    started = time.monotonic()
    recorded = _recorded(name, torn=record)
    asked = examples or (recorded or {"asked": _EXAMPLES}).get("asked", _EXAMPLES)
    source = registry.source(name)
    agreed = cache.key(source, asked, recorded)
    unrecorded = recorded is None and not record and not name.endswith(".py")
    judged = None if fresh or record or unrecorded else cache.fetch(agreed)
    if judged is not None:
        return name, _timed(judged, started), ""
    from theorems import agreement
    from theorems.judging import judge_statement

    key = cache.key(source, asked)
    judged = None if fresh else cache.fetch(key)
    statement = registry.find(name)
    try:
        if judged is None:
            judged = judge_statement(statement, asked)
            cache.store(key, judged)
        if recorded and agreement.unseen(recorded, judged):
            judged = judge_statement(statement, asked, recorded)
        complaints = ["no record: it was deleted, or never written (--record writes one)"] if unrecorded else []
        if recorded and not record:
            complaints += agreement.differences(recorded, judged, statement)
    except Exception as error:
        message = str(error)
        if not isinstance(error, AssertionError):  # of the judge, which explains itself
            traceback.print_exc()
            message = f"{type(error).__name__}: {message}"
        return name, _undecided(statement.id, time.monotonic() - started), f"failed: {message}"
    if not complaints and not record:
        cache.store(agreed, judged)
    return name, _timed(judged, started), "\n".join(complaints)


def _recorded(name: str, torn: bool) -> Record | None:
    """The record of a statement; None where it is ``torn`` and may be, since it is written anew (after a merge)."""
    from surrogate.kit.errors import ProblemError
    from theorems import records

    try:
        return None if name.endswith(".py") else records.read(name)
    except ProblemError:
        if torn:
            return None
        raise


def _timed(judged: Record, started: float) -> dict[str, Any]:
    return {**judged, "seconds": round(time.monotonic() - started, 3)}
