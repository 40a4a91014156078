"""What methods of a user's file are given: the layers of the model, in every engine; and what is no configuration."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import torch

import neural
from neural.flat import Flat
from neural.tasks import task as tasks
from surrogate.kit.errors import ProblemError

METHOD = """
from surrogate.methods.registry import Parts

def by_layer(ops, *, gamma, layers=None):
    '''A step of length gamma a layer, and the first entries of all layers counted in its state.'''
    def local(shared, own, client, i):
        x, g = shared["x"], client(shared["x"], 0)
        moved = 0 * g
        for layer in layers or [slice(None)]:
            moved[..., layer] = gamma * g[..., layer] / ops.norm(g[..., layer])
        return {"delta": moved}, own

    def update(state, message, drawn, clients):
        return {"x": state["x"] - message["delta"], "layers": state["layers"]}

    return Parts(lambda x: {"x": x, "layers": 0 * x[..., :1] + len(layers or [])}, local, update)
"""
KEYS: dict[str, Any] = {"scale": "smoke", "gamma": 0.5, "rounds": 1, "clients_per_round": 1, "threads": 1}


@pytest.fixture
def method(tmp_path: Path) -> str:
    file = tmp_path / "mine.py"
    file.write_text(METHOD)
    return f"{file}:by_layer"


@pytest.mark.parametrize("engine", ["sequential", "batched", "workers"])
def test_a_layerwise_method_is_given_the_layers_of_the_model(method: str, engine: str, tmp_path: Path) -> None:
    """One client and one round: each layer has moved by gamma."""
    workers = 2 if engine == "workers" else 1
    keys = {**KEYS, "task": "mnist-mlp", "hidden": 4, "method": method, "engine": engine, "workers": workers}
    layers = Flat(tasks.build("mnist-mlp", "smoke", hidden=4).model()).layers
    start, end = (neural.run({**keys, "rounds": rounds}, tmp_path / str(rounds)).state for rounds in (0, 1))
    assert int(end["layers"]) == len(layers) > 1
    moved = [float(torch.linalg.vector_norm((end["x"] - start["x"])[layer])) for layer in layers]
    assert moved == pytest.approx([0.5] * len(layers), rel=1e-5)


def test_a_model_of_one_layer_has_none(method: str, tmp_path: Path) -> None:
    state = neural.run({"task": "quadratic", "method": method, "gamma": 0.5, "rounds": 1}, tmp_path).state
    assert int(state["layers"]) == 0


@pytest.mark.parametrize("schedule", [None, {"kind": "decay", "factor": 0.999}])
def test_a_method_that_is_edited_goes_on_as_it_began(method: str, schedule: Any, tmp_path: Path) -> None:
    """With a schedule, the method is built anew at each change of rate."""
    file = Path(method.rpartition(":")[0])
    keys = {"task": "quadratic", "method": method, "gamma": 0.1, "rounds": 8, "gamma_schedule": schedule}

    def edit(row: Any) -> None:
        if row["round"] == 4:
            file.write_text(METHOD.replace('state["x"] - ', 'state["x"] + '))

    rows = [
        [row["loss"] for row in neural.run(keys, tmp_path / name, each=each).rows]
        for name, each in (("plain", lambda row: None), ("edited", edit))
    ]
    assert rows[0] == rows[1]
    assert len(list(tmp_path.glob("edited/*"))) == 1
    neural.run(keys, tmp_path / "edited")
    assert len(list(tmp_path.glob("edited/*"))) == 2, "an edited method is another run"


@pytest.mark.parametrize("given", ["quadratic", None, ["task", "quadratic"], Path("run.toml")])
def test_what_is_no_table_is_no_configuration(given: Any, tmp_path: Path) -> None:
    with pytest.raises(ProblemError, match=r"expected a table of keys(.|\n)*pass \{.task"):
        neural.run(given, tmp_path)
    assert not list(tmp_path.iterdir())
