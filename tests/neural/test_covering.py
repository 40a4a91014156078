"""Every method on two tasks or more, every task under two methods or more, as a user would run them: `surrogate train`.

The list is drawn by a seed: tasks go round, methods go round shuffled. ``make thorough`` plays all of it on the laptop
scale, with real data where this machine has them (the scale is in the test's name); CI plays a few pairs on the
smallest scale, where nothing is read. A run must end, leave every row, and not lose what it started with.
"""

from __future__ import annotations

import json
import math
import os
import random
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from neural import tasks
from neural.data import catalogue, loading
from neural.runs import storage
from neural.tasks.family import families
from surrogate import ProblemError, methods
from surrogate.cli.main import main

THOROUGH = os.environ.get("HYPOTHESIS_PROFILE") == "thorough"
ROUNDS, STEPS = (5, 5) if THOROUGH else (2, 2)
# Rates of plain SGD: those with which tests/neural/tasks sees each task learn, or less; photographs swing at 0.05.
RATES = {"cifar10-lenet": 0.01, "autoencoder": 10.0, "shakespeare-lstm": 1.0, "words-lstm": 1.0, "tags-logreg": 100.0}
# Steps of about this length in every coordinate, whatever the gradient: methods that divide by its size.
UNIT = 0.001
SERVER_UNIT = ("fedopt-ada", "fedopt-amsgrad", "fedopt-yogi", "central-ada", "fedda-ada", "fedadam")
SERVER_RATE = ("fedda-sgdm",)  # its server goes along sums of gradients
CLIENT_UNIT = ("local-ada", "local-amsgrad", "local-yogi", "fed-ams", "fed-lamb", "fedlada", "fedlocal")
OURS: dict[str, dict[str, Any]] = {  # beyond what a method requires, or other than the above
    "fed-ams": {"eps": 0.1},  # its root is 0 in the first round, and 1e-8 would stand alone below the line
    "maml": {"report": True},
    "local-update-decay": {"window": 2, "patience": 1, "cooldown": 0},
}
MINE = """
import torch
from surrogate import methods

def halfway(ops, *, gamma, steps):
    d = 28 * 28 * 10 + 10
    values = torch.linspace(0.5, 1, d)
    P = torch.sparse_coo_tensor(torch.arange(d).repeat(2, 1), values, (d, d), check_invariants=True)
    return methods.build("preconditioned", ops=ops, gamma=gamma, steps=steps, P=P)
"""


def pairs() -> list[tuple[str, str]]:
    """(task, method): two turns round the shuffled methods while tasks go round, and what tasks still lack."""
    chance, T = random.Random(4), tasks.names()
    found: set[tuple[str, str]] = set()
    for turn in range(2):
        shuffled = chance.sample(methods.names(), len(methods.names()))
        for place, method in enumerate(shuffled):
            free = ("quadratic", "mnist-logreg") if method == "preconditioned" else T
            k = place + turn
            while (free[k % len(free)], method) in found:
                k += 1
            found.add((free[k % len(free)], method))
    missing = Counter({task: 2 for task in T}) - Counter(task for task, _ in found)
    for task in missing.elements():
        found.add(next((task, name) for name in methods.names() if (task, name) not in found))
    return sorted(found)


PAIRS = pairs()


def scale_of(task: str) -> str:
    """The laptop's where its data are on this machine."""
    if task == "quadratic":
        return "laptop"
    try:
        loading.route(catalogue.find(families()[task].sources["laptop"].name))
    except ProblemError:
        return "smoke"
    return "laptop"


def of_ones_own(folder: Path) -> str:
    """A method in a user's file: no list in a TOML file holds a matrix with a row a parameter of a network."""
    (folder / "mine.py").write_text(MINE, encoding="utf-8")
    return f"{folder / 'mine.py'}:halfway"


def settings_of(task: str, method: str) -> dict[str, Any]:
    """What the method requires, with rates that suit the task."""
    rate = RATES.get(task, 0.05)
    sums = methods.describe(method).sends == "gradients" or method in SERVER_RATE
    given = {
        "steps": STEPS,
        "gamma": UNIT if method.startswith(CLIENT_UNIT) else rate,
        "eta": UNIT if method.startswith(SERVER_UNIT) else rate if sums else 1.0,
        "theta": f"sum({STEPS})",
        "mu": 0.1,
        "optimizer": "adam",
        "P": [[0.5 + k / 10 if j == k else 0.0 for j in range(5)] for k in range(5)],
        **OURS.get(method, {}),
    }
    if method == "fedprox":
        return {name: given[name] for name in ("mu", "gamma", "steps")}
    asked = methods.describe(method).settings
    return {name: given[name] for name, default in asked.items() if str(default) == "required"} | OURS.get(method, {})


def test_the_list_covers() -> None:
    by_task, by_method = (Counter(pair[k] for pair in PAIRS) for k in (0, 1))
    assert set(by_task) == set(tasks.names()) and min(by_task.values()) >= 2
    assert set(by_method) == set(methods.names()) and min(by_method.values()) >= 2


CASES = [(*pair, scale_of(pair[0]) if THOROUGH else "smoke") for pair in (PAIRS if THOROUGH else PAIRS[::6])]


@pytest.mark.parametrize(("task", "method", "scale"), CASES, ids=lambda value: value)
def test_it_trains(task: str, method: str, scale: str, tmp_path: Path) -> None:
    settings, called, keys = settings_of(task, method), method, {}
    if method == "preconditioned" and task != "quadratic":
        settings.pop("P")
        called, keys = of_ones_own(tmp_path), {"engine": "sequential"}  # no other takes a sparse matrix
    keys |= {"rounds": ROUNDS, "scale": scale, "clients_per_round": 4, "eval_clients": 10, "threads": 1}
    keys |= {f"method.{name}": value for name, value in settings.items()}
    if task != "quadratic" and scale != "smoke":
        keys |= {"task.limit": 1000}
    if not THOROUGH:
        keys |= {"engine": "sequential"}
    said = [f"{name}={value if isinstance(value, str) else json.dumps(value)}" for name, value in keys.items()]
    command = ["train", "--task", task, "--method", called, "--out", str(tmp_path / "runs")]
    assert main([*command, *(part for text in said for part in ("--set", text))]) == 0
    (folder,) = (tmp_path / "runs").iterdir()
    manifest, rows = storage.read_manifest(folder / "manifest.json"), storage.read_rows(folder / "rows.parquet")
    assert manifest["status"] == "done" and manifest["rounds"] == ROUNDS
    assert [row["round"] for row in rows] == list(range(ROUNDS + 1))
    assert all(math.isfinite(value) for row in rows for value in row.values())
    measured = {"loss"} | ({"mse", "accuracy", "recall_at_5"} & set(rows[0]))
    assert all(measured <= set(row) for row in rows) and len(measured) == 1 + (task != "quadratic")
    assert all(row["update_norm"] > 0 and ("loss_adapted" in row) is (method == "maml") for row in rows[1:])
    assert rows[-1]["loss"] < 1.1 * rows[0]["loss"]
