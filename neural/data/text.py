"""Texts as numbers: characters for Shakespeare, words for next-word prediction, bags of words for tags.

Numbers of a vocabulary of V entries: 0 padding, 1..V the entries, V + 1 out of vocabulary, V + 2 begin, V + 3 end,
as in the published Shakespeare (V = 86, so 90 outputs) and Stack Overflow (V = 10,000, so 10,004 outputs).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["CHARACTERS", "PAD", "WINDOW", "bag", "frequent", "marks", "sentences", "special", "windows", "words"]

Array = NDArray[Any]
PAD = 0
WINDOW = 80
# The characters that the published Shakespeare holds (Reddi et al. 2021); their order is our own.
CHARACTERS = "\r !\"#$%&'()*,-./0123456789:;?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[]_abcdefghijklmnopqrstuvwxyz\n"
_WORD = re.compile(r"[a-z0-9][a-z0-9+#'.-]*[a-z0-9+#]|[a-z0-9]|[.!?]")


def special(vocabulary: int) -> dict[str, int]:
    """The numbers that stand for no entry: a metric leaves these out.

    >>> special(86)
    {'pad': 0, 'oov': 87, 'bos': 88, 'eos': 89}
    """
    return {"pad": PAD, "oov": vocabulary + 1, "bos": vocabulary + 2, "eos": vocabulary + 3}


def windows(texts: Sequence[str], window: int = WINDOW) -> tuple[Array, Array, Array]:
    """(x, y, which): begin + text + end, cut into pieces of window + 1 characters, the last one padded.

    x (N, window) is a piece without its last character, y (N, window) without its first; which (N,) is the text that
    the piece is from.

    >>> x, y, which = windows(["ab"], window=4)
    >>> x.tolist() == [[88, 1 + CHARACTERS.index("a"), 1 + CHARACTERS.index("b"), 89]], y.tolist()[0][-1]
    (True, 0)
    """
    numbers = special(len(CHARACTERS))
    table = np.full(256, numbers["oov"], np.uint8)
    for k, character in enumerate(CHARACTERS):
        table[ord(character)] = k + 1
    pieces, which = [], []
    for t, text in enumerate(texts):
        body = table[np.frombuffer(text.encode("latin-1", "replace"), np.uint8)]
        count = -(-(len(body) + 2) // (window + 1))
        row = np.zeros(count * (window + 1), np.uint8)
        row[0], row[1 : len(body) + 1], row[len(body) + 1] = numbers["bos"], body, numbers["eos"]
        pieces.append(row.reshape(count, window + 1))
        which.append(np.full(count, t))
    if not pieces:
        return np.zeros((0, window), np.uint8), np.zeros((0, window), np.uint8), np.zeros(0, np.int64)
    rows = np.concatenate(pieces)
    return rows[:, :-1], rows[:, 1:], np.concatenate(which)


def words(text: str) -> list[str]:
    """The words of a text in small letters, with . ! ? as words of their own.

    >>> words("Fast C++ tools, e.g. zlib-1.2.")
    ['fast', 'c++', 'tools', 'e.g', '.', 'zlib-1.2', '.']
    """
    return _WORD.findall(text.lower())


def frequent(texts: Iterable[Sequence[str]], size: int) -> list[str]:
    """The ``size`` most frequent words, ties in alphabetical order."""
    counts = Counter(word for text in texts for word in text)
    return [word for word, _ in sorted(counts.items(), key=lambda item: (-item[1], item[0]))[:size]]


def sentences(texts: Sequence[Sequence[str]], vocabulary: Sequence[str], size: int, length: int) -> tuple[Array, Array]:
    """(x, y), (N, length) each: begin + the first ``length`` words + end where there is room, padded, as published.

    ``size`` entries are counted even where fewer words are known, so that outputs do not depend on the texts.

    >>> x, y = sentences([["to", "be"]], ["be"], size=1, length=4)
    >>> x.tolist(), y.tolist()
    ([[3, 2, 1, 4]], [[2, 1, 4, 0]])
    """
    numbers, index = special(size), {word: k + 1 for k, word in enumerate(vocabulary)}
    rows = np.zeros((len(texts), length + 1), np.uint16 if size < 65_532 else np.int32)
    rows[:, 0] = numbers["bos"]
    for row, text in zip(rows, texts, strict=True):
        known = [index.get(word, numbers["oov"]) for word in text[:length]]
        known += [numbers["eos"]] if len(known) < length else []
        row[1 : len(known) + 1] = known
    return rows[:, :-1], rows[:, 1:]


def bag(texts: Sequence[Sequence[str]], vocabulary: Sequence[str], longest: int = 256) -> Array:
    """(N, longest): the numbers 1..V of a text's words in the vocabulary, with repetitions, padded by 0.

    `neural.data.loading` makes them dense rows of frequencies. Words beyond ``longest`` of one text are left out.
    """
    index = {word: k + 1 for k, word in enumerate(vocabulary)}
    rows = np.zeros((len(texts), longest), np.uint16 if len(vocabulary) < 65_535 else np.int32)
    for row, text in zip(rows, texts, strict=True):
        known = [index[word] for word in text if word in index][:longest]
        row[: len(known)] = known
    return rows


def marks(tags: Sequence[Sequence[str]], names: Sequence[str]) -> Array:
    """(N, len(names)) uint8: 1 where a text has the tag.

    >>> marks([["b", "x"], []], ["a", "b"]).tolist()
    [[0, 1], [0, 0]]
    """
    index = {name: k for k, name in enumerate(names)}
    rows = np.zeros((len(tags), len(names)), np.uint8)
    for row, some in zip(rows, tags, strict=True):
        row[[index[tag] for tag in some if tag in index]] = 1
    return rows
