"""What ``surrogate bench`` does in a source tree: choose benchmarks, run them, print and write what they measure."""

from __future__ import annotations

import argparse
import importlib
import json
import sys
from pathlib import Path
from typing import Any

import benchmarks
from benchmarks import harness
from surrogate.cli import output
from surrogate.kit.errors import unknown

__all__ = ["TARGET_MISSED", "run"]

TARGET_MISSED = 1


def run(args: argparse.Namespace) -> int:
    """Run the benchmarks named (all without a name); 0, or 1 when a target is missed."""
    chosen = _chosen(args.names, _benchmarks())
    if args.list:
        for name, measure in chosen.items():
            print(f"{name:16} {(measure.__doc__ or '').strip().splitlines()[0]}")
        return 0
    return _measure(chosen, args.quick, None if args.json is None else output.checked(args.json))


def _measure(chosen: dict[str, Any], quick: bool, target: Path | None) -> int:
    yardstick = harness.Yardstick()
    results: list[Any] = []
    for name, measure in chosen.items():
        print(f"running {name} ...", file=sys.stderr, flush=True)
        yardstick.look()
        found = measure(quick)
        results += [result.without_target() for result in found] if quick else found
        yardstick.look()
    print(harness.table(results))
    machine = yardstick.report()
    print(f"\nmachine: {machine['cores']} cores, load {machine['load']}, noise {machine['noise']:.2f} (1.00 is quiet)")
    if not machine["quiet"]:
        print(f"The machine was busy (noise above {harness.NOISY:g}): run again when it is idle before using a ratio.")
    if target is not None:
        record = {"machine": machine, "quick": quick, "results": [result.record() for result in results]}
        output.write(target, json.dumps(record, indent=2))
    return TARGET_MISSED if any(result.met is False for result in results) else 0


def _benchmarks() -> dict[str, Any]:
    """Every benchmark, by suite.name."""
    modules = {suite: _imported(f"benchmarks.{suite}") for suite in benchmarks.SUITES}
    return {
        f"{suite}.{name}": run for suite, module in modules.items() if module for name, run in module.BENCHMARKS.items()
    }


def _imported(name: str) -> Any:
    """The module; None, and a word about it, without torch, which only one suite needs."""
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        if error.name != "torch":
            raise
        print(f"{name} is left out: it needs torch (pip install -e '.[neural]')", file=sys.stderr)
        return None


def _chosen(names: list[str], known: dict[str, Any]) -> dict[str, Any]:
    if not names:
        return known
    suites = {full.partition(".")[0] for full in known}
    for name in names:
        if name not in known and name not in suites:
            names = [*sorted(suites), *known]
            raise unknown("the benchmark", name, names, "a name of another suite", "run `surrogate bench --list`")
    return {full: run for full, run in known.items() if full in names or full.partition(".")[0] in names}
