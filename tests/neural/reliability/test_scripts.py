"""Plain scripts, without ``if __name__ == "__main__":``, train with worker processes and run no line twice."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from neural.engine import spawned

TREE = Path(__file__).parents[3]
PLAIN = """
import neural
print("begun")
result = neural.run({"task": "quadratic", "method": "fedavg", "gamma": 0.1, "steps": 2, "rounds": 2,
                     "engine": "workers", "workers": 1}, "out")
print(result.manifest["status"], result.manifest["engine"])
"""
OWN = f"""
import multiprocessing, runpy
start = runpy.run_path({spawned.__file__!r})["start"]

def work():
    print("worked", flush=True)

if __name__ == "__main__":
    process = multiprocessing.get_context("spawn").Process(target=work)
    start(process)
    process.join()
    print(process.exitcode, __import__("sys").modules["__main__"].work is work)
"""


def said(folder: Path, script: str) -> list[str]:
    (folder / "script.py").write_text(script, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "script.py"], cwd=folder, capture_output=True, text=True, env={"PYTHONPATH": str(TREE)}
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def test_a_plain_script(tmp_path: Path) -> None:
    assert said(tmp_path, PLAIN) == ["begun", "done workers"]


def test_what_a_script_defines_still_reaches_its_workers(tmp_path: Path) -> None:
    assert said(tmp_path, OWN) == ["worked", "0 True"]
