"""The plain loop is right: our engines end where it ends; and every benchmark of the suite runs."""

from __future__ import annotations

import sys

import pytest
import torch

from benchmarks import neural as suite
from surrogate.cli.main import main


@pytest.mark.parametrize("engine", ["sequential", "inplace", "batched"])
@pytest.mark.parametrize("name", ["mnist-logreg", "mnist-mlp", "emnist-cnn", "emnist-cnn fedda"])
def test_engines_end_where_the_plain_loop_ends(name: str, engine: str) -> None:
    """In float64, to rounding, dropout included."""
    task = suite.made_up(name, "smoke", torch.float64, **({"model": "fedda"} if "fedda" in name else {}))
    with suite.rivals(task, engine, clients=2, steps=3) as both:
        torch.testing.assert_close(both["ours"](), both["plain"](), rtol=1e-10, atol=1e-10)


@pytest.mark.parametrize("name", ["laptop", "default"])
def test_benchmarks_run_at_reduced_size(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    few = ("autoencoder", "mnist-logreg", "quadratic", "tags-logreg", "words-lstm")
    monkeypatch.setattr(suite, "LAPTOP", {task: figure for task, figure in suite.LAPTOP.items() if task in few})
    monkeypatch.setattr("neural.tasks.names", lambda: few)
    results = suite.BENCHMARKS[name](True)
    assert {result.name.endswith("error") for result in results} == {True, False}
    for result in results:
        assert result.value >= 0 and result.measures
        assert result.met or not result.name.endswith("error")


def test_a_round_of_what_memory_is_measured_on(capsys: pytest.CaptureFixture[str]) -> None:
    suite.cnn_alone(1, 1)
    suite.many_clients(20, 1)
    assert capsys.readouterr().out == ""  # the peak is the one thing that the process prints


def test_without_torch_the_other_suites_are_there(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "torch", None)
    monkeypatch.delitem(sys.modules, "benchmarks.neural")
    monkeypatch.delitem(sys.modules, "benchmarks.neural_reference")
    assert main(["bench", "--list"]) == 0
    heard = capsys.readouterr()
    assert "exact.sweep" in heard.out and "neural." not in heard.out and "needs torch" in heard.err
