"""Which part of the tree may use which: one table, and what finds each use.

A part is a folder or a module directly below a package (``surrogate/methods``, ``surrogate/theta``). A package's own
``__init__`` is its front: it may name all of it, and what is taken from it counts as taken from its home.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from surrogate.kit import sources
from tests.helpers.tree import PACKAGES

# Bottom to top: a part may use those in rows above its own line here, and none of its own row. "a+b" count as one.
ROWS = {
    "surrogate": (
        "_types kit",
        "_differences filters linear notebook",
        "clients theta",
        "linear_fields numbers quadratics",
        "bounds exact fields methods moments",
        "local_update preconditioned",
        "dictionary populations simulate",
        "sweep toys",
        "problems",
        "reports",
        "cli",
        "__main__",
    ),
    "theorems": (
        "catalogue instance instances leaves mathml pep population record verify",
        "coverage domain leaf_store",
        "records",
        "schema",
        "integrity",
        "symbols",
        "cards",
        "statement",
        "bridges",
        "engines",
        "vocabulary",
        "numeric_cases",
        "judging dictionary fedda fedlada fedlamb local_adaptivity outsized",  # papers know nothing of each other
        "agreement cache registry",
        "report",
        "cli template",
    ),
    "neural": ("capabilities data flat kernels noise once_differentiable ops", "tasks", "engine", "runs", "cli"),
    "figures": (
        "card findings records scales",
        "series storage style training",
        "curves explorer job plot tables tuning",
        "figure",
        "registry",
        "beyond fedda fedlada fedlamb keys local_adaptivity outsized render",
        "queue",
        "costs made",
        "api runner",
        "html",
        "findings_page",
        "gallery",
        "cli",
    ),
}

# What a package, or one part of it, may use of other packages; data files are named whole.
ACROSS = {
    "theorems": "surrogate/_types surrogate/bounds surrogate/dictionary surrogate/exact surrogate/filters "
    "surrogate/kit surrogate/methods surrogate/notebook surrogate/numbers surrogate/theta",
    "theorems/cli": "surrogate/cli",
    "neural": "surrogate/_types surrogate/kit surrogate/methods surrogate/notebook surrogate/numbers "
    "surrogate/populations surrogate/problems surrogate/quadratics surrogate/theta",
    "neural/cli": "surrogate/cli",
    "figures": "surrogate/_types surrogate/bounds surrogate/dictionary surrogate/fields surrogate/kit "
    "surrogate/local_update surrogate/methods surrogate/moments surrogate/notebook surrogate/numbers "
    "surrogate/populations surrogate/preconditioned surrogate/problems surrogate/quadratics surrogate/reports "
    "surrogate/simulate surrogate/sweep surrogate/theta surrogate/toys neural/data neural/engine neural/runs "
    "neural/tasks theorems theorems/records theorems/verdicts.json",
    "figures/cli": "surrogate/cli",
    "figures/explorer": "surrogate/cli",
}

OUTSIDE = ("benchmarks", "tests")
_NAMED = re.compile(rf"({'|'.join((*PACKAGES, *OUTSIDE))})(?![\w-])")
_PLACE = re.compile(rf"({'|'.join((*PACKAGES, *OUTSIDE))})(/[\w./-]+|[\w.]+:\w+)")  # a file, or an entry point
_LOADERS = {"import_module", "find_spec", "__import__", "files", "load", "spec_from_file_location"}


def wrong(root: Path) -> list[tuple[str, str]]:
    """(file, part) for each use that the table does not allow; (part, "") for a part that has no row."""
    found = set()
    for package in PACKAGES:
        for path in sorted(root.glob(f"{package}/**/*.py")):
            file, own = path.relative_to(root).as_posix(), part(path.relative_to(root))
            if own == package:
                continue
            if _row(own) is None:
                found.add((own, ""))
            found |= {(file, used) for used in uses(path, root) if not _allowed(own, used)}
    return sorted(found)


def part(path: Path) -> str:
    """The part of the tree that a file belongs to; the package itself for its ``__init__``."""
    parts = path.parts if path.suffix != ".py" else path.with_suffix("").parts
    return "/".join([name for name in parts if name != "__init__"][:2])


def uses(path: Path, root: Path) -> set[str]:
    """Parts that a file imports, looks up by name, or opens; parts of benchmarks and tests, too."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    found = {part(file.relative_to(root)) for file in _imported(tree, path, root)}
    for node in ast.walk(tree):
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else [node.module or ""]
            found |= {name.partition(".")[0] for name in names} & set(OUTSIDE)
    return found | {part(file) for file in _named(tree, root)}


def _imported(tree: ast.Module, path: Path, root: Path) -> Iterator[Path]:
    for module, name, level in sources._imports(tree.body, functions=True):
        assert not level, f"a relative import in {path}"
        if module.partition(".")[0] in PACKAGES and (module, name) != (path.relative_to(root).parts[0], sources.BELOW):
            yield from (file for file, whole in sources._files(root, module, name) if whole)


def _named(tree: ast.Module, root: Path) -> Iterator[Path]:
    """Modules and files of the tree that texts in the code name: those passed on to loaders, and paths."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            called = ast.unparse(node.func).rpartition(".")[2]
            texts = [text for argument in node.args[:1] for text in _texts(argument)] if called in _LOADERS else []
            yield from (Path(*re.split("[./]", text.strip("."))) for text in texts if _NAMED.match(text))
        elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div):
            yield from (Path(text) for text in _texts(node.right) if text in (*PACKAGES, *OUTSIDE))
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and _PLACE.fullmatch(node.value):
            name = node.value.partition(":")[0]
            files = [Path(name), Path(*name.split(".")), Path(*name.split(".")).with_suffix(".py")]
            yield from (file for file in files if len(file.parts) > 1 and (root / file).exists())


def _texts(node: ast.AST) -> list[str]:
    """The text of a constant; the start of an f-string."""
    first = node.values[0] if isinstance(node, ast.JoinedStr) and node.values else node
    return [first.value] if isinstance(first, ast.Constant) and isinstance(first.value, str) else []


def _allowed(own: str, used: str) -> bool:
    package, other = own.partition("/")[0], used.partition("/")[0]
    if used in (own, package):
        return True
    if package != other:
        return used in f"{ACROSS.get(package, '')} {ACROSS.get(own, '')}".split() or used == "surrogate"
    mine, theirs = _row(own), _row(used)
    together = any(
        {own.partition("/")[2], used.partition("/")[2]} <= set(group.split("+")) for group in _groups(package)
    )
    return together or (mine is not None and theirs is not None and theirs < mine)


def _groups(package: str) -> list[str]:
    return [group for row in ROWS[package] for group in row.split()]


def _row(name: str) -> int | None:
    package, _, inner = name.partition("/")
    rows = [k for k, row in enumerate(ROWS[package]) if inner in re.split(r"[ +]", row)]
    return rows[0] if rows else None
