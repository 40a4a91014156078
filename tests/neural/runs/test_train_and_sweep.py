"""`surrogate train` and `surrogate sweep` as a user calls them, with files of the user's own."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import pytest

import neural
from neural.runs import storage
from neural.runs.config import Config, flat
from neural.runs.key import folder_name
from surrogate.cli.main import main
from surrogate.kit.errors import ProblemError

METHOD = """
from surrogate.methods.registry import Parts

def halved(ops, *, gamma, steps):
    '''Local gradient descent, of which the server takes half.'''
    def local(shared, own, client, t):
        y = shared["x"]
        for k in range(steps):
            y = y - gamma * client(y, k)
        return {"delta": shared["x"] - y}, own

    def update(shared, message, drawn, clients):
        return {"x": shared["x"] - FACTOR * message["delta"]}

    return Parts(lambda x: {"x": x}, local, update)
"""
TASK = """
import torch
from torch import nn
from neural.data.federated import FederatedData
from neural.tasks.task import Task

def squared(outputs, y):
    return ((outputs - y) ** 2).sum(dim=-1)

def line():
    return nn.Linear(2, 1)

def lines(scale, seed, *, slope=1.0):
    '''Points on a line.'''
    random = torch.Generator().manual_seed(seed)
    x = torch.randn(40, 2, generator=random)
    y = slope * x.sum(dim=-1, keepdim=True)
    order, offsets = torch.arange(30), torch.tensor([0, 10, 10, 30])
    data = FederatedData("lines", "made up", x[:30], y[:30], order, offsets, x[30:], y[30:], None)
    return Task(name="lines", data=data, model=line, loss=squared, batch=5, scale=scale)
"""


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "my_method.py").write_text(METHOD.replace("FACTOR", "0.5"))
    (tmp_path / "my_task.py").write_text(TASK)
    return tmp_path


def said(capsys: pytest.CaptureFixture[str], *arguments: str, status: int = 0) -> str:
    assert main(list(arguments)) == status
    heard = capsys.readouterr()
    return heard.out if status == 0 else heard.err


QUADRATIC = ["--task", "quadratic", "--method", "fedavg", "--set", "gamma=0.1", "--set", "steps=3"]


def test_train_prints_writes_and_resumes(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = said(capsys, "train", *QUADRATIC, "--set", "rounds=6", "--log", "tensorboard")
    lines = text.splitlines()
    assert [line.split()[1] for line in lines[:-1]] == [str(t) for t in range(7)]
    assert lines[-1].startswith("done after 6 rounds: out/runs/quadratic-fedavg-")
    folder = Path(lines[-1].split()[-1])
    assert len(storage.read_rows(folder / "rows.parquet")) == 7 and list((folder / "tensorboard").iterdir())
    text = said(capsys, "train", *QUADRATIC, "--set", "rounds=8")
    assert [line.split()[:2] for line in text.splitlines()[:2]] == [["resumed", "after"], ["round", "7"]]
    assert said(capsys, "train", *QUADRATIC, "--set", "rounds=8").splitlines() == [f"done after 8 rounds: {folder}"]


def test_train_reads_a_file_and_set_stands_over_it(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (here / "run.toml").write_text(
        'rounds = 3\ntask = "quadratic"\n[method]\nname = "fedavg"\ngamma = 0.1\nsteps = 2\n[run]\nseed = 5\n'
    )
    folder = Path(said(capsys, "train", "run.toml", "--set", "method.gamma=0.2", "--set", "n=3").split()[-1])
    config = storage.read_manifest(folder / "manifest.json")["config"]
    assert (config["method"]["gamma"], config["task"]["n"], config["seed"], config["rounds"]) == (0.2, 3, 5, 3)


def test_a_method_of_the_users(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    mine = ["train", "--task", "quadratic", "--method", "my_method.py:halved", "--set", "gamma=0.1", "--set", "steps=3"]
    folder = Path(said(capsys, *mine, "--set", "rounds=5").split()[-1])
    same = neural.run(
        {"task": "quadratic", "method": "fedavg", "gamma": 0.1, "steps": 3, "eta": 0.5, "rounds": 5}, "same"
    )
    losses = [row["loss"] for row in storage.read_rows(folder / "rows.parquet")]
    assert losses == pytest.approx([row["loss"] for row in same.rows], rel=1e-12)
    (here / "my_method.py").write_text(METHOD.replace("FACTOR", "0.25"))
    changed = Path(said(capsys, *mine, "--set", "rounds=5").split()[-1])
    assert changed != folder and changed.exists()  # another method: a run of its own
    assert "'eta'" in said(capsys, *mine, "--set", "eta=1.0", status=2)


@pytest.mark.parametrize("engine", ["sequential", "batched", "workers"])
def test_a_task_of_the_users_in_every_engine(here: Path, engine: str) -> None:
    config = {"task": "my_task.py:lines", "method": "my_method.py:halved", "gamma": 0.05, "steps": 4, "rounds": 4}
    result = neural.run({**config, "engine": engine, "workers": 2 if engine == "workers" else 1}, engine)
    assert result.manifest["engine"] == engine
    assert result.folder.name.startswith("lines-halved-")
    plain = neural.run({**config, "engine": "sequential"}, "plain")
    assert [row["loss"] for row in result.rows] == pytest.approx([row["loss"] for row in plain.rows], rel=1e-5)
    assert result.rows[-1]["loss"] < 0.7 * result.rows[0]["loss"]


def test_the_source_of_a_users_task_is_part_of_the_key(here: Path) -> None:
    config = Config.of({"task": "my_task.py:lines", "method": "fedavg", "gamma": 0.05, "steps": 4})
    first = folder_name(config)
    (here / "my_task.py").write_text("# a remark\n" + TASK)
    assert folder_name(config) == first
    (here / "my_task.py").write_text(TASK.replace("slope * x.sum", "-slope * x.sum"))
    assert folder_name(config) != first
    (here / "elsewhere").mkdir()
    moved = here / "elsewhere" / "my_task.py"
    moved.write_text(TASK)
    assert folder_name(config.replace(task=f"{moved}:lines")) == first


@pytest.mark.parametrize(
    "name, named",
    [
        ("my_task.py:linse", "not there"),
        ("my_tsak.py:lines", "the file of the task"),
        ("broken.py:lines", "failing as it is loaded .ZeroDivisionError"),
        ("taken.py:quadratic", "a name that is taken"),
    ],
)
def test_files_that_do_not_hold_the_task_are_named(here: Path, name: str, named: str) -> None:
    (here / "broken.py").write_text("1 / 0\n")
    (here / "taken.py").write_text("def quadratic(scale, seed):\n    pass\n")
    with pytest.raises(ProblemError, match=named):
        Config.of({"task": name, "method": "fedavg", "gamma": 0.1, "steps": 1})


@pytest.mark.parametrize(
    "given, named",
    [
        (["--set", "gama=1"], "'gama'"),
        (["--set", "alpha=0.1"], "'alpha'"),  # another method's: here it would be ignored
        (["--set", "split=iid"], "'split'"),  # another task's
        (["--set", "gamma"], "key=value"),
        (["--set", "engine=fast"], "engine"),
        (["--device", "cdua"], "device"),
        (["--log", "tensorbord"], "--log"),
        (["missing.toml"], "missing.toml"),
        (["--set", "gamma", "0.1"], "key=value"),  # and not a file called 0.1
        (["--set", "gamma_schedule=decay"], "a table"),
        (["--set", "inner_rates=1"], "a list of factors"),
        (["--method", "fedcm", "--set", 'gamma_schedule={kind = "decay", factor = 0}'], "a rate > 0"),
        (["--set", "loss_before=maybe"], "true or false"),
        (["--set", "weight_decay=abc"], "weight_decay"),
        (["--set", "weight_decay=[0.1]"], "a number >= 0"),
        (["--set", "gamma=[1.0]", "--set", "eta=[1.0, 0.5]"], "a sweep's grid"),
        (["--set", 'gamma_schedule={kind = ["decay"]}'], "the kind of the schedule"),
        (["--set", "engine=sequential", "--set", "workers=4"], "so it would be ignored"),
        (["--set", "sampling=iid"], "how many are drawn"),
        (["--set", "seed=18446744073709551616"], "2^64"),
        (["--set", "full_batch_tail=101"], "full_batch_tail"),
        (["--method", "local-update", "--set", "epochs=2", "--set", "theta=sum(2)"], "steps"),
        (["--method", "fed-lamb", "--set", "layers=all"], "lists of places"),
        (["--set", "batch=5"], "the run and the task both have a batch"),
        (["--set", "batch=5"], "write run.batch=..., or in a file batch in the table of the one that is meant"),
        (["--method", "fedprox", "--set", "mu=0.5"], "expected method.mu or task.mu"),
    ],
)
def test_train_refuses_what_it_does_not_know(
    here: Path, capsys: pytest.CaptureFixture[str], given: list[str], named: str
) -> None:
    assert named in said(capsys, "train", *QUADRATIC, *given, status=2)
    assert not (here / "out").exists()


def test_what_comes_to_light_when_it_is_built_is_refused(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A device that is not there, options that no model can have, a matrix of another problem, a factory of nothing."""
    assert "that this machine has" in said(capsys, "train", *QUADRATIC, "--device", "cuda:97", status=2)
    fedavg = ("--method", "fedavg", "--set", "gamma=0.1", "--set", "steps=2")
    small = ("train", "--task", "mnist-mlp", *fedavg, "--set", "scale=smoke", "--set", "hidden=abc")
    assert "the options of the task mnist-mlp" in said(capsys, *small, status=2)
    for batch in ("-3", "2.5", "abc"):
        told = said(capsys, *small[:-2], "--set", f"task.batch={batch}", status=2)
        assert "task.batch" in told and "a whole number >= 0" in told
    lenet = ("train", "--task", "cifar10-lenet", *fedavg, "--set", "scale=smoke")
    assert "expected two numbers" in said(capsys, *lenet, "--set", "filters=[20, 50, 3]", status=2)
    exact = ("train", "--task", "quadratic", *fedavg)
    assert "its gradient exact" in said(capsys, *exact, "--set", "run.batch=2", status=2)
    layers = ("train", "--task", "quadratic", "--method", "fed-lamb", "--set", "gamma=0.1", "--set", "steps=2")
    assert "the place 9" in said(capsys, *layers, "--set", "layers=[[0, 1], [2, 9]]", status=2)
    matrix = ("--method", "preconditioned", "--set", "gamma=0.1", "--set", "steps=2")
    rates = ("--method", "fedavg", "--set", "steps=2", "--set", "gamma=[0.1, 0.2, 0.3]", "--set", "n=2")
    assert "each of the 2 clients" in said(capsys, "train", "--task", "quadratic", *rates, status=2)
    frozen = ("--method", "local-adam", "--set", "gamma=0.1", "--set", "steps=2", "--set", "frozen=[[1, 1], [1, 1]]")
    assert "expected 5, one a parameter" in said(capsys, "train", "--task", "quadratic", *frozen, status=2)
    for P, named in (("[[1, 0], [0, 1]]", "one a parameter"), ("[1, 2]", "lists of numbers")):
        told = said(capsys, "train", "--task", "quadratic", *matrix, "--set", f"P={P}", status=2)
        assert named in told
    (here / "nothing.py").write_text("def nothing(ops, *, gamma):\n    return 3\n", encoding="utf-8")
    given = ("--task", "quadratic", "--method", "nothing.py:nothing", "--set", "gamma=0.1")
    assert "Parts, or a Method" in said(capsys, "train", *given, status=2)


def test_a_table_is_read_again() -> None:
    """Also where the task has an option of that name; and what is said later stands over it."""
    keys = {"task": "mnist-logreg", "method": "fedavg", "gamma": 0.1, "steps": 3, "run.batch": 5, "task.batch": 7}
    config = Config.of({**keys, "seed": 3, "weights": "examples"})
    assert Config.of(config.table()) == config
    assert (config.run["batch"], config.options["batch"]) == (5, 7)
    assert Config.of({**flat(config.table()), "seed": 4}).run == {**config.run, "seed": 4}


def test_the_tail_may_be_counted_from_the_end() -> None:
    given = {"task": "quadratic", "method": "fedda-adam", "gamma": 0.1, "steps": 3, "eta": 0.1}
    tail, start = (
        Config.of({**given, **more}) for more in ({"rounds": 30, "full_batch_tail": 10}, {"full_batch_from": 20})
    )
    assert tail.table() | {"rounds": 0} == start.table() | {"rounds": 0}


SWEEP = """
rounds = 4
[task]
name = "my_task.py:lines"
[method]
steps = 2
[grid]
seed = [0, 1]
[[grid.method]]
name = "my_method.py:halved"
gamma = [0.01, 0.1]
[[grid.method]]
name = "fedavg"
gamma = 0.05
"""


def test_a_sweep_with_files_of_the_users(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (here / "s.toml").write_text(SWEEP)
    text = said(capsys, "sweep", "s.toml", "--processes", "1", "--best", "by", "method")
    assert "6 of 6 runs ended, 24 rounds" in text
    chosen = text.partition("and over seeds, of each method\n")[2].splitlines()
    assert chosen[0].split() == ["method", "gamma", "score", "spread", "seeds", "runs"]
    assert [(row.split()[0], *row.split()[-2:]) for row in chosen[1:3]] == [
        ("my_method.py:halved", "2", "2"), ("fedavg", "2", "2"),
    ]  # fmt: skip
    with (here / "out" / "sweeps" / "s" / "results.csv").open(newline="") as stream:
        rows: list[dict[str, Any]] = list(csv.DictReader(stream))
    assert [row["gamma"] for row in rows] == ["0.01", "0.1", "0.05"] * 2
    means: dict[str, list[float]] = {}
    for row in rows:
        if "halved" in row["method"]:
            means.setdefault(row["gamma"], []).append(float(row["score"]))
    lowest = min(means, key=lambda gamma: sum(means[gamma]))
    assert chosen[1].split()[1:3] == [lowest, f"{sum(means[lowest]) / 2:.6g}"]
    assert all(row["folder"] in chosen[3] for row in rows if "halved" in row["method"] and row["gamma"] == lowest)
    loss = max(float(row["loss"]) for row in rows)
    again = said(capsys, "sweep", "s.toml", "--target", f"loss={loss}", "--json", "s.json")
    assert "running" not in again
    written = json.loads((here / "s.json").read_text(encoding="utf-8"))
    for line in written["runs"]:
        path = storage.read_rows(here / "out" / "sweeps" / "s" / line["folder"] / "rows.parquet")
        assert line["rounds_to"] == next(row["round"] for row in path if row["loss"] <= loss)
    assert len(written["best"]) == 1 and len(written["best"][0]["folders"]) == 2
    assert "a measure of the runs" in said(capsys, "sweep", "s.toml", "--target", "acuracy=0.5", status=2)
    assert "mkdir" in said(capsys, "sweep", "s.toml", "--json", "no/s.json", status=2)


@pytest.mark.parametrize(
    "given, named",
    [
        (["--engine", "ray", "--processes", "2"], "--processes"),
        (["--gpus", "0.5"], "--gpus"),
        (["--processes", "0"], "--processes"),
    ],
)
def test_sweep_refuses_options_of_the_other_engine(
    here: Path, capsys: pytest.CaptureFixture[str], given: list[str], named: str
) -> None:
    (here / "s.toml").write_text(SWEEP)
    assert named in said(capsys, "sweep", "s.toml", *given, status=2)
    assert not (here / "out").exists()


def test_best_by_a_column_that_is_not_there_is_refused_before_anything_runs(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (here / "s.toml").write_text(SWEEP)
    assert "one of seed, method, gamma" in said(capsys, "sweep", "s.toml", "--best", "by", "eta", status=2)
    assert not (here / "out").exists()
