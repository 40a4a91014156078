"""Numbers next to 0 are 0 while a run computes, and nowhere else."""

from __future__ import annotations

import sys
from contextlib import nullcontext

import pytest
import torch

from neural import tasks
from neural.engine import Settings, loop
from neural.engine.flush_denormals import flush_denormals
from neural.engine.loop import train
from neural.engine.scheduled_method import ScheduledMethod
from tests.helpers.needs import lacking


def lost() -> bool:
    """Whether half of the smallest normal number is 0, for Python and for torch."""
    python, torchs = sys.float_info.min / 2 == 0, bool(torch.tensor(sys.float_info.min, dtype=torch.float64) / 2 == 0)
    assert python == torchs
    return python


@pytest.fixture(autouse=True)
def as_before() -> None:
    if not torch.set_flush_denormal(False):
        lacking("this processor has no such switch")
    assert not lost()


def test_only_inside_and_put_back_after_an_error() -> None:
    with flush_denormals():
        assert lost()
        with flush_denormals():
            assert lost()
        assert lost(), "who had it before keeps it"
    assert not lost()
    with pytest.raises(ValueError), flush_denormals():
        raise ValueError
    assert not lost()


def states(engine: str) -> list[torch.Tensor]:
    """Models along two rounds from 0, with a rate so small that every step from there is next to 0."""
    recipe, found = ScheduledMethod("fedavg", {"gamma": 1e-310, "steps": 1}), []
    task = tasks.build("quadratic", n=4, d=3)
    for report in train(task, recipe, Settings(workers=2, eval_every=1), 2, engine=engine, device="cpu"):
        assert not lost()
        found.append(report.position.state["x"])
    return found


@pytest.mark.parametrize("engine", ["sequential", "inplace", "batched", "workers"])
def test_a_run_computes_so_and_who_reads_its_rows_does_not(engine: str, monkeypatch: pytest.MonkeyPatch) -> None:
    start, *rest = states(engine)
    assert all(torch.equal(x, start) for x in rest) and not start.any()
    if engine != "workers":  # whose processes have no part in this
        monkeypatch.setattr(loop, "flush_denormals", nullcontext)
        start, *rest = states(engine)
        assert all(x.any() for x in rest)
