"""What a figure's table depends on, as one hash: a table is kept as long as that does not change.

It covers the part of the figure's file that ``table`` reaches (not ``draw``: redrawing never recomputes), all of our
modules that this part imports, theirs in turn (`surrogate.kit.sources`), and the scale where it matters. Where the
table comes from training runs, it covers what tells these runs apart (`training.identities`) in place of the code that
lists them: a setting that changes one run changes the tables that show it, and no other. Data files that a table reads
are named by a constant, READS = ("theorems/verdicts.json",), relative to the tree.
"""

from __future__ import annotations

import hashlib
from importlib.metadata import version

from figures.registry import FOLDER, Entry
from surrogate.kit.sources import Part, digest, meanings

__all__ = ["dependencies", "drawing_key", "key"]


def key(entry: Entry, scale: str) -> str:
    """The hash that a table computed now would carry, 64 hexadecimal digits."""
    words = [digest(_table(entry)), entry.id, "every scale" if entry.exact else scale]
    if entry.trained:
        from figures import training  # torch is loaded only where something was trained

        words += training.identities([training.Run.of(keys, scale) for keys in entry.load().runs(scale)])
    return _hash(words)


def drawing_key(entry: Entry, table: str) -> str:
    """What drawings and findings of this table depend on: their code, all that it uses, the figure's words."""
    code = digest(Part(entry.path, ("draw", "sheet", "findings")), FOLDER / "render.py", FOLDER / "tables.py")
    return _hash([table, entry.id, entry.title, entry.alt, version("matplotlib"), code])


def dependencies(entry: Entry) -> list[str]:
    """Our files that the table depends on besides the figure's own, relative to the tree."""
    own = _table(entry)
    return [name for name in meanings(own) if name != own.name]


def _table(entry: Entry) -> Part:
    return Part(entry.path, ("table", "then", "READS"))


def _hash(words: list[str]) -> str:
    return hashlib.sha256("\n".join(words).encode()).hexdigest()
