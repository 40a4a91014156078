"""pyproject.toml, constraints.txt and environment.yml say the same."""

from __future__ import annotations

import re
import sys
from itertools import chain

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.helpers.tree import PACKAGES, ROOT, files, imports, project

THE_USERS_SEVEN = ["numpy", "scipy", "sympy", "matplotlib", "pytorch", "hypothesis", "pytest"]
CONDA_NAME = {"torch": "pytorch"}
IMPORT_NAME = {"pillow": "PIL", "python-flint": "flint", "z3-solver": "z3"}


def declared() -> dict[str, Requirement]:
    """Every requirement of pyproject.toml, extras included, by canonical name."""
    table = project()
    lines = chain(table["dependencies"], *table["optional-dependencies"].values())
    return {canonicalize_name(each.name): each for each in map(Requirement, lines)}


def pins() -> dict[str, Requirement]:
    """Every line of constraints.txt, by canonical name."""
    lines = (line.partition("#")[0].strip() for line in (ROOT / "constraints.txt").read_text().splitlines())
    return {canonicalize_name(each.name): each for each in map(Requirement, filter(None, lines))}


def conda() -> tuple[dict[str, str], list[str]]:
    """What environment.yml asks of conda (bounds by name), and of pip. Its YAML is two plain lists."""
    text = (ROOT / "environment.yml").read_text().partition("dependencies:")[2]
    plain = re.findall(r"^  - ([\w-]+)([<>=!~].*)?$", text, re.MULTILINE)
    return dict(plain), re.findall(r"^      - (.*)$", text, re.MULTILINE)


def test_conda_environment_has_the_users_packages_with_our_bounds() -> None:
    asked, _ = conda()
    bounds = {CONDA_NAME.get(name, name): str(each.specifier) for name, each in declared().items()}
    assert [name for name in asked if name not in ("python", "pip")] == THE_USERS_SEVEN
    assert {name: asked[name] for name in THE_USERS_SEVEN} == {name: bounds[name] for name in THE_USERS_SEVEN}
    assert asked["python"] == project()["requires-python"]


def test_conda_environment_installs_this_tree_with_extras_that_exist() -> None:
    asked, by_pip = conda()
    assert "pip" in asked
    extras = re.fullmatch(r"-e \.\[(.*)\]", "\n".join(by_pip))
    assert extras is not None
    assert set(extras[1].split(",")) <= set(project()["optional-dependencies"])


def test_every_requirement_is_pinned_within_its_bounds() -> None:
    pinned = pins()
    for name, requirement in declared().items():
        (pin,) = pinned[name].specifier
        assert pin.operator == "=="
        assert requirement.specifier.contains(pin.version), name


def test_every_import_is_declared() -> None:
    """Nothing works only because another package happened to bring it along. Peers have requirements of their own."""
    names = {IMPORT_NAME.get(name, name) for name in declared()} | {*PACKAGES, "tests", "benchmarks"}
    found = {(str(path), name) for path in files(".py") if "peers" not in path.parts for name in imports(path)}
    assert {name for _, name in found} >= {"numpy", "flint"}
    assert sorted((path, name) for path, name in found if name not in sys.stdlib_module_names | names) == []
