"""Numbers past float64, sizes past memory and folders that cannot be made are refused with status 2."""

from __future__ import annotations

from pathlib import Path

import pytest

from surrogate import ProblemError
from surrogate.cli.main import main
from surrogate.kit import checks
from surrogate.populations import random_population

TRAIN = ["train", "--task", "quadratic", "--method"]
FEDAVG = [*TRAIN, "fedavg", "--set", "steps=2", "--set", "rounds=1"]


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["gamma=1e400"], "gamma is inf"),
        (["gamma=0.1", "eta=-1e400"], "eta is -inf"),
        (["gamma=0.1", "weight_decay=nan"], "weight_decay is nan"),
        (["gamma=0.1", "seed=1" + "0" * 400], "seed is 1000"),
        (["gamma=[0.1, 1e400]", "n=2"], "gamma is inf"),
        (['gamma_schedule={kind = "step", every = 1e400}', "gamma=0.1"], "gamma_schedule is inf"),
    ],
)
def test_training_takes_no_number_past_float64(
    options: list[str], said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    given = [word for option in options for word in ("--set", option)]
    assert main([*FEDAVG, *given, "--out", str(tmp_path / "out")]) == 2
    assert said in capsys.readouterr().err and not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    "options",
    [
        ["--steps", "2", "--gamma", "1/10", "--eta", "1e400"],
        ["--steps", "2", "--gamma", "1e400"],
        ["--steps", "2", "--gamma", "1/10,1e400,1"],
        ["--steps", "2", "--gamma", "1/10", "--method", "fedprox", "--set", "mu=1e400"],
    ],
)
def test_toys_in_floats_take_none_and_exact_ones_do(options: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["toy", "plane", *options]) == 2
    assert "compute with --exact" in capsys.readouterr().err
    assert main(["toy", "plane", *options, "--exact"]) == 0


def test_no_weight_of_a_step_is_past_float64(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["toy", "plane", "--gamma", "1/10", "--theta", "1,1e400"]) == 2
    assert "expected a finite number" in capsys.readouterr().err


@pytest.mark.parametrize(("size", "said"), [("n=100000000", "100,000,000 clients in 5"), ("d=100000000", "GiB")])
def test_training_refuses_clients_that_no_memory_holds(
    size: str, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*FEDAVG, "--set", "gamma=0.1", "--set", size, "--out", str(tmp_path)]) == 2
    told = capsys.readouterr().err
    assert said in told and "GiB of memory, expected at most" in told


@pytest.mark.parametrize("exact", [False, True])
def test_memory_is_asked_for_before_anything_is_allocated(exact: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ProblemError, match=r"about .* GiB of memory"):
        random_population(1, 10**9, 10**9, exact=exact)
    monkeypatch.setattr(checks, "_physical", lambda: 1e5)
    assert random_population(1, 5, 4, exact=exact).n == 5
    with pytest.raises(ProblemError, match="100 clients in 20 dimensions"):
        random_population(1, 100, 20, exact=exact)


def test_a_task_that_does_not_fit_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    from neural.runs import plugins

    def full(*_: object, **__: object) -> None:
        raise MemoryError("Unable to allocate 29.8 GiB")

    monkeypatch.setattr(plugins.tasks, "build", full)
    with pytest.raises(ProblemError, match=r"more than memory holds \(Unable to allocate 29\.8 GiB\)"):
        plugins.task("mnist-logreg", "smoke", 0, {"clients": 10**8})


@pytest.mark.parametrize("verb", [["report"], ["report", "--bundle", "OLR.C22"], ["figures", "OLR.F1"]])
@pytest.mark.parametrize("place", ["taken", "taken/below"])
def test_a_folder_that_cannot_be_made_is_refused(
    verb: list[str], place: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "taken").write_text("a file")
    assert main([*verb, "--out", str(tmp_path / place)]) == 2
    assert "expected a folder that can be written" in capsys.readouterr().err
