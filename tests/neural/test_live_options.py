"""No option is idle: each, changed alone, changes what a run as the user gives it ends with."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import torch

from neural.runs.config import Config
from neural.runs.run import run

LOGREG = {"task": "mnist-logreg", "clients_per_round": 3, "steps": 3, "gamma": 0.1}
MLP = LOGREG | {"task": "mnist-mlp", "run.batch": 8, "hidden": 16}
LENET = LOGREG | {"task": "cifar10-lenet", "run.batch": 4, "filters": [4, 4], "dense": 16, "steps": 2}
EMNIST = LOGREG | {"task": "emnist-cnn", "run.batch": 4, "steps": 2}
RESNET = LOGREG | {"task": "cifar10-resnet18", "run.batch": 4, "steps": 1, "width": 4}

CASES: list[tuple[dict[str, Any], dict[str, Any]]] = [
    (LOGREG, {"weight_decay": 0.1}),
    (LOGREG, {"gamma_schedule": {"kind": "decay", "factor": 0.5}}),
    (LOGREG, {"gamma_schedule": {"kind": "steps", "at": [1], "factor": 0.1}}),
    (LOGREG | {"eta": 1.0}, {"eta_schedule": {"kind": "decay", "factor": 0.5}}),
    (LOGREG, {"full_batch_from": 1}),
    (LOGREG, {"epochs": 2, "steps": None}),
    (LOGREG, {"run.batch": 7}),
    (LOGREG, {"sampling": "iid"}),
    (LOGREG, {"seed": 5}),
    (LOGREG, {"task_seed": 5}),
    (LOGREG, {"reallot": "iid"}),
    (LOGREG, {"split": "one_class"}),
    (LOGREG | {"split": "dirichlet", "alpha": 0.3}, {"alpha": 30.0}),
    (MLP, {"dropout": 0.0}),
    (MLP, {"hidden": 8}),
    (EMNIST, {"model": "fedda"}),
    (EMNIST, {"width": 0.25}),
    (LENET, {"activation": "gelu"}),
    (LENET, {"activation": "smu"}),
    (LENET, {"augment": "none"}),
    (LENET, {"augment": "crop24"}),
    (RESNET, {"stem": "7x7"}),
]


def end(keys: dict[str, Any], out: Path) -> torch.Tensor:
    """The parameters after two rounds on the smallest scale."""
    given = {key: value for key, value in keys.items() if value is not None}
    fixed = {"method": "fedavg", "scale": "smoke", "rounds": 2, "engine": "sequential", "eval_every": 0}
    x: torch.Tensor = run(Config.of(given | fixed), out).state["x"]
    return x


def name_of(value: Any) -> str:
    return "-".join(f"{k}={v}" for k, v in value.items() if v is not None and k not in LOGREG) if value else ""


@pytest.mark.parametrize(("keys", "changed"), CASES, ids=[f"{k['task']}-{name_of(c)}" for k, c in CASES])
def test_it_changes_the_end(keys: dict[str, Any], changed: dict[str, Any], tmp_path: Path) -> None:
    one, other = end(keys, tmp_path / "as it was"), end(keys | changed, tmp_path / "changed")
    assert torch.isfinite(other).all()
    assert one.shape != other.shape or not torch.equal(one, other)


def test_without_a_change_the_end_is_the_same(tmp_path: Path) -> None:
    assert torch.equal(end(MLP, tmp_path / "one"), end(MLP, tmp_path / "other"))


def test_weight_decay_is_w_times_the_parameters(tmp_path: Path) -> None:
    """From a start x_0 (drawn), one step: x_1 = x_0 - gamma (g + w x_0), so two decays differ by gamma w x_0."""
    keys = MLP | {"dropout": 0.0, "steps": 1, "gamma": 0.5}
    fixed = {"method": "fedavg", "scale": "smoke", "engine": "sequential", "eval_every": 0}
    start = run(Config.of(keys | fixed | {"rounds": 0}), tmp_path / "start").state["x"]
    plain, decayed = (
        run(Config.of(keys | fixed | {"rounds": 1, "weight_decay": w}), tmp_path / str(w)).state["x"] for w in (0, 0.2)
    )
    torch.testing.assert_close(plain - decayed, 0.5 * 0.2 * start, rtol=1e-4, atol=1e-6)
