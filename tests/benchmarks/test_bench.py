"""surrogate bench: what it runs, what it refuses, what it writes, and how it ends."""

from __future__ import annotations

import json

import pytest

import benchmarks
from benchmarks import exact as suite
from benchmarks import explorer
from benchmarks.harness import Result
from benchmarks.run import TARGET_MISSED
from figures.explorer import menu
from surrogate.cli.main import main
from surrogate.kit import entries

FAST = Result("fast", "a number", 2.0, "x", "at least", 1.0)
SLOW = Result("slow", "a number", 0.5, "x", "at least", 1.0)


@pytest.fixture
def two_benchmarks(monkeypatch):
    """The suite with two benchmarks that measure nothing."""
    asked = []

    def good(quick):
        """One that meets its target."""
        asked.append(("good", quick))
        return [FAST]

    def bad(quick):
        """One that misses it."""
        asked.append(("bad", quick))
        return [SLOW]

    monkeypatch.setattr(suite, "BENCHMARKS", {"good": good, "bad": bad})
    monkeypatch.setattr(benchmarks, "SUITES", ("exact",))
    return asked


def test_without_a_name_everything_runs_and_a_missed_target_shows_in_the_status(two_benchmarks, capsys):
    assert main(["bench"]) == TARGET_MISSED == 1
    assert two_benchmarks == [("good", False), ("bad", False)]
    printed = capsys.readouterr().out
    assert "MISSED" in printed and "met" in printed and "machine:" in printed


def test_one_benchmark_by_name(two_benchmarks, capsys):
    assert main(["bench", "exact.good"]) == 0
    assert two_benchmarks == [("good", False)]
    assert "slow" not in capsys.readouterr().out


def test_quick_runs_have_no_targets(two_benchmarks, capsys):
    assert main(["bench", "exact", "--quick"]) == 0
    assert two_benchmarks == [("good", True), ("bad", True)]
    assert "MISSED" not in capsys.readouterr().out


def test_measurements_are_written_as_json(two_benchmarks, tmp_path, capsys):
    assert main(["bench", "exact", "--json", str(tmp_path / "bench.json")]) == 1
    record = json.loads((tmp_path / "bench.json").read_text())
    assert [(r["name"], r["value"], r["met"]) for r in record["results"]] == [("fast", 2.0, True), ("slow", 0.5, False)]
    assert record["machine"]["noise"] >= 1.0 and record["quick"] is False


def test_a_missing_directory_is_refused_before_anything_runs(two_benchmarks, tmp_path, capsys):
    assert main(["bench", "--json", str(tmp_path / "none" / "bench.json")]) == 2
    assert two_benchmarks == [] and "mkdir -p" in capsys.readouterr().err


def test_an_unknown_name_is_refused_with_the_nearest(two_benchmarks, capsys):
    assert main(["bench", "exact.godd"]) == 2
    assert "exact.good" in capsys.readouterr().err and two_benchmarks == []


def test_the_list_says_what_each_measures(capsys):
    assert main(["bench", "--list"]) == 0
    lines = capsys.readouterr().out.splitlines()
    listed = [line.split()[0] for line in lines]
    assert listed[: len(suite.BENCHMARKS)] == [f"exact.{name}" for name in suite.BENCHMARKS]
    assert {name.split(".")[0] for name in listed} == set(benchmarks.SUITES)
    assert all(len(line.split()) > 4 for line in lines)


def test_an_installed_wheel_says_that_it_needs_a_checkout(monkeypatch, tmp_path, capsys):
    monkeypatch.setattr(entries, "ROOT", tmp_path)
    assert main(["bench"]) == 2
    assert "source checkout" in capsys.readouterr().err


@pytest.mark.parametrize("name", sorted(suite.BENCHMARKS))
def test_every_benchmark_runs_at_reduced_size(name):
    """Values are finite and named; what they are is the machine's business, except for errors."""
    for result in suite.BENCHMARKS[name](True):
        assert result.value == result.value and result.measures
        if result.name == "sweep error":
            assert result.met


def test_a_view_of_every_method_is_timed():
    """Each method of the explorer's menu has its time; what it is is the machine's business."""
    (result,) = explorer.view(True)
    assert set(result.details["ms"]) == set(menu.choices())
    assert result.value == max(result.details["ms"].values()) > 0
