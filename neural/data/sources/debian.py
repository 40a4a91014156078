"""Debian's package descriptions: texts by maintainers, and what the packages are tagged with (debtags).

One text a source package and set of tags would leak: binaries of one source share most of their text. So a source
package is wholly in training or wholly in test, decided by a hash of its name; identical descriptions count once.
A maintainer is a hash of the address (kept nowhere else); the largest are teams. Tags under 100 packages are left out.
"""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from neural.data import archives, text
from neural.data.examples import Examples
from neural.data.formats.damage import broken, reading
from neural.data.sources.plays import sentences

__all__ = ["Entry", "entries", "tags", "words"]

Array = NDArray[Any]
_ADDRESS = re.compile(r"<([^>]*)>")
_VARIANTS = re.compile(r"\{([^}]*)\}")
RARE = 100


@dataclass(frozen=True)
class Entry:
    """One tagged package: its source package, its maintainer (hashed), its tags, its description in English."""

    source: str
    maintainer: str
    tags: tuple[str, ...]
    text: str


def tags(archive: Path, vocabulary: int = 10_000, tags: int = 135) -> Examples:
    """Bags of words against the ``tags`` most frequent tags (100 packages or more); a client for each maintainer."""
    train, test = _divided(entries(archive))
    counts = Counter(tag for entry in (*train, *test) for tag in entry.tags)
    names = [tag for tag, count in sorted(counts.items(), key=lambda c: (-c[1], c[0])) if count >= RARE][:tags]
    train, test = ([e for e in some if set(e.tags) & set(names)] for some in (train, test))
    texts, held = ([text.words(e.text) for e in some] for some in (train, test))
    known = text.frequent(texts, vocabulary)
    y, test_y = (text.marks([e.tags for e in some], names) for some in (train, test))
    return Examples(text.bag(texts, known), y, text.bag(held, known), test_y, None, _owners(train), None, vocabulary)


def words(archive: Path, vocabulary: int = 10_000, length: int = 20) -> Examples:
    """Sentences by words; a client for each maintainer. Identical sentences of one source count once."""
    train, test = (_sentences(some) for some in _divided(entries(archive)))
    known = text.frequent((part for _, part in train), vocabulary)
    x, y = text.sentences([part for _, part in train], known, vocabulary, length)
    owner = _owners([entry for entry, _ in train])
    return Examples(x, y, *text.sentences([part for _, part in test], known, vocabulary, length), None, owner)


def entries(archive: Path) -> list[Entry]:
    """The tagged packages with a description, in the order of the index; the first of equal descriptions alone."""
    lists = archives.members(archive, ".txt")
    described: dict[tuple[str, str], str] = {}
    for name, content in lists.items():
        if "Translation-en" in name:
            for fields in _paragraphs(content, name):
                key = (fields.get("Package", ""), fields.get("Description-md5", ""))
                described[key] = fields.get("Description-en", "")
    found: dict[str, Entry] = {}
    for name, content in lists.items():
        if "_Packages" in name:
            for fields in _paragraphs(content, name):
                entry = _entry(fields, described)
                if entry is not None:
                    found.setdefault(entry.text, entry)
    if not found:
        raise broken(archive, "without tagged packages", "an index with Tag fields (Debian's; others may have none)")
    return list(found.values())


def _entry(fields: dict[str, str], described: dict[tuple[str, str], str]) -> Entry | None:
    said = described.get((fields.get("Package", ""), fields.get("Description-md5", "")))
    if "Tag" not in fields or not said:
        return None
    return Entry(
        source=fields.get("Source", fields["Package"]).split(" ")[0],
        maintainer=_hash(_ADDRESS.findall(fields.get("Maintainer", "")) or [fields.get("Maintainer", "")]),
        tags=tuple(_expanded(fields["Tag"])),
        text=" ".join(line.strip() for line in said.split("\n") if line.strip() != "."),
    )


def _expanded(field: str) -> Iterator[str]:
    """The tags of a field; {a,b} abbreviates.

    >>> list(_expanded("role::program, interface::{graphical,x11}"))
    ['role::program', 'interface::graphical', 'interface::x11']
    """
    joined = _VARIANTS.sub(lambda m: "{" + m[1].replace(",", "|") + "}", field)
    for tag in (part.strip() for part in joined.replace("\n", " ").split(",")):
        variants = _VARIANTS.search(tag)
        names = variants[1].split("|") if variants else [""]
        for name in names:
            yield (_VARIANTS.sub(name.strip(), tag) if variants else tag).strip()


def _paragraphs(content: bytes, name: str) -> Iterator[dict[str, str]]:
    """The paragraphs of a Debian control file as fields; continued lines are joined by newlines."""
    with reading(name, "a list of packages in UTF-8"):
        lines = content.decode("utf-8")
    for paragraph in lines.split("\n\n"):
        fields: dict[str, str] = {}
        key = ""
        for line in paragraph.split("\n"):
            if line[:1] in (" ", "\t"):
                fields[key] = fields.get(key, "") + "\n" + line
            elif ":" in line:
                key, value = line.split(":", 1)
                fields[key] = value.strip()
        if "Package" in fields:
            yield fields


def _divided(found: list[Entry]) -> tuple[list[Entry], list[Entry]]:
    """(training, test): a fifth of the source packages, by a hash of their names, is for testing."""
    held = [int(hashlib.sha256(entry.source.encode()).hexdigest()[:8], 16) % 5 == 0 for entry in found]
    train = [e for e, test in zip(found, held, strict=True) if not test]
    return train, [e for e, test in zip(found, held, strict=True) if test]


def _sentences(some: list[Entry]) -> list[tuple[Entry, list[str]]]:
    seen: set[tuple[str, ...]] = set()
    rows = []
    for entry in some:
        for part in sentences(entry.text):
            key = (entry.source, *part)
            if len(part) > 1 and key not in seen:
                seen.add(key)
                rows.append((entry, part))
    return rows


def _owners(some: list[Entry]) -> Array:
    return np.unique([entry.maintainer for entry in some], return_inverse=True)[1].astype(np.int64)


def _hash(address: list[str]) -> str:
    return hashlib.sha256(address[0].strip().lower().encode()).hexdigest()[:16]
