"""LA's figures and tables of training runs: findings that notice, on numbers made for the purpose."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from figures.local_adaptivity import figure_2, figure_3, printed, table_1, table_2, table_3, table_5, table_cifar
from figures.local_adaptivity import table_sync as sync
from figures.local_adaptivity.settings import Variant
from tests.helpers.figures.doctor import doctored, statuses
from tests.helpers.figures.local_adaptivity_made_up import Change, drawn, table

TABLE_1 = {v: printed.TABLE_1[v.task][v.server, v.client] for v in table_1.VARIANTS}
TABLE_2 = dict(zip(table_2.VARIANTS, (p for task in table_2.SERVERS for p in printed.TABLE_2[task]), strict=True))
TABLE_3 = dict(zip(table_3.VARIANTS, (*printed.TABLE_3["Yogi"], *printed.TABLE_3["Adam"], 24.40, 14.19), strict=True))
SYNC = {variant: printed.SYNC[name] for name, variant in sync.VARIANTS.items()}
CIFAR = {variant: printed.CIFAR[name] for name, variant in table_cifar.VARIANTS.items()}


@pytest.mark.parametrize(
    ("module", "ends"),
    [(table_1, TABLE_1), (table_3, TABLE_3), (sync, SYNC), (table_cifar, CIFAR)],
    ids=lambda value: getattr(value, "ID", ""),
)
def test_the_printed_numbers_reproduce_everything(module: Any, ends: dict[Variant, float]) -> None:
    assert set(statuses(module, table(ends)).values()) == {"reproduced"}


def test_the_printed_table_2_reproduces_everything() -> None:
    assert set(statuses(table_2, table(TABLE_2)).values()) == {"reproduced"}


def lowered(by: float, seeds: tuple[int, ...] = (0, 1, 2), **where: Any) -> Change:
    """Lower the percents of the variants and seeds that match."""

    def change(variant: Variant, seed: int) -> float:
        found = all(getattr(variant, name) == value for name, value in where.items())
        return -by if found and seed in seeds else 0.0

    return change


WORDS, TAGS, PLAYS = "words-lstm", "tags-logreg", "shakespeare-lstm"
OTHERS: list[tuple[Any, Any, str, Change, str]] = [
    (table_1, TABLE_1, "clients", lowered(20.0, client="AdaGrad"), "not reproduced"),
    (table_1, TABLE_1, "clients", lowered(20.0, task=PLAYS, server="SGD", client="AdaGrad"), "inconclusive"),
    (table_1, TABLE_1, "both", lowered(20.0, server="AdaGrad", client="AdaGrad"), "not reproduced"),
    (table_1, TABLE_1, "tags", lowered(9.0, task=TAGS, client="SGD"), "not reproduced"),
    (table_1, TABLE_1, "tags", lowered(9.0, (1,), task=TAGS, client="SGD"), "inconclusive"),
    (table_2, TABLE_2, "corrected", lowered(-9.0, correction="none"), "not reproduced"),
    (table_2, TABLE_2, "corrected", lowered(-9.0, task=WORDS, client="SGD"), "inconclusive"),
    (table_2, TABLE_2, "joint", lowered(9.0, correction="joint"), "not reproduced"),
    (table_2, TABLE_2, "hurt", lowered(9.0, task=TAGS, client="SGD"), "not reproduced"),
    (table_2, TABLE_2, "local", lowered(9.0, task=TAGS, correction="local"), "not reproduced"),
    (table_2, TABLE_2, "local", lowered(9.0, (2,), task=TAGS, correction="local"), "inconclusive"),
    (table_3, TABLE_3, "corrected", lowered(-9.0, correction="none"), "not reproduced"),
    (table_3, TABLE_3, "corrected", lowered(9.0, client="Adam", correction="local"), "inconclusive"),
    (table_3, TABLE_3, "joint", lowered(9.0, correction="joint"), "not reproduced"),
    (table_3, TABLE_3, "server", lowered(-0.6, server="Adam", client="SGD"), "not reproduced"),
    (table_3, TABLE_3, "fedavg", lowered(-6.0, server="SGD"), "not reproduced"),
    (sync, SYNC, "worse", lowered(9.0, states="restart"), "not reproduced"),
    (sync, SYNC, "worse", lowered(9.0, (0,), states="restart"), "inconclusive"),
    (table_cifar, CIFAR, "worse", lowered(9.0, client="SGD"), "not reproduced"),
    (table_cifar, CIFAR, "local", lowered(9.0, correction="local"), "not reproduced"),
]


@pytest.mark.parametrize(("module", "ends", "claim", "change", "status"), OTHERS)
def test_other_numbers_do_not(module: Any, ends: Any, claim: str, change: Change, status: str) -> None:
    assert statuses(module, table(ends, change=change))[claim] == status


def test_a_run_that_diverged_ends_at_nothing() -> None:
    rows = doctored(
        table(CIFAR), lambda row: {"status": "diverged"} if row["correction"] == "local" and row["seed"] == 1 else {}
    )
    assert statuses(table_cifar, rows)["local"] == "not reproduced"


def test_the_sheets_hold_ours_beside_the_printed() -> None:
    cells = dict(table_2.sheet(table(TABLE_2)).rows)["SO NWP (S:Adam)"]
    assert [cell.printed for cell in cells] == [24.40, 24.70, 24.81, 24.85]
    for cell in cells:  # means of three seeds, and of the second half of a curve that has nearly arrived
        assert cell.ours == pytest.approx(cell.printed, abs=0.1)
    assert dict(table_1.sheet(table(TABLE_1)).rows)["S:AdaGrad, C:SGD"][2].printed == 66.39


ENDS_2 = {v: 20.0 + 2 * (v.client == "AdaGrad") + (v.server == "AdaGrad") for v in figure_2.VARIANTS}
SPEEDS_2 = {
    v: {("SGD", "SGD"): 1.0, ("AdaGrad", "SGD"): 2.0, ("SGD", "AdaGrad"): 2.5, ("AdaGrad", "AdaGrad"): 9.0}[v[1:3]]
    * (3.0 if v.epochs == 5 and v.client == "AdaGrad" else 1.0)
    for v in figure_2.VARIANTS
}


def curves(change: Change = lambda variant, seed: 0.0, **speeds: float) -> pa.Table:
    """As the paper has them; ``speeds``: of all variants with these clients and servers, CLIENT_SERVER."""
    changed = {v: speeds.get(f"{v.client}_{v.server}", speed) for v, speed in SPEEDS_2.items()}
    return table(ENDS_2, changed, change)


def test_figure_2_as_printed() -> None:
    assert set(statuses(figure_2, curves()).values()) == {"reproduced"}


@pytest.mark.parametrize(
    ("claim", "rows", "status"),
    [
        ("local", curves(lowered(30.0, client="AdaGrad")), "not reproduced"),
        ("local", curves(AdaGrad_SGD=0.1), "inconclusive"),
        ("client_only", curves(AdaGrad_SGD=0.5), "not reproduced"),
        ("epochs", curves(lowered(25.0, epochs=5, client="AdaGrad")), "not reproduced"),
        ("both", curves(lowered(30.0, server="AdaGrad", client="AdaGrad")), "not reproduced"),
        ("four", curves(AdaGrad_AdaGrad=2.2), "not reproduced"),
    ],
)
def test_other_curves_do_not(claim: str, rows: pa.Table, status: str) -> None:
    assert statuses(figure_2, rows)[claim] == status


def test_figure_2_draws_four_means_a_panel() -> None:
    figure = figure_2.draw(drawn(curves()))
    assert [ax.get_title() for ax in figure.axes] == ["1 local epoch", "5 local epochs"]
    line = figure.axes[1].get_lines()[3]
    wanted = (23.0 + 0.01) * (1 - np.exp(-27.0 * np.arange(0, 101, 10) / 100))
    np.testing.assert_allclose(line.get_ydata(), wanted)


def cells(reaching: dict[str, int], low: float = 10.0) -> pa.Table:
    """28 cells a grid, of which so many are at 22 and one of AdaGrad's at 24.40."""
    rows = []
    for client, count in reaching.items():
        for k in range(28):
            percent = (24.40 if client == "AdaGrad" and k == 0 else 22.0) if k < count else low
            rows.append({"client": client, "gamma": -0.5 * (k % 4), "eta": -0.5 * (k // 4), "percent": percent})
    return pa.Table.from_pylist(rows)


def test_figure_3_counts_cells() -> None:
    (found,) = figure_3.findings(cells({"SGD": 2, "AdaGrad": 10}))
    assert found.status == "reproduced"
    assert found.numbers["C:SGD, of 28"] == 2 and found.numbers["C:AdaGrad, of 28"] == 10
    assert found.numbers["target"] == pytest.approx(20.0)
    assert statuses(figure_3, cells({"SGD": 6, "AdaGrad": 10}))["robust"] == "not reproduced"
    assert statuses(figure_3, cells({"SGD": 6, "AdaGrad": 10}, low=21.0))["robust"] == "not reproduced"


def test_figure_3_frames_what_reaches_the_target() -> None:
    figure = figure_3.draw(drawn(cells({"SGD": 2, "AdaGrad": 10})))
    assert [len(ax.patches) for ax in figure.axes[:2]] == [2, 10]
    assert "2 of 28" in figure.axes[0].get_title()
    texts = [text.get_text() for text in figure.axes[0].texts]
    assert len(texts) == 28 and texts.count("22.0") == 2


def rates(server_of_adagrad: float) -> pa.Table:
    """Each variant best at (-0.5, -1), the server rate of AdaGrad clients as given."""
    rows = []
    for variant in table_5.SHOWN:
        best = server_of_adagrad if variant.client == "AdaGrad" else -1.0
        for gamma in (-1.0, -0.5):
            for eta in (-2.0, -1.0, 0.0):
                percent = 20.0 if (gamma, eta) == (-0.5, best) else 10.0
                rows.append({**variant._asdict(), "gamma": gamma, "eta": eta, "percent": percent})
    return pa.Table.from_pylist(rows)


def test_table_5_compares_the_best_server_rates() -> None:
    assert statuses(table_5, rates(-1.0))["server"] == "reproduced"
    assert statuses(table_5, rates(0.0))["server"] == "reproduced"
    assert statuses(table_5, rates(-2.0))["server"] == "not reproduced"
    cells = dict(table_5.sheet(rates(0.0)).rows)["SO NWP, S:AdaGrad"]
    assert [(cell.ours, cell.printed) for cell in cells[:2]] == [("-0.5, -1", "-0.5, -1.5"), ("-0.5, 0", "-0.5, -1")]
    assert cells[2].ours is None
