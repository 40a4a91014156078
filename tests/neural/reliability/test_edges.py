"""Clients with no data, one example, one class; data that are not numbers; rates that are too large: by each engine."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import torch

import neural
from neural.data.federated import FederatedData
from neural.runs import storage
from neural.tasks import task as tasks
from neural.tasks.task import Task
from tests.helpers.neural import small
from tests.helpers.neural.reliability_tools import THOROUGH, equal, kept, whole

ENGINES = ("sequential", "batched", "workers")
SIZES = (0, 1, 20, 13, 2, 0)
RUN: dict[str, Any] = {
    "task": "edges", "method": "scaffold", "gamma": 0.05, "steps": 3, "rounds": 4, "seed": 1, "threads": 1,
}  # fmt: skip


def one_class_each(data: FederatedData) -> FederatedData:
    """Client i owns examples of class i mod 4 alone, as many as there are at most."""
    places = [torch.nonzero(data.y == i % small.CLASSES)[:, 0][: SIZES[i]] for i in range(len(SIZES))]
    offsets = torch.tensor([0, *map(len, places)]).cumsum(dim=0)
    return replace(data, order=torch.cat(places), offsets=offsets)


def edges(scale: str, seed: int, *, spoilt: str = "") -> Task:
    """Clients as above; ``spoilt``: a training example of the third client is nan or inf."""
    data = one_class_each(small.data(torch.float64, (60,)))
    assert data.sizes.tolist()[:3] == [0, 1, data.sizes[2]] and 0 < data.sizes[2]
    if spoilt:
        data.x[data.indices(2)[0], 0, 0, 0] = float(spoilt)
    return small.task("cnn", data=data, batch=6)


@pytest.fixture(autouse=True)
def registered(monkeypatch: pytest.MonkeyPatch) -> None:
    tasks.names()
    monkeypatch.setitem(tasks._FACTORIES, "edges", edges)


def test_ragged_clients_train_alike_by_each_engine(tmp_path: Path) -> None:
    ends = []
    for engine in ENGINES:
        config = {**RUN, "engine": engine} | ({"workers": 2} if engine == "workers" else {})
        result = neural.run(config, tmp_path / engine)
        assert result.manifest["status"] == "done" and result.manifest["engine"] == engine
        assert [row["round"] for row in storage.read_rows(result.folder / "rows.parquet")] == list(range(5))
        assert all(math.isfinite(value) for row in result.rows for value in row.values())
        assert result.rows[-1]["loss"] < result.rows[0]["loss"]
        assert sorted(kept(result.folder)["own"]) == [1, 2, 3, 4]  # those without examples keep nothing
        ends.append(result.state)
    for end in ends[1:]:
        torch.testing.assert_close(end["x"], ends[0]["x"], rtol=1e-10, atol=1e-10)


@pytest.mark.parametrize(
    ("engine", "change"),
    [(e, c) for e in ENGINES for c in ({"spoilt": "nan"}, {"spoilt": "inf"}, {"gamma": 1e30})][
        : None if THOROUGH else 7
    ],
    ids=str,
)
def test_what_diverges_ends_as_diverged(tmp_path: Path, engine: str, change: dict[str, Any]) -> None:
    config = {**RUN, "engine": engine, **change} | ({"workers": 1} if engine == "workers" else {})
    result = neural.run(config, tmp_path)
    assert result.manifest["status"] == "diverged" and result.manifest["rounds"] < 4
    whole(tmp_path)
    written = storage.read_rows(result.folder / "rows.parquet")
    assert [row["round"] for row in written] == list(range(result.manifest["rounds"] + 1))
    assert not math.isfinite(written[-1]["loss"]) or written[-1]["loss"] > 1e6 * written[0]["loss"]
    before = kept(result.folder)
    again = neural.run({**config, "rounds": 9}, tmp_path)
    assert again.manifest["status"] == "diverged" and len(again.rows) == len(written)
    assert equal(kept(result.folder)["rounds"], before["rounds"])


def test_rounds_of_one_client_never_draw_an_empty_one(tmp_path: Path) -> None:
    result = neural.run({**RUN, "clients_per_round": 1, "rounds": 30, "engine": "sequential"}, tmp_path)
    assert result.manifest["status"] == "done" and result.manifest["rounds"] == 30
    assert all(row["update_norm"] > 0 for row in result.rows[1:])
    whole(tmp_path)
