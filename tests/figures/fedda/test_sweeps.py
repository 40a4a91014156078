"""DA Figures 5 and 6, Tables 6 to 11: findings that notice, and rates as printed."""

from __future__ import annotations

from typing import Any

import pytest

from figures import registry
from figures.fedda import figure_5, figure_6, printed, settings
from tests.helpers.figures.doctor import doctored, statuses
from tests.helpers.figures.fedda_made_up import NOTES, swept

TABLES = range(6, 12)
STEPS, ROUNDS = figure_5.STEPS["laptop"], figure_6.ROUNDS["laptop"]


def steps(task: str, optimizer: str, T: float) -> float:
    """As the paper has it: a rise, then level; on EMNIST a collapse with two optimizers."""
    if task == settings.EMNIST and T > 10 and optimizer != "adam":
        return 0.05
    return 0.5 if T == 1 else 0.8


def test_figure_5_as_described() -> None:
    assert set(statuses(figure_5, swept("steps", STEPS, steps)).values()) == {"reproduced"}


@pytest.mark.parametrize(
    ("claim", "value"),
    [
        ("inner", lambda task, optimizer, T: T),  # rises to the end
        ("inner", lambda task, optimizer, T: 1 / T),  # falls from the start
        ("collapse", lambda task, optimizer, T: 0.5 if T == 1 else 0.8),
        ("collapse", lambda task, optimizer, T: 0.8 if (optimizer, T) == ("sgdm", 20) else steps(task, optimizer, T)),
    ],
)
def test_figure_5_otherwise(claim: str, value: Any) -> None:
    assert statuses(figure_5, swept("steps", STEPS, value))[claim] == "not reproduced"


def test_figure_6_counts_steps_up() -> None:
    assert statuses(figure_6, swept("rounds", ROUNDS, lambda task, optimizer, R: R)) == {"grows": "reproduced"}

    def dented(task: str, optimizer: str, R: float) -> float:
        return R if optimizer == "adam" or R != ROUNDS[task][1] else 100.0

    assert statuses(figure_6, swept("rounds", ROUNDS, dented)) == {"grows": "not reproduced"}
    down = swept("rounds", ROUNDS, lambda task, optimizer, R: -R if task == settings.TAGS else R)
    assert statuses(figure_6, down) == {"grows": "not reproduced"}


def module(number: int) -> Any:
    return registry.find([f"DA.T{number}"])[0]


def as_printed(number: int) -> Any:
    import pyarrow as pa

    rows = [
        {"task": task, "rate": float(rate), "seed": seed, "status": "done", "round": 10, "loss": 1.0, "value": value}
        for task, (_, pairs) in printed.RATES[number][2].items()
        for rate, value in pairs
        for seed in (0, 1, 2)
    ]
    return pa.Table.from_pylist(rows).replace_schema_metadata(NOTES)


@pytest.mark.parametrize("number", TABLES)
def test_the_printed_rates_are_crucial_and_equal_ones_are_not(number: int) -> None:
    table = as_printed(number)
    assert statuses(module(number), table) == {"crucial": "reproduced"}
    level = doctored(table, lambda row: {"value": 0.5} if row["task"] != settings.CIFAR else {})
    assert statuses(module(number), level) == {"crucial": "not reproduced"}


@pytest.mark.parametrize("number", TABLES)
def test_the_sheet_puts_the_printed_cells_beside_ours(number: int) -> None:
    sheet = module(number).sheet(as_printed(number))
    for _, cells in sheet.rows:
        assert [cell.ours for cell in cells] == [str(cell.printed).replace(",", "") for cell in cells]


@pytest.mark.parametrize("number", TABLES)
def test_the_published_runs_have_the_printed_rates(number: int) -> None:
    """The rate that varies, and alpha = eta / gamma, in the order of print."""
    optimizer, varied, lines = printed.RATES[number]
    runs = module(number).runs("paper")
    assert len(runs) == 12 and {run["method"] for run in runs} == {f"fedda-{optimizer}"}
    for run, (task, stays, rate) in zip(
        runs, [(task, stays, rate) for task, (stays, pairs) in lines.items() for rate, _ in pairs], strict=True
    ):
        gamma, alpha = (rate, stays) if varied == "client" else (stays, rate)
        assert run["task"] == task and run["gamma"] == gamma
        assert run["eta"] / run["gamma"] == pytest.approx(alpha)
        assert run["steps"] == settings.steps_of(task, optimizer)
