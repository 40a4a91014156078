"""A fast path earns its file: its first lines name a laptop figure that runs on it, and its gain there by the bench."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

import neural
from benchmarks.neural import LAPTOP

HOME = Path(neural.__file__).parent
LEAST = 1.3
GAIN = re.compile(r"\b([A-Z]+\.\w+)\s\(([\w-]+)[^)]*\)\strains\s([\d.]+)\stimes\sas\sfast")
SHARED = ("__init__", "compiled", "exponential")  # what the kernels have in common
KERNELS = [path for path in (HOME / "kernels").glob("*.py") if path.stem not in SHARED]
OTHERS = ["engine/conv_patches", "engine/graph_cache", "engine/graph_recorder", "engine/collapse_views"]
OTHERS += ["tasks/softmax_scores", "tasks/models/lstm_kernel", "tasks/models/bags"]


@pytest.mark.parametrize("path", [*KERNELS, *(HOME / f"{name}.py" for name in OTHERS)], ids=lambda path: path.stem)
def test_it_names_a_figure_and_its_gain(path: Path) -> None:
    text = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or ""
    gains = GAIN.findall(" ".join(text.split()))
    assert gains and "`bench neural.laptop`" in text
    tasks = {name.partition(" ")[0] for name in LAPTOP}
    assert all(task in tasks for _, task, _ in gains)
    assert max(float(gain) for *_, gain in gains) >= LEAST
