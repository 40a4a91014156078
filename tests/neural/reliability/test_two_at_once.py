"""Two sweeps started on one folder at once: every round of every run is trained once, by one process, and kept."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from pathlib import Path

from neural.runs import results
from neural.runs.config import read_toml
from neural.runs.grid import expand
from tests.helpers.neural.reliability_tools import rows

TREE = Path(__file__).parents[3]
ROUNDS = 40
MINE = '''
"""FedAvg that writes down each round that it is asked for."""
import os
from dataclasses import replace
from pathlib import Path
from surrogate import methods

BOOK = Path(__file__).with_name("book")

def noted(ops, *, gamma, steps):
    plain = methods.build("fedavg", ops=ops, gamma=gamma, steps=steps)

    def update(state, message, drawn, clients):
        book = os.open(BOOK, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
        os.write(book, f"{gamma} {os.getpid()}\\n".encode())
        os.close(book)
        return plain.update(state, message, drawn, clients)

    return replace(plain, update=update)
'''
FILE = f"""
rounds = {ROUNDS}
checkpoint_every = 10
method = "FOLDER/mine.py:noted"
[task]
name = "quadratic"
[grid]
gamma = [0.1, 0.05, 0.02, 0.01, 0.005, 0.002]
"method.steps" = [3]
"""


def test_no_round_is_trained_twice_and_none_is_lost(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(MINE, encoding="utf-8")
    (tmp_path / "s.toml").write_text(FILE.replace("FOLDER", str(tmp_path)), encoding="utf-8")
    command = [sys.executable, "-m", "surrogate", "sweep", str(tmp_path / "s.toml"), "--out", str(tmp_path / "out")]
    both = [
        subprocess.Popen([*command, "--processes", "1"], cwd=TREE, stdout=subprocess.PIPE, text=True) for _ in range(2)
    ]
    said = [process.communicate(timeout=300)[0] for process in both]
    assert [process.returncode for process in both] == [0, 0], said
    trials = expand(read_toml(tmp_path / "s.toml"))
    assert [line["status"] for line in results.gather(trials, tmp_path / "out")] == ["done"] * 6
    book = [line.split() for line in (tmp_path / "book").read_text(encoding="utf-8").splitlines()]
    assert Counter(gamma for gamma, _ in book) == {str(trial.config.settings["gamma"]): ROUNDS for trial in trials}
    assert len({tuple(entry) for entry in book}) == 6
    for trial in trials:
        assert [row["round"] for row in rows(tmp_path / "out" / trial.folder)] == list(range(ROUNDS + 1))
