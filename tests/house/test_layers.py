"""Dependencies point one way, package by package and part by part; names at run time and opened files count."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.helpers.house.layers import ROWS, part, wrong
from tests.helpers.tree import PACKAGES, ROOT, files

FRONT = """
from typing import TYPE_CHECKING
if TYPE_CHECKING:
    from surrogate.reports import report
def __getattr__(name): ...
"""

# A use that is not allowed, the file that it is planted in, and the part that it reaches for.
PLANTED = {
    "an import": ("surrogate/theta.py", "from surrogate.reports import report", "surrogate/reports"),
    "an import inside a function": ("surrogate/theta.py", "def f():\n    import neural.tasks", "neural/tasks"),
    "a name of the package's front": ("surrogate/theta.py", "from surrogate import report", "surrogate/reports"),
    "its own row": ("theorems/fedda/a.py", "from theorems.outsized import b", "theorems/outsized"),
    "a folder above": ("surrogate/kit/a.py", "from surrogate import theta", "surrogate/theta"),
    "benchmarks": ("surrogate/cli/a.py", "from benchmarks import exact", "benchmarks"),
    "tests": ("figures/cli.py", "import tests.house", "tests"),
    "import_module": ("surrogate/theta.py", "import_module('theorems')", "theorems"),
    "import_module of a module": ("surrogate/theta.py", "importlib.import_module('neural.tasks')", "neural/tasks"),
    "import_module of an f-string": ("surrogate/theta.py", "import_module(f'neural.{name}')", "neural"),
    "import_module of benchmarks": ("surrogate/cli/a.py", "import_module(f'benchmarks.{suite}')", "benchmarks"),
    "find_spec": ("surrogate/reports/a.py", "importlib.util.find_spec('theorems')", "theorems"),
    "a resource": ("surrogate/reports/a.py", "importlib.resources.files('theorems')", "theorems"),
    "an entry point": ("surrogate/reports/a.py", "POINT = 'theorems.records:verdicts'", "theorems/records"),
    "a data file": ("neural/tasks/a.py", "READS = ('theorems/verdicts.json',)", "theorems/verdicts.json"),
    "a folder by a path": ("surrogate/theta.py", "(ROOT / 'theorems' / 'verdicts.json').read_text()", "theorems"),
    "a verb's module from below": ("theorems/records.py", "from surrogate.cli import output", "surrogate/cli"),
}
ALLOWED = {
    "theorems/cli/a.py": "from surrogate.cli import output\nfrom theorems import records",
    "figures/beyond/a.py": "READS = ('theorems/verdicts.json',)\nfrom figures import style",
    "surrogate/reports/a.py": "from surrogate import theta\nTEXT = 'theorems have proofs; neural. nets learn'",
    "surrogate/theta.py": "from surrogate.kit import a\nKIND = 'neural'\n'''See theorems/records.py.'''",
}


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A small tree of the four packages, in which nothing is wrong."""
    known = ["cli/__init__", "kit/__init__", "reports/__init__", "theta"]
    names = [f"surrogate/{name}.py" for name in known] + [f"{package}/__init__.py" for package in PACKAGES]
    names += ["neural/tasks/__init__.py", "theorems/outsized/__init__.py", "theorems/outsized/b.py"]
    names += ["theorems/records.py", "theorems/verdicts.json", "figures/style.py", "surrogate/kit/a.py"]
    for name in names:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("")
    (tmp_path / "surrogate" / "__init__.py").write_text(FRONT)
    return tmp_path


def plant(tree: Path, name: str, code: str) -> None:
    (tree / name).parent.mkdir(parents=True, exist_ok=True)
    (tree / name).write_text(code)


def test_the_table_holds_for_the_tree() -> None:
    assert wrong(ROOT) == []


def test_the_table_names_no_part_that_is_gone() -> None:
    parts = {part(path) for path in files(".py") if path.parts[0] in PACKAGES}
    listed = {
        f"{package}/{name}" for package in ROWS for row in ROWS[package] for name in row.replace("+", " ").split()
    }
    assert listed - parts == set()


@pytest.mark.parametrize("kind", PLANTED)
def test_a_planted_use_is_found(kind: str, tree: Path) -> None:
    name, code, used = PLANTED[kind]
    assert wrong(tree) == []
    plant(tree, name, code)
    found = wrong(tree)
    assert (name, used) in found and {file for file, _ in found} == {name}


@pytest.mark.parametrize("name", ALLOWED)
def test_what_is_allowed_is_left_alone(name: str, tree: Path) -> None:
    plant(tree, name, ALLOWED[name])
    assert wrong(tree) == []


def test_a_part_without_a_row_is_named(tree: Path) -> None:
    plant(tree, "surrogate/attic/a.py", "")
    assert wrong(tree) == [("surrogate/attic", "")]
