"""``surrogate bench``: time the code against the reference implementations of ``benchmarks/``, in the same run."""

from __future__ import annotations

import argparse
import importlib
import json
import sys
from pathlib import Path
from typing import Any

from surrogate.cli import output
from surrogate.kit.errors import problem, unknown

__all__ = ["EXAMPLES", "SUMMARY", "configure", "run"]

SUMMARY = "Time the code against reference implementations (needs a source checkout)."
EXAMPLES = """
surrogate bench
surrogate bench exact --quick
surrogate bench exact.sweep --json bench.json
surrogate bench neural
"""

TARGET_MISSED = 1


def configure(parser: argparse.ArgumentParser) -> None:
    """Options of the verb."""
    parser.add_argument(
        "names",
        nargs="*",
        metavar="NAME",
        help="a suite (exact, theorems, neural, explorer) or one benchmark of it (exact.sweep)",
    )
    parser.add_argument("--quick", action="store_true", help="small sizes, seconds instead of minutes, no targets")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the measurements to FILE")
    parser.add_argument("--list", action="store_true", help="print the benchmarks and what they measure")


def run(args: argparse.Namespace) -> int:
    """Run the benchmarks named (all without a name); 0, or 1 when a target is missed."""
    chosen = _chosen(args.names, _benchmarks())
    if args.list:
        for name, measure in chosen.items():
            print(f"{name:16} {(measure.__doc__ or '').strip().splitlines()[0]}")
        return 0
    return _measure(chosen, args.quick, None if args.json is None else output.checked(args.json))


def _measure(chosen: dict[str, Any], quick: bool, target: Path | None) -> int:
    harness = importlib.import_module("benchmarks.harness")
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
    """Every benchmark of the source tree we run from, by suite.name."""
    root = Path(__file__).resolve().parents[2]
    if not (root / "benchmarks" / "__init__.py").is_file():
        raise problem(
            "benchmarks/",
            f"missing beside the package in {root}",
            "a source checkout: the reference implementations are not part of the installed package",
            "surrogate was installed from a wheel",
            "clone the repository, run `pip install -e .` there, then `surrogate bench` again",
        )
    if str(root) not in sys.path:  # the console script does not put the tree on the path
        sys.path.insert(0, str(root))
    suites = importlib.import_module("benchmarks").SUITES
    modules = {suite: _imported(f"benchmarks.{suite}") for suite in suites}
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
