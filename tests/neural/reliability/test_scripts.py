"""Users' files: plain scripts run no line twice in their workers; what is edited while a run goes on changes no key."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import neural
from neural.runs import storage
from surrogate.kit import spawn

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
start = runpy.run_path({spawn.__file__!r})["spawn_without_main"]

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


def test_a_file_edited_meanwhile_leaves_the_key_of_the_run(tmp_path: Path) -> None:
    mine = tmp_path / "mine.py"
    factory = "def kept(ops, *, gamma):\n    return methods.build('fedavg', ops=ops, gamma=gamma, steps={steps})\n"
    mine.write_text("from surrogate import methods\n" + factory.format(steps=2), encoding="utf-8")
    keys = {"task": "quadratic", "method": f"{mine}:kept", "gamma": 0.1, "rounds": 3, "checkpoint_every": 1}

    def edit(row: dict[str, Any]) -> None:
        mine.write_text("from surrogate import methods\n" + factory.format(steps=3), encoding="utf-8")

    first = neural.run(keys, tmp_path / "out", each=edit)
    noted = storage.read_manifest(first.folder / "manifest.json")
    assert first.folder.name.endswith(noted["key"][:16])
    second = neural.run(keys, tmp_path / "out")
    assert second.folder != first.folder and second.rows[-1]["loss"] != first.rows[-1]["loss"]
