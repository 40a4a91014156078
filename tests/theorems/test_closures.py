"""What a statement's judgement runs lies in the closure that its key is made of: for every statement, by loading it.

A process that has loaded third-party packages forks once a statement; the child loads the statement's file, or judges
it, and lists the modules of ours that are in memory afterwards.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from surrogate.kit.sources import called, meaning
from tests.helpers.tree import PACKAGES, ROOT, fresh
from theorems import cache, registry

JUDGED = ["OLR.L5", "OLR.C13", "LA.E3", "DA.A2", "LADA.E3", "LAMB.E2", "DICT.fedavg"]

FORKS = """
import json, os, sys
import flint, numpy, scipy.linalg, scipy.optimize, sympy
try:
    import z3
except ImportError:
    pass

def loaded(name, judge):
    from theorems import registry

    statement = registry.find(name)
    if judge:
        from theorems.judging import judge_statement

        judge_statement(statement, 5)
    files = [getattr(module, "__file__", None) for module in list(sys.modules.values())]
    return sorted(file for file in files if file and file.startswith({folders!r}))

for name, judge in {work!r}:
    sys.stdout.flush()
    child = os.fork()
    if not child:
        print(json.dumps([name, loaded(name, judge)]), flush=True)
        os._exit(0)
    assert os.waitpid(child, 0)[1] == 0, name
"""


def outside(work: list[tuple[str, bool]]) -> dict[str, list[str]]:
    """Of each statement, modules that were loaded and that its key does not depend on."""
    folders = tuple(f"{ROOT / package}/" for package in PACKAGES)
    done = fresh("-W", "ignore", "-c", FORKS.format(folders=folders, work=work))
    assert done.returncode == 0, done.stderr
    found = dict(json.loads(line) for line in done.stdout.splitlines())
    assert found.keys() == {name for name, _ in work}
    missing = {}
    for name, files in found.items():
        known = cache.closure(registry.source(name)).keys() | FINDING
        missing[name] = [file for file in files if called(Path(file)) not in known and meaning(Path(file))]
    return {name: files for name, files in missing.items() if files}


# Loaded to find the statement's file, and by the program; they compute nothing of a judgement.
FINDING = {"theorems/registry.py", "theorems/catalogue.py", "surrogate/kit/papers.py", "surrogate/kit/errors.py"}


def test_what_a_statement_loads_is_part_of_its_key() -> None:
    assert outside([(name, False) for name in registry.ids()]) == {}


@pytest.mark.parametrize("name", JUDGED)
def test_what_its_judgement_loads_is_part_of_its_key(name: str) -> None:
    assert outside([(name, True)]) == {}
