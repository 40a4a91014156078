"""Nothing heavy is loaded before it is needed: what a fresh interpreter has imported after each command."""

from __future__ import annotations

import importlib
import json
from pathlib import Path

import pytest

from surrogate.kit import sources
from tests.helpers.tree import ROOT, files, fresh, project

HEAVY = {"numpy", "scipy", "sympy", "mpmath", "flint", "matplotlib", "pyarrow", "pandas", "torch"}
VERBS = project()["entry-points"]["surrogate.verbs"]

PROBE = """
import json, sys
{code}
print(json.dumps(sorted({{name.partition(".")[0] for name in sys.modules}})))
"""

RUN = """
from surrogate.cli.main import main
try:
    status = main({arguments!r})
except SystemExit as stop:
    status = stop.code
assert status == 0, status
"""

# A module set to None cannot be imported: whoever asks for it fails, as on a machine that does not have it.
WITHOUT = "sys.modules.update(torch=None, matplotlib=None)\n"


def loaded(code: str) -> set[str]:
    """Top-level packages in memory after ``code`` ran in a fresh interpreter."""
    done = fresh("-W", "error", "-c", PROBE.format(code=code))
    assert done.returncode == 0, done.stderr
    return set(json.loads(done.stdout.splitlines()[-1]))


@pytest.mark.parametrize("arguments", [["--help"], ["--version"], *([name, "--help"] for name in VERBS)], ids=" ".join)
def test_help_loads_nothing_heavy(arguments: list[str]) -> None:
    assert loaded(RUN.format(arguments=arguments)) & HEAVY == set()


@pytest.mark.parametrize("package", ["surrogate", "theorems", "neural", "figures"])
def test_importing_a_package_loads_nothing_heavy(package: str) -> None:
    assert loaded(f"import {package}") & HEAVY == set()


def test_clients_need_numpy_alone() -> None:
    code = "from surrogate import Quadratics, Theta\nQuadratics([[[2.0]]], [[1.0]]).minimizer"
    assert loaded(code) & HEAVY <= {"numpy", "scipy"}


@pytest.mark.parametrize("exact", [[], ["--exact"]], ids=["float", "exact"])
def test_toy_runs_where_torch_and_matplotlib_are_missing(exact: list[str]) -> None:
    arguments = ["toy", "two-clients", "--gamma", "1/2", "--steps", "2", *exact]
    assert "numpy" in loaded(WITHOUT + RUN.format(arguments=arguments))
    assert loaded(RUN.format(arguments=arguments)) & {"torch", "matplotlib"} == set()


@pytest.mark.parametrize(
    "front", [str(path) for path in files("__init__.py") if "= lazy(" in (ROOT / path).read_text()]
)
def test_a_lazy_package_says_the_same_to_python_and_to_type_checkers(front: str) -> None:
    """Keys follow a name to the home that the TYPE_CHECKING block gives it (`surrogate.kit.sources`)."""
    package = importlib.import_module(".".join(Path(front).parent.parts))
    homes = sources._lazy(ROOT / front, 0)
    assert homes and set(homes) <= {*package.__all__}
    for name, (module, attribute) in homes.items():
        home = importlib.import_module(module)
        assert getattr(package, name) is (home if attribute == sources.WHOLE else getattr(home, attribute))
