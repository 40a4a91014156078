"""The registry of figures: found by their files, looked up by id, path or paper."""

from __future__ import annotations

import difflib
import importlib.util
import re
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

from figures.card import Card, read, written
from figures.figure import Broken, Figure
from figures.scales import DEFAULT_SCALE, SCALES, known_scale
from surrogate.kit import files, papers
from surrogate.kit.errors import ProblemError, problem

__all__ = ["DEFAULT_SCALE", "PAPERS", "SCALES", "cards", "discover", "find", "known_scale", "main"]

# Folder of each paper: the prefix of its ids, and its title.
PAPERS = {folder: (prefix, title) for prefix, (folder, title) in papers.PAPERS.items()}
PAPERS["beyond"] = ("B", "Beyond the papers: the exact core's own figures")
FOLDER = Path(__file__).resolve().parent
CARDS = FOLDER / "cards.json"
FILE = re.compile(r"(figure|table)s?_.*\.py")


def discover(folder: Path = FOLDER, package: str = "figures") -> list[Figure]:
    """All figures, papers in order, numbers counted as numbers. Their files load neither torch nor matplotlib."""
    files = [path for path in sorted(folder.glob("*/*.py")) if FILE.fullmatch(path.name)]
    modules = [importlib.import_module(f"{package}.{path.parent.name}.{path.stem}") for path in files]
    return sorted((figure for module in modules for figure in _defined(module)), key=_order)


def cards() -> list[Card]:
    """What is said of every figure, in the order of `discover`; nothing of theirs is imported."""
    return read(CARDS)


def main() -> None:
    """``python -m figures.registry`` writes the cards anew, once a figure's words have changed."""
    with files.whole(CARDS) as partial:
        partial.write_text(written(discover()), encoding="utf-8")


def find(wanted: Sequence[str]) -> list[Figure]:
    """The figures of these names: an id, paper/name, a paper's name for all of it, or a user's file; of none, all.

    No other figure's file is imported; one that has no card yet is found as well. A figure whose file cannot be
    imported is a `Broken` one.

    >>> [entry.alias for entry in find(["la.f1B", "outsized/figure_1"])]
    ['outsized/figure_1', 'local_adaptivity/figure_1b']
    """
    try:
        return _found(wanted, cards())
    except ProblemError:
        return _found(wanted, discover())


def _found(wanted: Sequence[str], entries: Sequence[Card]) -> list[Figure]:
    known: dict[str, list[Card]] = {}
    for entry in entries:
        short = PAPERS.get(entry.paper, (entry.paper, ""))[0]
        file = "/".join(entry.module.split(".")[-2:])
        for name in {entry.id.lower(), entry.alias, file, entry.paper, short.lower()}:
            known.setdefault(name, []).append(entry)
    chosen: list[Card] = [] if wanted else list(entries)
    users: dict[Path, list[Figure]] = {}
    for name in wanted:
        path = Path(name).resolve()
        place = path.relative_to(FOLDER).as_posix() if name.endswith(".py") and FOLDER in path.parents else name
        plain = place.lower().removesuffix(".py").removeprefix("figures/")
        if plain in known:
            chosen += known[plain]
        elif name.endswith(".py") and path.is_file():
            users[path] = _loaded(path)
        else:
            raise _unknown(name, plain, known, entries)
    return [_sound(entry) for entry in entries if entry in chosen] + _apart(users)


def _sound(card: Card) -> Figure:
    """The figure; one whose file cannot be imported fails when it is made, and stops no other."""
    try:
        return card.load()
    except Exception as error:
        return Broken.of(card, error)


def _apart(users: Mapping[Path, Sequence[Figure]]) -> list[Figure]:
    """The figures of users' files; two of one folder's name and one file's name are refused."""
    places: dict[str, Path] = {}
    for path, figure in ((path, figure) for path, figures in users.items() for figure in figures):
        if figure.alias in places:
            raise problem(
                "the figure's file", repr(str(path)), f"none beside {places[figure.alias]}",
                f"folders of one name: both would be written to {figure.alias} in --out",
                "rename one of the files, or its folder",
            )  # fmt: skip
        places[figure.alias] = path
    return [figure for figures in users.values() for figure in figures]


def _loaded(path: Path) -> list[Figure]:
    """The figures of a user's file, whose folder stands for the paper."""
    if path.parent.name.lower() in PAPERS and FOLDER not in path.parents:
        raise problem(
            "the figure's file", repr(str(path)), f"a folder of another name than {', '.join(PAPERS)}",
            f"a copy of our file: its drawings would replace those of ours in --out, in {path.parent.name.lower()}",
            f"rename the folder, to {path.parent.name}_mine for instance",
        )  # fmt: skip
    name = f"users.{path.parent.name}.{path.stem}"  # no name of a module of ours, such as figures.style
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None and spec.loader is not None
    module = sys.modules[name] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return _defined(module)


def _unknown(name: str, plain: str, known: Mapping[str, Sequence[Card]], entries: Sequence[Card]) -> Exception:
    near = difflib.get_close_matches(plain, known, n=3, cutoff=0.5)
    nearest = list(dict.fromkeys(entry.id for match in near for entry in known[match]))[:3]
    return problem(
        "the figure",
        repr(name),
        f"one of {', '.join(entry.id for entry in entries)}",
        f"a slip for {' or '.join(nearest)}" if nearest else "a figure that is not drawn yet",
        "run `surrogate figures --list` for all of them and their titles",
    )


def _defined(module: ModuleType) -> list[Figure]:
    """The figures of a file."""
    figures = getattr(module, "FIGURES", None) or [getattr(module, "FIGURE", None)]
    if not all(isinstance(figure, Figure) for figure in figures):
        raise problem(
            str(module.__file__), "without FIGURE", "a figure's file with FIGURE = Figure(...), or FIGURES",
            "a figure that is still being written", "see the docstring of figures/__init__.py",
        )  # fmt: skip
    return list(figures)


def _order(entry: Figure) -> tuple[Any, ...]:
    papers = list(PAPERS)
    place = papers.index(entry.paper) if entry.paper in papers else len(papers)
    number = [(int(part), "") if part.isdigit() else (0, part) for part in re.split(r"(\d+)", entry.name)]
    return place, entry.paper, number


if __name__ == "__main__":
    main()
