"""Rules that hold for every file of the tree."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

from tests.helpers.tree import PACKAGES, ROOT, files, imports, project

CODE = sorted(path for path in files() if path.suffix == ".py" or path.name in ("Makefile", "run"))
LONGEST = 400

# Spelled in two halves, or this very file would name them.
REGISTRY_HOSTS = [
    "py" + "pi.org",
    "python" + "hosted.org",
    "ana" + "conda.org",
    "npm" + "js.org",
    "npm" + "js.com",
    "download.py" + "torch.org",
    "docker" + ".io",
    "gh" + "cr.io",
    "qua" + "y.io",
    "deb" + "ian.org",
    "crates" + ".io",
    "ruby" + "gems.org",
]

# What each package may import of the others: dependencies point one way.
MAY_IMPORT = {
    "surrogate": set(),
    "theorems": {"surrogate"},
    "neural": {"surrogate"},
    "figures": {"surrogate", "theorems", "neural"},
}


def test_the_walk_sees_the_tree() -> None:
    known = ["surrogate/theta.py", "Makefile", ".ci/run", "tests/house/test_tree.py"]
    assert set(map(Path, known)) <= set(CODE)


def test_no_file_is_too_long() -> None:
    lengths = {str(path): len((ROOT / path).read_text(encoding="utf-8").splitlines()) for path in CODE}
    assert {path: length for path, length in lengths.items() if length > LONGEST} == {}


def test_no_file_names_a_registry_host() -> None:
    naming = [
        (str(path), host)
        for path in files()
        for host in REGISTRY_HOSTS
        if host.encode() in (ROOT / path).read_bytes().lower()
    ]
    assert naming == []


def test_tests_know_where_the_tree_is() -> None:
    """A file of tests that counts folders upwards ends at the tree, wherever the file was moved."""
    counted = re.compile(r"Path\(__file__\)(?:\.resolve\(\))?\.parents\[(\d)\](?! /)")
    found = {
        str(path): [*path.parents][int(number) : int(number) + 1]
        for path in files(".py")
        if path.parts[0] == "tests"
        for number in counted.findall((ROOT / path).read_text(encoding="utf-8"))
    }
    assert found and {name: folder for name, folder in found.items() if folder != [Path()]} == {}


@pytest.mark.parametrize("package", PACKAGES)
def test_every_folder_with_code_is_a_package(package: str) -> None:
    folders = {path.parent for path in files(".py") if path.parts[0] == package}
    assert folders
    assert [str(folder) for folder in folders if not (ROOT / folder / "__init__.py").is_file()] == []


@pytest.mark.parametrize("package", PACKAGES)
def test_dependencies_point_one_way(package: str) -> None:
    allowed = MAY_IMPORT[package] | {package}
    wrong = [
        (str(path), name)
        for path in files(".py")
        if path.parts[0] == package
        for name in imports(path)
        if name in {*PACKAGES, "tests"} - allowed
    ]
    assert wrong == []


def test_the_core_never_imports_torch_or_matplotlib() -> None:
    wrong = [
        (str(path), name)
        for path in files(".py")
        if path.parts[0] in ("surrogate", "theorems")
        for name in imports(path)
        if name in ("torch", "matplotlib")
    ]
    assert wrong == []


def test_the_wheel_declares_the_four_packages_and_nothing_else() -> None:
    find = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["setuptools"]["packages"]["find"]
    assert find["include"] == [pattern for package in PACKAGES for pattern in (package, f"{package}.*")]
    assert find["namespaces"] is False
    assert project()["scripts"] == {"surrogate": "surrogate.cli.main:main"}


def test_the_licence_is_whole() -> None:
    text = (ROOT / "LICENSE").read_text()
    assert "Apache License" in text
    assert "END OF TERMS AND CONDITIONS" in text
    assert project()["license"] == "Apache-2.0"
    assert "license: Apache-2.0" in (ROOT / "CITATION.cff").read_text()


def test_versions_agree() -> None:
    version = project()["version"]
    assert f"\nversion: {version}\n" in (ROOT / "CITATION.cff").read_text()
    assert f"\n## {version}" in (ROOT / "CHANGELOG.md").read_text()
