"""Timing that survives a shared machine: contenders take turns, the best of each counts, and noise is shown."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

__all__ = ["NOISY", "Result", "Yardstick", "exponent", "isolated", "race", "seconds", "table"]

ROOT = Path(__file__).resolve().parents[1]
NOISY = 1.5  # slowest over fastest run of one fixed workload: beyond, a missed target may be the neighbours' doing


@dataclass(frozen=True)
class Result:
    """One measured number. ``wants``: "at least" or "at most" ``target``; None when it is only reported."""

    name: str
    measures: str
    value: float
    unit: str
    wants: str | None = None
    target: float | None = None
    details: dict[str, Any] = field(default_factory=dict)

    @property
    def met(self) -> bool | None:
        """Whether the target is met; None without one."""
        if self.target is None:
            return None
        return self.value >= self.target if self.wants == "at least" else self.value <= self.target

    def without_target(self) -> Result:
        """The same number, only reported: reduced sizes (``--quick``) have no targets."""
        return Result(self.name, self.measures, self.value, self.unit, details=self.details)

    def record(self) -> dict[str, Any]:
        """Everything, for JSON."""
        return {**asdict(self), "met": self.met}


def seconds(work: Callable[[], object]) -> float:
    """Wall-clock seconds of one call."""
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def race(contenders: Mapping[str, Callable[[], object]], repeats: int) -> dict[str, float]:
    """Best seconds of each contender; they take turns, so that a busy spell hits all of them."""
    best = dict.fromkeys(contenders, np.inf)
    for _ in range(repeats):
        for name, work in contenders.items():
            best[name] = min(best[name], seconds(work))
    return best


def exponent(sizes: list[int], times: list[float]) -> float:
    """The slope of log time over log size, by least squares."""
    return float(np.polyfit(np.log(sizes), np.log(times), 1)[0])


class Yardstick:
    """One fixed workload, timed again and again: how steady the machine was while the benchmarks ran."""

    def __init__(self) -> None:
        self._matrix = np.random.default_rng(0).normal(size=(500, 500)) / 500
        self.times: list[float] = []
        self._work()  # not counted: threads start, pages are touched

    def _work(self) -> None:
        for _ in range(10):
            self._matrix @ self._matrix

    def look(self) -> None:
        """Time the workload; the best of three, so that single interrupts do not count."""
        self.times.append(min(seconds(self._work) for _ in range(3)))

    @property
    def noise(self) -> float:
        """Slowest over fastest look; 1.0 is a quiet machine."""
        return max(self.times) / min(self.times) if self.times else 1.0

    def report(self) -> dict[str, Any]:
        """The machine, for the table's last line and for JSON."""
        load = os.getloadavg()[0] if hasattr(os, "getloadavg") else None
        return {"cores": os.cpu_count(), "load": load, "noise": self.noise, "quiet": self.noise <= NOISY}


_PEAK = """
import sys
sys.path.insert(0, {root!r})
from benchmarks import {module} as module
module.{function}({arguments})
try:
    lines = open("/proc/self/status").read().splitlines()
    peak = next(int(line.split()[1]) for line in lines if line.startswith("VmHWM"))
except OSError:  # not Linux; ru_maxrss would, on Linux, count the parent's memory, too
    import resource
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // (1024 if sys.platform == "darwin" else 1)
print(peak)
"""


def isolated(module: str, function: str, arguments: str = "") -> float:
    """Peak resident memory in bytes of ``benchmarks.<module>.<function>(<arguments>)`` in an interpreter of its own."""
    code = _PEAK.format(root=str(ROOT), module=module, function=function, arguments=arguments)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return 1024.0 * int(done.stdout.split()[-1])


def table(results: list[Result]) -> str:
    """Aligned columns: name, value, target, verdict, what was measured; details under each row."""
    verdicts = {None: "", True: "met", False: "MISSED"}
    rows = [
        (r.name, f"{r.value:.3g} {r.unit}", f"{r.wants} {r.target:g}" if r.wants else "", verdicts[r.met], r.measures)
        for r in results
    ]
    rows.insert(0, ("benchmark", "measured", "target", "", "what"))
    widths = [max(len(row[k]) for row in rows) for k in range(4)]
    lines = ["  ".join([*(cell.ljust(w) for cell, w in zip(row, widths, strict=False)), row[4]]) for row in rows]
    for at, result in reversed(list(enumerate(results, start=1))):
        shown = [f"      {key}: {_shown(value)}" for key, value in result.details.items()]
        lines[at + 1 : at + 1] = shown
    return "\n".join(lines)


def _shown(value: Any) -> str:
    if isinstance(value, float):
        return f"{value:.3g}"
    if isinstance(value, dict):
        return ", ".join(f"{key}: {_shown(item)}" for key, item in value.items())
    return str(value)
