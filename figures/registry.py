"""Which figures there are. A figure is a file; its constants are read without running it."""

from __future__ import annotations

import ast
import difflib
import importlib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from surrogate.kit.errors import problem

__all__ = ["DEFAULT_SCALE", "PAPERS", "SCALES", "Entry", "discover", "find", "known_scale"]

SCALES = ("smoke", "laptop", "paper")
DEFAULT_SCALE = "laptop"

# Folder of each paper: the short name that ids begin with, and its title.
PAPERS = {
    "outsized": ("OLR", "On the outsized importance of learning rates in local update methods"),
    "local_adaptivity": ("LA", "Local adaptivity in federated learning: convergence and consistency"),
    "fedda": ("DA", "Accelerated federated learning with decoupled adaptive optimization"),
    "fedlada": ("LADA", "Efficient federated learning via local adaptive amended optimizer with linear speedup"),
    "fedlamb": ("LAMB", "Layer-wise and dimension-wise locally adaptive federated learning"),
    "beyond": ("B", "Beyond the papers: the exact core's own figures"),
}
NEEDED = ("ID", "TITLE", "ALT", "CLAIMS", "EXACT")
FOLDER = Path(__file__).resolve().parent


@dataclass(frozen=True)
class Entry:
    """One figure: what its file says about it, and where the file is."""

    id: str
    title: str
    alt: str
    claims: Mapping[str, str]
    exact: bool  # the same table at every scale
    flagship: bool  # trained before others, and at paper scale without being asked for by name
    statements: tuple[str, ...]  # ids of the statements that it illustrates
    trained: bool  # its table comes from training runs
    sheet: bool  # it is a table, written as Markdown and LaTeX, too
    paper: str
    name: str
    module: str
    path: Path

    @property
    def alias(self) -> str:
        """paper/name: where its output goes."""
        return f"{self.paper}/{self.name}"

    def load(self) -> Any:
        """The module: ``table``, ``draw``, ``findings``. Numerical libraries are imported here, not before."""
        return importlib.import_module(self.module)


def discover(folder: Path = FOLDER, package: str = "figures") -> list[Entry]:
    """All figures, papers in order, numbers counted as numbers."""
    files = [path for path in folder.glob("*/*.py") if re.match(r"(figure|table)_", path.name)]
    return sorted((_entry(path, package) for path in files), key=_order)


def find(wanted: Sequence[str], entries: Sequence[Entry] | None = None) -> list[Entry]:
    """The figures asked for, by id, paper/name, or a paper's name for all of it; all figures when nothing is asked.

    >>> [entry.alias for entry in find(["la.f1B", "outsized/figure_1"])]
    ['outsized/figure_1', 'local_adaptivity/figure_1b']
    """
    entries = discover() if entries is None else entries
    if not wanted:
        return list(entries)
    known: dict[str, list[Entry]] = {}
    for entry in entries:
        short = PAPERS.get(entry.paper, (entry.paper, ""))[0]
        for name in {entry.id.lower(), entry.alias, entry.paper, short.lower()}:
            known.setdefault(name, []).append(entry)
    chosen: list[Entry] = []
    for name in wanted:
        plain = name.lower().removesuffix(".py").removeprefix("figures/")
        if plain not in known:
            raise _unknown(name, plain, known, entries)
        chosen += known[plain]
    return [entry for entry in entries if entry in chosen]


def known_scale(scale: str) -> str:
    """``scale`` if it is one."""
    if scale not in SCALES:
        raise problem("scale", repr(scale), " or ".join(map(repr, SCALES)), "a slip", "pick one of them")
    return scale


def _unknown(name: str, plain: str, known: Mapping[str, Sequence[Entry]], entries: Sequence[Entry]) -> Exception:
    near = difflib.get_close_matches(plain, known, n=3, cutoff=0.5)
    shown = list(dict.fromkeys(entry.id for match in near for entry in known[match]))[:3]
    return problem(
        "the figure",
        repr(name),
        f"one of {', '.join(entry.id for entry in entries)}",
        f"a slip for {' or '.join(shown)}" if shown else "a figure that is not drawn yet",
        "run `surrogate figures --list` for all of them and their titles",
    )


def _entry(path: Path, package: str) -> Entry:
    constants = _constants(path)
    paper, name = path.parent.name, path.stem
    return Entry(
        constants["ID"],
        constants["TITLE"],
        constants["ALT"],
        constants["CLAIMS"],
        constants["EXACT"],
        constants.get("FLAGSHIP", False),
        tuple(constants.get("STATEMENTS", ())),
        "runs" in constants,
        "sheet" in constants,
        paper,
        name,
        f"{package}.{paper}.{name}",
        path,
    )


def _constants(path: Path) -> dict[str, Any]:
    """The constants, read from the source, and which of ``runs`` and ``sheet`` the file defines."""
    found: dict[str, Any] = {}
    for node in ast.parse(path.read_text(encoding="utf-8"), filename=str(path)).body:
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            name = node.targets[0].id
            if name in (*NEEDED, "FLAGSHIP", "STATEMENTS"):
                found[name] = ast.literal_eval(node.value)
        found |= dict.fromkeys({"runs", "sheet"} & _functions(node), True)
    missing = [name for name in NEEDED if name not in found]
    if missing:
        raise problem(
            str(path),
            f"without {', '.join(missing)}",
            "a figure's file with ID, TITLE, ALT, CLAIMS and EXACT as plain constants",
            "a figure that is still being written, or a constant that is computed",
            "see the docstring of figures/__init__.py",
        )
    return found


def _functions(node: ast.stmt) -> set[str]:
    """Names that a definition or an assignment, to one name or to a tuple, gives at top level."""
    if isinstance(node, ast.Assign):
        target = node.targets[0]
        parts = target.elts if isinstance(target, ast.Tuple) else [target]
        return {part.id for part in parts if isinstance(part, ast.Name)}
    return {node.name} if isinstance(node, ast.FunctionDef) else set()


def _order(entry: Entry) -> tuple[Any, ...]:
    papers = list(PAPERS)
    place = papers.index(entry.paper) if entry.paper in papers else len(papers)
    number = [(int(part), "") if part.isdigit() else (0, part) for part in re.split(r"(\d+)", entry.name)]
    return place, entry.paper, number
