"""In which order figures are made."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from figures import bill, runner
from figures.registry import Entry
from figures.training import Run
from figures.turns import in_turns
from tests.figures.conftest import Fakes


@pytest.fixture
def two_papers(write: Callable[..., Entry], fakes: Fakes) -> list[Entry]:
    """Of each paper two of the flagship, one other and a table without training."""
    for paper in ("fedda", "outsized"):
        for number, flagship in ((1, False), (2, True), (10, True)):
            write(f"figure_{number}", (0.1,), flagship, paper)
        fakes.write(f"{paper}/table_1", id="T.exact")
    return [replace(entry, id=entry.alias) for entry in fakes.entries()]


def test_papers_take_turns_where_there_is_training(two_papers: list[Entry]) -> None:
    """Each paper's flagship, by their numbers, then others; figures without training stay as they are."""
    assert [entry.id for entry in in_turns(two_papers)] == [
        "outsized/table_1", "fedda/table_1",
        "outsized/figure_2", "fedda/figure_2", "outsized/figure_10", "fedda/figure_10",
        "outsized/figure_1", "fedda/figure_1",
    ]  # fmt: skip


def test_what_costs_least_comes_first_and_papers_share_the_time(two_papers: list[Entry]) -> None:
    """FedDA's two take 9 s of their own and 1 s together, the other paper's 20 and 5; a shared run is paid once."""
    costs = {
        "fedda/figure_2": {"a": 9.0, "shared": 1.0}, "fedda/figure_10": {"shared": 1.0},
        "outsized/figure_2": {"b": 20.0}, "outsized/figure_10": {"c": 5.0},
        "outsized/figure_1": {}, "fedda/figure_1": {"a": 9.0},
    }  # fmt: skip
    assert [entry.id for entry in in_turns(two_papers, costs) if entry.trained] == [
        "fedda/figure_10", "outsized/figure_10", "fedda/figure_2", "outsized/figure_2",
        "fedda/figure_1", "outsized/figure_1",
    ]  # fmt: skip


def test_what_only_shares_runs_is_made_at_once(two_papers: list[Entry]) -> None:
    costs = {entry.id: {entry.id: 3.0} for entry in two_papers if entry.trained}
    costs["fedda/figure_10"] = {"outsized/figure_2": 3.0}
    assert [entry.id for entry in in_turns(two_papers, costs) if entry.trained and entry.flagship] == [
        "outsized/figure_2", "fedda/figure_10", "fedda/figure_2", "outsized/figure_10",
    ]  # fmt: skip


def test_within_a_budget_what_costs_least_comes_first(
    write: Callable[..., Entry], fakes: Fakes, tmp_path: Path, trainings: list[Run]
) -> None:
    """And what stands, or has its runs, costs nothing; without a budget the order is that of the numbers."""
    write("figure_1", (0.1, 0.2, 0.3)), write("figure_2", (0.4,)), write("figure_3", (0.5, 0.6))

    def order(out: str, budget: float | None) -> list[str]:
        made = runner.make_all(fakes.entries(), "smoke", tmp_path / out, budget, say=lambda line: None)
        assert all(outcome.state == "made" for outcome in made)
        return [outcome.entry.name for outcome in made]

    assert order("a", 600.0) == ["figure_2", "figure_3", "figure_1"]
    assert order("b", None) == ["figure_1", "figure_2", "figure_3"]
    for name in ("figure_1", "figure_3"):
        (tmp_path / "a" / "outsized" / f"{name}.findings.json").unlink()
    (tmp_path / "a" / "outsized" / "figure_1.parquet").unlink()
    assert order("a", 600.0) == ["figure_1", "figure_2", "figure_3"] and len(trainings) == 12


def test_a_broken_figure_costs_nothing_and_is_told_where_it_is_made(
    write: Callable[..., Entry], fakes: Fakes, tmp_path: Path, trainings: list[Run], capsys: pytest.CaptureFixture[str]
) -> None:
    write("figure_1"), write("figure_2")
    fakes.change("    common = ", "    raise RuntimeError('what is wrong')\n    common = ")
    assert bill.waiting(fakes.entries(), "smoke", tmp_path)["T.figure_1"] == {}
    broken, fine = runner.make_all(fakes.entries(), "smoke", tmp_path, 600.0, say=lambda line: None)
    assert (broken.state, fine.state) == ("failed", "made") and "what is wrong" in broken.note
    assert "what is wrong" in capsys.readouterr().err
