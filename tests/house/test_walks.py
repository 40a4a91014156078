"""Four walks through the house, each in a fresh interpreter: how many of our modules they load, and how many they call.

A module is called when one of its functions runs, at import or later. Processes that a walk starts are not counted.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.helpers.tree import PACKAGES, ROOT, fresh

# Most modules that each walk may load, and call. They only fall, but where a page needs what every figure says.
CEILINGS = {
    "toy": (80, 44),
    "check": (77, 55),
    "figures": (134, 79),
    "train": (110, 70),
}

TOY = """
[[client]]
A = [[1, 0], [0, 2]]
c = [1, 0]

[[client]]
A = [[2, 0], [0, 1]]
c = [0, "1/2"]
"""

WALKS = {
    "toy": ["toy", "mine.toml", "--gamma", "1/3", "--steps", "2", "--exact"],
    "check": ["check", "OLR.T17", "--examples", "50", "--jobs", "1", "--fresh"],
    "figures": ["figures", "OLR.F2", "--scale", "smoke", "--out", "figures"],
    "train": ["train", "--task", "mnist-logreg", "--method", "fedlada", "--out", "runs"]
    + [part for setting in ("gamma=0.1", "steps=1", "rounds=2", "scale=smoke") for part in ("--set", setting)],
}

PROBE = """
import json, sys, threading
from pathlib import Path

import surrogate

root = Path(surrogate.__file__).resolve().parents[1]
folders = tuple(f"{{root / package}}/" for package in {packages!r})
called = set()

def profile(frame, event, argument):
    code = frame.f_code
    if event == "call" and code.co_flags & 1 and code.co_filename.startswith(folders):  # 1: no module, no class body
        called.add(code.co_filename)

threading.setprofile(profile)
sys.setprofile(profile)
from surrogate.cli.main import main

status = main({arguments!r})
sys.setprofile(None)
files = [str(getattr(module, "__file__", None)) for module in list(sys.modules.values())]
loaded = [str(Path(file).relative_to(root)) for file in files if file.startswith(folders)]
called = [str(Path(file).relative_to(root)) for file in called]
print(json.dumps({{"status": status, "loaded": sorted(loaded), "called": sorted(called)}}))
"""


@pytest.mark.parametrize("walk", WALKS)
def test_a_walk_loads_and_calls_few_modules(walk: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "mine.toml").write_text(TOY)
    code = PROBE.format(packages=PACKAGES, arguments=WALKS[walk])
    done = fresh("-c", code, cwd=tmp_path, XDG_CACHE_HOME=str(tmp_path / "cache"), PYTHONPATH=str(ROOT))
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout.splitlines()[-1])
    assert found["status"] == 0
    with capsys.disabled():
        print(f"\n{walk}: {len(found['loaded'])} modules loaded, {len(found['called'])} called", end="")
    loaded, called = CEILINGS[walk]
    assert len(found["loaded"]) <= loaded, found["loaded"]
    assert len(found["called"]) <= called, found["called"]


def test_a_judgement_from_the_cache_loads_nothing_that_judges(tmp_path: Path) -> None:
    for _ in range(2):
        code = PROBE.format(packages=PACKAGES, arguments=WALKS["check"][:-1])
        done = fresh("-c", code, cwd=tmp_path, XDG_CACHE_HOME=str(tmp_path / "cache"), PYTHONPATH=str(ROOT))
        assert done.returncode == 0, done.stderr
    loaded = json.loads(done.stdout.splitlines()[-1])["loaded"]
    assert [
        name for name in loaded if name.startswith(("theorems/engines", "theorems/outsized", "theorems/judging"))
    ] == []
