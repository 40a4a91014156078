"""What a figure's table depends on, as one hash: a table is kept as long as that does not change.

It covers the part of the figure's file that ``table`` reaches (not ``draw``: redrawing never recomputes), all of our
modules that this part imports, theirs in turn, and the scale where it matters. Comments and layout do not count in
the figure's own file. An imported package counts with all its files, so that lazy imports inside it are covered.
Where the table comes from training runs, it covers what tells these runs apart (`training.identities`) in place of
the code that lists them: a setting that changes one run changes the tables that show it, and no other. Data files
that a table reads are named by a constant, READS = ("theorems/verdicts.json",), relative to the tree.
"""

from __future__ import annotations

import ast
import hashlib
from collections.abc import Iterable, Iterator
from functools import cache
from importlib.metadata import version
from pathlib import Path

from figures.registry import Entry

__all__ = ["dependencies", "drawing_key", "key"]

TREE = Path(__file__).resolve().parents[1]
OURS = ("surrogate", "theorems", "neural", "figures")


def key(entry: Entry, scale: str) -> str:
    """The hash that a table computed now would carry, 64 hexadecimal digits."""
    module = ast.parse(entry.path.read_text(encoding="utf-8"))
    nodes = _reached(module, "table", "then")
    digest = hashlib.sha256("\n".join(ast.unparse(node) for node in nodes).encode())
    digest.update(f"\n{entry.id}\n{'every scale' if entry.exact else scale}\n".encode())
    if entry.trained:
        from figures import training  # torch is loaded only where something was trained

        runs = [training.Run.of(keys, scale) for keys in entry.load().runs(scale)]
        digest.update("\n".join(training.identities(runs)).encode())
    for path in [*_closure(_imported(nodes, entry.path)), *_data(module)]:
        digest.update(f"{path.relative_to(TREE).as_posix()}\n".encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()


def drawing_key(entry: Entry, table: str) -> str:
    """What drawings and findings of this table depend on: their code, all that it uses, the figure's words."""
    nodes = _reached(ast.parse(entry.path.read_text(encoding="utf-8")), "draw", "sheet", "findings")
    words = [table, entry.id, entry.title, entry.alt, version("matplotlib"), *(ast.unparse(node) for node in nodes)]
    digest = hashlib.sha256("\n".join(words).encode())
    for path in _closure([*_imported(nodes, entry.path), "figures.render", "figures.tables"]):
        digest.update(path.read_bytes())
    return digest.hexdigest()


def dependencies(entry: Entry) -> list[str]:
    """Our files that the table depends on besides the figure's own, relative to the tree."""
    nodes = _reached(ast.parse(entry.path.read_text(encoding="utf-8")), "table", "then")
    return [path.relative_to(TREE).as_posix() for path in _closure(_imported(nodes, entry.path))]


def _data(module: ast.Module) -> list[Path]:
    """Files that READS names."""
    named = [
        ast.literal_eval(node.value)
        for node in module.body
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name) and node.targets[0].id == "READS"
    ]
    return [TREE / name for names in named for name in names]


def _reached(module: ast.Module, *start: str) -> list[ast.stmt]:
    """The top-level statements that these use, directly or not, in the file's order; of imports, the names used."""
    binds = [(part, set(_bound(part))) for node in module.body for part in _parts(node)]
    reached: set[int] = set()
    names = list(start)
    while names:
        name = names.pop()
        for place, (node, bound) in enumerate(binds):
            if name in bound and place not in reached:
                reached.add(place)
                names += [inner.id for inner in ast.walk(node) if isinstance(inner, ast.Name)]
    return [_without_docstring(binds[place][0]) for place in sorted(reached)]


def _parts(node: ast.stmt) -> list[ast.stmt]:
    """An import of several names as one of each: the modules of a figure's drawing are not those of its table."""
    if isinstance(node, ast.Import):
        return [ast.Import([alias]) for alias in node.names]
    if isinstance(node, ast.ImportFrom):
        return [ast.ImportFrom(node.module, [alias], node.level) for alias in node.names]
    return [node]


def _bound(node: ast.stmt) -> Iterator[str]:
    """Names that a top-level statement defines."""
    if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
        yield node.name
    elif isinstance(node, (ast.Import, ast.ImportFrom)):
        yield from ((alias.asname or alias.name).partition(".")[0] for alias in node.names)
    else:
        yield from (n.id for n in ast.walk(node) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store))


def _without_docstring(node: ast.stmt) -> ast.stmt:
    if isinstance(node, (ast.FunctionDef, ast.ClassDef)) and ast.get_docstring(node) is not None:
        node.body = node.body[1:] or [ast.Pass()]
    return node


def _closure(modules: Iterable[str]) -> list[Path]:
    """Files of these modules and of all that they import, sorted."""
    seen: set[Path] = set()
    waiting = [path for module in modules for path in _files(module)]
    while waiting:
        path = waiting.pop()
        if path not in seen:
            seen.add(path)
            waiting += [inner for module in _imports_of(path) for inner in _files(module)]
    return sorted(seen)


@cache
def _imports_of(path: Path) -> frozenset[str]:
    return frozenset(_imported(ast.parse(path.read_text(encoding="utf-8")).body, path))


def _imported(nodes: Iterable[ast.stmt], path: Path) -> set[str]:
    """Our modules that these statements import, functions included, what only type checkers see excluded."""
    found: set[str] = set()
    waiting: list[ast.AST] = list(nodes)
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING":
            waiting += node.orelse
        elif isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.level:
            found.add(".".join(path.relative_to(TREE).parent.parts))
        elif isinstance(node, ast.ImportFrom):
            found.update(_home(node.module or "", alias.name) for alias in node.names)
        else:
            waiting += ast.iter_child_nodes(node)
    return {module for module in found if module.partition(".")[0] in OURS}


def _home(module: str, name: str) -> str:
    """Where ``from module import name`` finds it: a submodule, the home that a lazy package gives it, or the module."""
    if _files(f"{module}.{name}"):
        return f"{module}.{name}"
    return _lazy_homes(module).get(name, module) if module in OURS else module


@cache
def _lazy_homes(package: str) -> dict[str, str]:
    """Homes of a lazy package's names: what its ``if TYPE_CHECKING`` block imports from where."""
    body = ast.parse((TREE / package / "__init__.py").read_text(encoding="utf-8")).body
    blocks = [node for node in body if isinstance(node, ast.If)]
    imports = [node for block in blocks for node in block.body if isinstance(node, ast.ImportFrom)]
    return {alias.name: node.module or package for node in imports for alias in node.names}


def _files(module: str) -> list[Path]:
    """A module's file; all files of a package."""
    if module.partition(".")[0] not in OURS:
        return []
    path = TREE.joinpath(*module.split("."))
    if (path / "__init__.py").is_file():
        return sorted(path.rglob("*.py"))
    return [path.with_suffix(".py")] if path.with_suffix(".py").is_file() else []
