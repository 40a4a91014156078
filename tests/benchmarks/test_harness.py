"""Taking turns, targets, exponents, peak memory and the table. No test looks at a time that was measured."""

from __future__ import annotations

import numpy as np
import pytest

from benchmarks import harness
from benchmarks.harness import Result


@pytest.mark.parametrize(
    "value, wants, target, met",
    [
        (81.0, "at least", 80.0, True),
        (79.0, "at least", 80.0, False),
        (2.0, "at most", 1.5, False),
        (1.0, None, None, None),
    ],
)
def test_a_target_is_met_or_missed_or_absent(value, wants, target, met):
    result = Result("name", "what", value, "x", wants, target)
    assert result.met is met and result.record()["met"] is met
    assert result.without_target().met is None and result.without_target().value == value


def test_contenders_take_turns():
    order: list[str] = []
    best = harness.race({"a": lambda: order.append("a"), "b": lambda: order.append("b")}, 3)
    assert order == ["a", "b"] * 3
    assert set(best) == {"a", "b"} and all(np.isfinite(v) and v >= 0 for v in best.values())


def test_the_best_run_counts(monkeypatch):
    measured = iter([5.0, 9.0, 3.0, 8.0, 4.0, 7.0])
    monkeypatch.setattr(harness, "seconds", lambda work: next(measured))
    assert harness.race({"a": int, "b": int}, 3) == {"a": 3.0, "b": 7.0}


def test_the_exponent_of_a_power_is_its_power():
    sizes = [10, 20, 40, 80]
    assert abs(harness.exponent(sizes, [0.3 * n**2.5 for n in sizes]) - 2.5) < 1e-12


def test_noise_is_slowest_over_fastest():
    yardstick = harness.Yardstick()
    assert yardstick.noise == 1.0
    yardstick.times = [0.2, 0.1, 0.15]
    assert yardstick.noise == 2.0 and yardstick.report()["quiet"] is False
    yardstick.look()
    assert len(yardstick.times) == 4 and yardstick.times[-1] > 0


def test_peak_memory_is_that_of_the_call_alone():
    """An array of 160 MB in this process must not count; one of 80 MB made over there must."""
    here = np.ones(20_000_000)
    small = harness.isolated("exact_reference", "np.ones", "1000")
    large = harness.isolated("exact_reference", "np.ones", "10_000_000")
    assert small < here.nbytes and 70e6 < large - small < 90e6


def test_the_table_shows_values_targets_verdicts_and_details():
    results = [
        Result("fast", "ratio of two routes", 123.4, "x", "at least", 80.0, {"seconds": {"ours": 0.5}}),
        Result("large", "memory", 2.0, "GB", "at most", 1.5),
        Result("slope", "exponent", 1.02, ""),
    ]
    lines = harness.table(results).splitlines()
    assert lines[0].split() == ["benchmark", "measured", "target", "what"]
    assert lines[1].split() == ["fast", "123", "x", "at", "least", "80", "met", "ratio", "of", "two", "routes"]
    assert lines[2].strip() == "seconds: ours: 0.5"
    assert "MISSED" in lines[3] and "MISSED" not in lines[4] and lines[4].split() == ["slope", "1.02", "exponent"]
