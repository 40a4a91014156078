"""``surrogate check``: replay what is recorded, then look for a contradiction."""

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

SUMMARY = "Judge statements: replay recorded certificates, then search for a contradiction."
EXAMPLES = """
surrogate check
surrogate check OLR.T17 OLR.C22 --examples 100000
surrogate check --paper outsized --fresh
surrogate check my_theorem.py
"""

CONTRADICTION = 1


def configure(parser: argparse.ArgumentParser) -> None:
    """Options of the verb."""
    parser.add_argument("ids", nargs="*", metavar="ID|FILE.py", help="statement ids, or statement files of your own")
    parser.add_argument("--paper", metavar="P", help="only this paper: outsized, local_adaptivity, fedda, ...")
    parser.add_argument("--examples", type=int, default=10_000, metavar="N", help="instances a statement (10000)")
    parser.add_argument("--fresh", action="store_true", help="ignore earlier judgements in the cache")
    parser.add_argument("--record", action="store_true", help="write the verdicts to theorems/records")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the verdicts, with seconds, to FILE")
    engine.configure(parser)


def run(args: argparse.Namespace) -> int:
    """0: no contradiction; 1: a contradiction or a dead certificate; 2: wrong use."""
    from theorems import records
    from theorems.cli import names

    chosen = names.chosen(args.ids, args.paper)
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
        records.write_table()
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


def judge_one(name: str, examples: int, fresh: bool, record: bool) -> tuple[str, dict[str, Any], str]:
    """Judge one statement (from the cache where nothing changed), and hold it against its record."""
    from theorems import cache, records, registry, verify

    started = time.monotonic()
    key = cache.key(registry.source(name), examples)
    judged = None if fresh else cache.fetch(key)
    if judged is None:
        from theorems.judging import judge_statement

        statement = registry.find(name)
        try:
            judged = judge_statement(statement, examples)
        except Exception as error:
            message = str(error)
            if not isinstance(error, AssertionError):  # of the judge, which explains itself
                traceback.print_exc()
                message = f"{type(error).__name__}: {message}"
            return name, _undecided(statement.id, time.monotonic() - started), f"failed: {message}"
        cache.store(key, judged)
    recorded = None if name.endswith(".py") or record else records.read(judged["id"])
    complaint = records.same_verdict(recorded, judged) if recorded else ""
    if recorded and recorded["certificate"]:
        sound, why = verify.check_certificate(dict(recorded["certificate"]))
        complaint = complaint if sound else f"dead certificate: {why}"
    return name, dict(judged) | {"seconds": round(time.monotonic() - started, 3)}, complaint
