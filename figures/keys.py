"""Cache keys of a figure's table and of its drawing: a table is kept as long as its key is the same.

It covers the code that ``table`` and ``then`` reach in their files (not ``draw``: redrawing never recomputes), all of
our modules that this code imports, theirs in turn (`surrogate.kit.sources`), the arguments that a partial has fixed,
and the scale where it matters. Where the table comes from training runs, it covers what tells these runs apart
(`training.identities`) in place of the code that lists them: a setting that changes one run changes the tables that
show it, and no other. Data files that a table reads are named by a constant of the figure's file,
READS = ("theorems/verdicts.json",), relative to the tree.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

from figures.figure import Figure, no_more
from figures.registry import FOLDER
from surrogate.kit.sources import Part, digest, meanings

if TYPE_CHECKING:
    from figures.training import Run

__all__ = ["dependencies", "drawing_key", "key"]


def key(figure: Figure, scale: str, runs: Sequence[Run] | None = None) -> str:
    """The hash that a table computed now would carry, 64 hexadecimal digits. ``runs``: the figure's, if known."""
    parts, fixed = _code(figure, "table", "then")
    words = [digest(*parts), *fixed, figure.id, "every scale" if figure.exact else scale]
    if figure.trained:
        from figures import training  # torch is loaded only where something was trained

        if runs is None:
            runs = [training.Run.of(keys, scale) for keys in figure.runs(scale)]
        words += training.identities(runs)
    return _hash(words)


def drawing_key(figure: Figure, table: str) -> str:
    """What drawings and findings of this table depend on: their code, all that it uses, the figure's words."""
    parts, fixed = _code(figure, "draw", "sheet", "findings")
    code = digest(*parts, FOLDER / "render.py", FOLDER / "tables.py")
    return _hash([table, figure.id, figure.title, figure.alt, version("matplotlib"), code, *fixed])


def dependencies(figure: Figure) -> list[str]:
    """Our files that the table depends on besides the figure's own, relative to the tree."""
    parts, _ = _code(figure, "table", "then")
    own = {part.name: part.path for part in parts}
    return [name.partition(":")[0] for name in meanings(*parts) if own.get(name) != figure.path]


def _code(figure: Figure, *names: str) -> tuple[list[Part], list[str]]:
    """The parts of files that define these functions of a figure, and the arguments that partials have fixed."""
    places: dict[Path, dict[str, None]] = {}
    fixed: list[str] = []
    for value in (value for name in names for value in _taken_apart(getattr(figure, name))):
        if value is no_more or value is None:
            continue
        if callable(value):
            places.setdefault(Path(value.__code__.co_filename), {})[value.__name__] = None
        else:
            fixed.append(repr(value))
    return [Part(path, (*functions, "READS")) for path, functions in places.items()], fixed


def _taken_apart(value: Any) -> Iterator[Any]:
    """A function, or the function and the arguments of a partial."""
    if isinstance(value, partial):
        for inner in (value.func, *value.args, *value.keywords.items()):
            yield from _taken_apart(inner)
    else:
        yield value


def _hash(words: list[str]) -> str:
    return hashlib.sha256("\n".join(words).encode()).hexdigest()
