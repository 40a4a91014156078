"""Curves out of tables: seeds together, diverged ones marked, rounds to a target."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from figures import curves, series, style
from figures.training import Trained


def run(gamma: float, seed: int, losses: list[float], status: str = "done") -> Trained:
    rows: list[dict[str, Any]] = [{"round": 10 * k, "loss": loss, "seconds": 1.0} for k, loss in enumerate(losses)]
    rows.insert(1, {"round": 5, "update_norm": 1.0})  # a round that did not measure the loss
    return Trained({"gamma": gamma, "seed": seed}, rows, status, "synthetic")


RUNS = [
    run(0.1, 0, [4.0, 2.0, 1.0]),
    run(0.1, 1, [4.0, 4.0, 3.0]),
    run(9.0, 0, [4.0, 50.0, math.inf], "diverged"),
]


@pytest.fixture
def rows() -> pa.Table:
    return pa.table(series.long(RUNS, ("gamma", "seed", "momentum"), ("loss",)))


def test_a_row_a_run_and_measured_round(rows: pa.Table) -> None:
    assert rows["round"].to_pylist() == [0, 10, 20, 0, 10, 20, 0, 10]
    assert rows["status"].to_pylist()[-1] == "diverged" and rows["momentum"].to_pylist() == [0] * 8
    assert series.values(rows, "gamma") == [0.1, 9.0]


def test_seeds_are_put_together(rows: pa.Table) -> None:
    found = series.curve(rows, "loss", gamma=0.1)
    assert found.rounds.tolist() == [0, 10, 20]
    assert found.mean.tolist() == [4.0, 3.0, 2.0]
    assert found.low.tolist() == [4.0, 2.0, 1.0] and found.high.tolist() == [4.0, 4.0, 3.0]
    assert found.ends == [1.5, 3.5] and found.end == 2.5  # of a short run the second half
    assert found.smoothed(2).mean.tolist() == [4.0, 3.5, 2.5]


def test_a_seed_that_diverged_ends_at_infinity(rows: pa.Table) -> None:
    found = series.curve(rows, "loss", gamma=9.0)
    assert found.diverged == 1 and found.end == math.inf and found.mean.tolist() == [4.0, 50.0]


def test_a_setting_that_is_not_there_is_named(rows: pa.Table) -> None:
    with pytest.raises(LookupError, match="gamma"):
        series.curve(rows, "loss", gamma=0.2)


def test_seeds_of_different_lengths_share_their_rounds() -> None:
    rows = pa.table(series.long([run(1.0, 0, [3.0, 2.0]), run(1.0, 1, [3.0, 2.0, 1.0])], ("gamma", "seed"), ("loss",)))
    assert series.curve(rows, "loss").rounds.tolist() == [0, 10]


def test_the_last_hundred_rounds_rank() -> None:
    assert series.tail(range(0, 401, 10), [9.0] * 30 + [1.0] * 11) == 1.0
    assert series.tail([0], [7.0]) == 7.0


def test_rounds_to_a_target() -> None:
    assert series.rounds_to([0, 5, 9], [0.1, 0.6, 0.5], 0.5, "max") == 4, "between measurements"
    assert series.rounds_to([0, 5, 9], [0.1, 0.6, 0.5], 0.6, "max") == 5
    assert series.rounds_to([0, 5], [0.5, 1.0], 0.4, "max") == 0
    assert series.rounds_to([0, 5], [3.0, 2.0], 1.0) == math.inf
    assert math.isnan(series.rounds_to([0, 5], [3.0, math.nan], 1.0))


def test_a_trained_run_gives_its_series() -> None:
    rounds, values = RUNS[2].series("loss")
    assert rounds.tolist() == [0, 10] and values.tolist() == [4.0, 50.0]
    assert RUNS[0].series("accuracy")[0].size == 0


def test_a_line_is_the_mean_and_the_band_the_range(rows: pa.Table) -> None:
    from matplotlib import pyplot

    figure, ax = pyplot.subplots()
    drawn = curves.line(ax, series.curve(rows, "loss", gamma=0.1), {"color": "black"}, "both")
    assert drawn.get_ydata().tolist() == [4.0, 3.0, 2.0] and drawn.get_label() == "both"
    (band,) = ax.collections
    corners = {tuple(point) for point in band.get_paths()[0].vertices.tolist()}
    assert {(10.0, 2.0), (10.0, 4.0), (20.0, 1.0), (20.0, 3.0)} <= corners
    curves.line(ax, series.curve(rows, "loss", gamma=9.0), {"color": "black"})
    assert len(ax.collections) == 1  # one seed has no band
    pyplot.close(figure)


def test_methods_of_a_paper_look_different() -> None:
    names = [f"method {k}" for k in range(20)]
    found = curves.looks(names)
    assert len({str(look) for look in found.values()}) == 20
    assert curves.looks(names[:3]) == {name: found[name] for name in names[:3]}
    assert list(curves.ranked([0.1, 1.0])) == [0.1, 1.0]


def test_the_footer_names_scale_and_stand_in_data() -> None:
    notes = {
        "scale": "laptop",
        "data": '{"a": "stand-in: drawings, 0123456789ab", "b": "stand-in: drawings, 0123456789ab"}',
    }
    rows = pa.table({"x": [1]}).replace_schema_metadata(notes)
    assert style.provenance(rows) == "Scale: laptop. a, b: stand-in: drawings."
    lines = style.wrapped("word " * 200, 5.0).splitlines()
    assert len(lines) > 3 and max(map(len, lines)) <= np.floor(5 * 72 / (0.53 * style.FOOTER))
