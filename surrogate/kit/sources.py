"""The one hash of what a result depends on: the closure of a file's imports, each file by its abstract syntax.

Every cache key of the house (a statement's judgement, a run, a figure's table, its drawing) is made of it.

- *Closure*: imports at the top of a file and inside its functions, theirs in turn. The ``__init__`` of a package on the
  way to a module counts with its imports at the top, which Python runs; with those in its functions where something is
  taken from the package itself. What only type checkers import (``if TYPE_CHECKING``) does not count.
- A *lazy package* (one with a ``__getattr__``) costs what is taken from it: ``from surrogate import Theta`` leads to
  ``surrogate/theta.py``, the home that its TYPE_CHECKING block names. Taken whole, it counts with all its names.
- *Looked up by name*: ``import_module("a.b")`` counts as the import that it is; ``import_module(f"a.b.{name}")`` may
  load any module of a.b, and counts all of them.
- *Data*: a constant READS = ("theorems/verdicts.json",) at the top of a file names files that it opens, by bytes.
- *Abstract syntax*: docstrings, comments, layout and the annotations of functions leave a hash as it was.
"""

from __future__ import annotations

import ast
import hashlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

__all__ = ["PACKAGES", "TREE", "Part", "called", "digest", "meaning", "meanings", "reached"]

TREE = Path(__file__).resolve().parents[2]
PACKAGES = ("surrogate", "theorems", "neural", "figures")

WHOLE, BELOW = "*", "**"  # in place of an imported name: the package as it is; every module below it
_DOCUMENTED = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)


@dataclass(frozen=True)
class Part:
    """The top-level statements of a file that define ``names``, and those that they use."""

    path: Path
    names: tuple[str, ...]

    @property
    def name(self) -> str:
        """What it is called in a key."""
        return f"{called(self.path)}: {', '.join(self.names)}"


@dataclass(frozen=True)
class _Code:
    """What some statements say to Python, and what they import and read."""

    meaning: str  # "" where there is no statement
    imports: frozenset[Import]
    early: frozenset[Import]  # those outside functions, which run when the file is loaded
    reads: tuple[str, ...] = ()


def every(name: str) -> bool:
    """Follow all imports."""
    return True


Start = Path | Part
Follow = Callable[[str], bool]  # whether an imported file counts, by its name in keys
Import = tuple[str, str, int]  # module, name (or WHOLE, BELOW), level of a relative import
Node = tuple[Path, bool]  # a file; whether its functions may run, too


def digest(*starts: Start, follow: Follow = every) -> str:
    """64 hexadecimal digits that change with any file of the closure."""
    return hashlib.sha256(repr(meanings(*starts, follow=follow)).encode()).hexdigest()


def meanings(*starts: Start, follow: Follow = every) -> dict[str, str]:
    """The hash of each file in the closure by its name, sorted; ``follow`` says which imported files count.

    Names are relative to the tree (a user's own file: its name alone); a file without a statement is left out.
    """
    parts = {start: _part(start) for start in starts if isinstance(start, Part)}
    files = [start for start in starts if isinstance(start, Path)]
    seen: set[Node] = {(file, True) for file in files}
    waiting = [*seen, *(node for file in files for node in _packages(file))]
    waiting += [node for part, code in parts.items() for node in _resolved(code, part.path)]
    found = {part.name: code.meaning for part, code in parts.items()}
    counted = set(files)
    while waiting:
        node = path, _ = waiting.pop()
        if path in counted or follow(called(path)):
            counted.add(path)
            inner = _edges(*node, _changed(path), TREE) - seen
            seen |= inner
            waiting += inner
    for path in sorted(counted):
        found[called(path)] = found.get(called(path), "") + meaning(path)  # users' files may share a name
    return {name: found[name] for name in sorted(found) if found[name]}


def meaning(path: Path) -> str:
    """The hash of one file: what it says to Python, or its bytes where it is data; "" for one without a statement."""
    return _code(path, _changed(path)).meaning


def called(path: Path) -> str:
    """A file's name in a key: relative to the tree, or its name alone where it lies outside."""
    return _called(path, TREE)


@cache
def _called(path: Path, tree: Path) -> str:
    return path.relative_to(tree).as_posix() if path.is_relative_to(tree) else path.name


def reached(module: ast.Module, names: Sequence[str]) -> list[ast.stmt]:
    """The top-level statements that define these names or are used by them, directly or not, in the file's order.

    An import of several names is taken apart: the modules of a figure's drawing are not those of its table.
    """
    binds = [(part, set(_bound(part))) for node in module.body for part in _parts(node)]
    places: set[int] = set()
    waiting = list(names)
    while waiting:
        name = waiting.pop()
        for place, (node, bound) in enumerate(binds):
            if name in bound and place not in places:
                places.add(place)
                waiting += _used(node)
    return [binds[place][0] for place in sorted(places)]


def _used(node: ast.AST) -> Iterator[str]:
    """Names in what runs: those in a function's annotations do not."""
    if isinstance(node, ast.Name):
        yield node.id
    for name, value in ast.iter_fields(node):
        if not _annotates(node, name):
            for inner in value if isinstance(value, list) else [value]:
                yield from _used(inner) if isinstance(inner, ast.AST) else ()


def _annotates(node: ast.AST, name: str) -> bool:
    return name == "returns" or (name == "annotation" and isinstance(node, ast.arg))


def _parts(node: ast.stmt) -> list[ast.stmt]:
    if isinstance(node, ast.Import):
        return [ast.Import([alias]) for alias in node.names]
    if isinstance(node, ast.ImportFrom):
        return [ast.ImportFrom(node.module, [alias], node.level) for alias in node.names]
    return [node]


def _bound(node: ast.stmt) -> Iterator[str]:
    """Names that a top-level statement defines."""
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        yield node.name
    elif isinstance(node, (ast.Import, ast.ImportFrom)):
        yield from ((alias.asname or alias.name).partition(".")[0] for alias in node.names)
    else:
        yield from (n.id for n in ast.walk(node) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store))


def _part(part: Part) -> _Code:
    return _read(reached(ast.parse(part.path.read_bytes()), part.names))


def _changed(path: Path) -> int:
    return path.stat().st_mtime_ns


@cache
def _code(path: Path, changed: int) -> _Code:
    content = path.read_bytes()
    if path.suffix != ".py":
        return _Code(hashlib.sha256(content).hexdigest()[:32], frozenset(), frozenset())
    return _read(ast.parse(content, filename=str(path)).body)


def _read(body: Sequence[ast.stmt]) -> _Code:
    module = ast.Module(list(body), [])
    tokens: list[str] = []
    _write(module, tokens)
    meaning = hashlib.sha256("\n".join(tokens).encode()).hexdigest()[:32]
    said = any(not _is_text(node) for node in body)
    imports, early = frozenset(_imports(body, functions=True)), frozenset(_imports(body, functions=False))
    return _Code(meaning if said else "", imports, early, tuple(_reads(body)))


def _write(node: ast.AST, tokens: list[str]) -> None:
    """The syntax tree without docstrings and annotations, in words; three times as fast as ``ast.dump``."""
    tokens.append(type(node).__name__)
    for name in node._fields:
        value = None if _annotates(node, name) else getattr(node, name, None)
        if isinstance(value, list):
            documented = name == "body" and isinstance(node, _DOCUMENTED) and value and _is_text(value[0])
            tokens.append("[")
            for item in value[1:] if documented else value:
                if isinstance(item, ast.AST):
                    _write(item, tokens)
                else:
                    tokens.append(repr(item))
            tokens.append("]")
        elif isinstance(value, ast.AST):
            _write(value, tokens)
        else:
            tokens.append(repr(value))


def _is_text(node: ast.AST) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)


def _imports(body: Iterable[ast.AST], functions: bool) -> Iterator[Import]:
    waiting = list(body)
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.If) and ast.unparse(node.test).endswith("TYPE_CHECKING"):
            waiting += node.orelse
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and not functions:
            continue
        elif isinstance(node, ast.FunctionDef) and node.name == "__getattr__" and len(node.args.args) == 1:
            continue  # of a lazy package, whose names are followed one by one
        elif isinstance(node, ast.Import):
            yield from ((alias.name, WHOLE, 0) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from ((node.module or "", alias.name, node.level) for alias in node.names)
        else:
            if isinstance(node, ast.Call):
                yield from _by_name(node)
            waiting += ast.iter_child_nodes(node)


def _by_name(call: ast.Call) -> Iterator[Import]:
    """What ``import_module(...)`` may load, as far as its argument says; nothing for a variable."""
    if not call.args or ast.unparse(call.func).rpartition(".")[2] != "import_module":
        return
    given = call.args[0]
    if isinstance(given, ast.Constant) and isinstance(given.value, str):
        yield given.value, WHOLE, 0
    elif isinstance(given, ast.JoinedStr) and isinstance(given.values[0], ast.Constant):
        prefix = str(given.values[0].value)
        yield prefix.rpartition(".")[0], BELOW, 0


def _reads(body: Iterable[ast.stmt]) -> Iterator[str]:
    for node in body:
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name) and node.targets[0].id == "READS":
            yield from ast.literal_eval(node.value)


@cache
def _edges(path: Path, functions: bool, changed: int, tree: Path) -> frozenset[Node]:
    return frozenset(_resolved(_code(path, changed), path, functions))


def _resolved(code: _Code, path: Path, functions: bool = True) -> Iterator[Node]:
    """Files of ours that this code imports and reads."""
    for module, name, level in code.imports if functions else code.early:
        if level:
            outer = _dotted(path)[: -level or None]
            module = ".".join([*outer, *filter(None, [module])])
        root = _root(path) if level else _home(module.partition(".")[0], path)
        if root is not None and module:
            yield from _files(root, module, name)
    yield from ((TREE / name, True) for name in code.reads)


def _home(top: str, path: Path) -> Path | None:
    """The folder in which a file finds this top-level name: the tree for ours, a user's own folder, else None."""
    if top in PACKAGES:
        return TREE
    return None if path.is_relative_to(TREE) else _root(path)


def _root(path: Path) -> Path:
    """The folder that holds the file's outermost package."""
    folder = path.parent
    while (folder / "__init__.py").is_file():
        folder = folder.parent
    return folder


def _dotted(path: Path) -> list[str]:
    return list(path.relative_to(_root(path)).with_suffix("").parts)


def _packages(path: Path) -> Iterator[Node]:
    """The ``__init__`` of each package that the file lies in."""
    folder = path.parent
    while (folder / "__init__.py").is_file():
        yield folder / "__init__.py", False
        folder = folder.parent


def _files(root: Path, module: str, name: str) -> Iterator[Node]:
    """What ``from module import name`` runs: the packages on the way, and the file in which the name has its home."""
    inner = _file(root, module if name in (WHOLE, BELOW) else f"{module}.{name}")
    file = inner or _file(root, module)
    if file is None:
        return
    yield from _packages(file)
    homes, lazy = _lazy(file, _changed(file)), WHOLE if inner else name
    if lazy in homes:
        yield from _files(root, *homes[lazy])
    else:
        yield file, True
        for home in homes.values() if lazy == WHOLE else ():
            yield from _files(root, *home)
    if name == BELOW:
        yield from ((below, True) for below in sorted(file.parent.rglob("*.py")))


def _file(root: Path, module: str) -> Path | None:
    path = root.joinpath(*module.split("."))
    return next((file for file in (path / "__init__.py", path.with_suffix(".py")) if file.is_file()), None)


@cache
def _lazy(path: Path, changed: int) -> dict[str, tuple[str, str]]:
    """Homes of a lazy package's names: what its TYPE_CHECKING block imports from where; empty where none is lazy."""
    body = ast.parse(path.read_bytes()).body if path.name == "__init__.py" else []
    if not any("__getattr__" in _bound(node) for node in body):
        return {}
    blocks = [node for node in body if isinstance(node, ast.If) and ast.unparse(node.test).endswith("TYPE_CHECKING")]
    found: dict[str, tuple[str, str]] = {}
    for node in (node for block in blocks for node in block.body):
        if isinstance(node, ast.ImportFrom):
            found.update({alias.asname or alias.name: (node.module or "", alias.name) for alias in node.names})
        elif isinstance(node, ast.Import):
            found.update({alias.asname or alias.name: (alias.name, WHOLE) for alias in node.names})
    return found
