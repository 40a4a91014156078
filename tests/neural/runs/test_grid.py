"""Grids: every combination once, settings of each method's own, and whatever cannot be meant refused."""

from __future__ import annotations

import tomllib
from typing import Any

import pytest

from neural.runs.grid import Trial, expand
from surrogate.kit.errors import ProblemError

COMMON = """
rounds = 5
[task]
name = "quadratic"
[method]
steps = 3
"""


def trials(text: str, common: str = COMMON) -> list[Trial]:
    return expand(tomllib.loads(common + text))


def settings(found: list[Trial]) -> list[tuple[Any, ...]]:
    return [(t.config.method, t.config.run.get("seed", 0), *sorted(t.config.settings.items())) for t in found]


def test_a_table_of_lists_is_every_combination_in_its_order() -> None:
    found = trials('[grid]\nmethod = ["fedavg", "lookahead"]\ngamma = [0.1]\neta = [1.0]\nseed = [0, 1]')
    same = (("eta", 1.0), ("gamma", 0.1), ("steps", 3))
    assert settings(found) == [(name, seed, *same) for name in ("fedavg", "lookahead") for seed in (0, 1)]
    assert [t.point["seed"] for t in found] == [0, 1, 0, 1] and len({t.folder for t in found}) == 4


def test_each_method_has_rates_of_its_own() -> None:
    found = trials(
        """
        [grid]
        seed = [0, 1]
        [[grid.method]]
        name = "fedavg"
        gamma = [0.1, 0.2]
        [[grid.method]]
        name = "reptile"
        gamma = 0.3
        eta = [0.5, 1.0]
        eval_every = 2
        """
    )
    each = [
        ("fedavg", ("gamma", 0.1)), ("fedavg", ("gamma", 0.2)), ("reptile", ("eta", 0.5), ("gamma", 0.3)),
        ("reptile", ("eta", 1.0), ("gamma", 0.3)),
    ]  # fmt: skip
    assert settings(found) == [(name, seed, *rest, ("steps", 3)) for seed in (0, 1) for name, *rest in each]
    assert [t.config.run.get("eval_every") for t in found[:4]] == [None, None, 2, 2]
    assert found[2].point == {"seed": 0, "method": "reptile", "gamma": 0.3, "eta": 0.5, "eval_every": 2}
    assert len({t.folder for t in found}) == 8


def test_settings_of_one_name_have_columns_of_their_own() -> None:
    """Else runs on two splits would be averaged as if they were two seeds."""
    given = {
        "task": "mnist-logreg",
        "scale": "smoke",
        "split": "dirichlet",
        "method": "fedcm",
        "gamma": 0.1,
        "steps": 2,
    }
    grid = {"task.alpha": [0.05, 50.0], "method.alpha": [0.1, 0.9]}
    points = [trial.point for trial in expand({**given, "grid": grid})]
    assert points == [{"task.alpha": a, "method.alpha": b} for a in (0.05, 50.0) for b in (0.1, 0.9)]
    assert [trial.point for trial in expand({**given, "task.alpha": 1.0, "grid": {"method.alpha": [0.5]}})] == [
        {"alpha": 0.5}
    ]


def test_several_grids_follow_one_another() -> None:
    found = trials('[[grid]]\nmethod = ["fedavg"]\ngamma = [0.1, 0.2]\n[[grid]]\nmethod = ["fedavg"]\ngamma = [0.5]')
    assert [t.config.settings["gamma"] for t in found] == [0.1, 0.2, 0.5]


def test_tasks_have_options_of_their_own() -> None:
    method = '[method]\nname = "fedavg"\ngamma = 0.1\nsteps = 2\n'
    found = trials('[grid]\n[[grid.task]]\nname = "quadratic"\nn = [3, 4]\nmu = 0.5', method)
    assert [t.config.options for t in found] == [{"n": 3, "mu": 0.5}, {"n": 4, "mu": 0.5}]


@pytest.mark.parametrize("spelled", ["steps", '"method.steps"'])
def test_the_grid_stands_over_what_is_common(spelled: str) -> None:
    found = trials(f'[grid]\nmethod = ["fedavg"]\ngamma = [0.1]\n{spelled} = [7, 8]')
    assert [t.config.settings["steps"] for t in found] == [7, 8]
    assert [t.point["steps"] for t in found] == [7, 8]


def test_settings_that_are_lists_or_tables_stand_in_a_list() -> None:
    text = '[grid]\nmethod = ["fedavg"]\ngamma = [0.1]\ngamma_schedule = [{kind = "decay", factor = 0.9}]'
    (found,) = trials(text)
    assert found.config.gamma_schedule == {"kind": "decay", "factor": 0.9}


@pytest.mark.parametrize(
    "text, named",
    [
        ('[grid]\nmethod = ["fedavg"]\ngama = [0.1]', "gama"),
        ('[grid]\nmethod = ["reptile"]\ngamma = [0.1]', "eta of reptile is missing"),
        ('[grid]\nmethod = ["fedavg"]\ngamma = []', "none empty"),
        ('[grid]\nmethod = ["fedavg"]\ngamma = 0.1', "none empty"),
        ("", "a sweep without a grid"),
        ("[[grid.method]]\ngamma = [1]", "name in"),
        ('[[grid.method]]\nname = "fedavg"\npatience = [1]\ngamma = [0.1]', "'patience'"),
        ('[grid]\nmethod = ["fedavg"]\ngamma = [0.1]\nrounds = [5, 6]', "which are one run"),
        ('[grid]\ngamma = [0.1]\n[[grid.method]]\nname = "fedavg"\ngamma = [0.2]', "given twice"),
        ('[grid]\nmethod = ["fedavg"]\ngamma = [0.1, 0.1]', "which are one run"),
    ],
)
def test_what_cannot_be_meant_is_refused_before_anything_runs(text: str, named: str) -> None:
    with pytest.raises(ProblemError, match=named):
        trials(text)
