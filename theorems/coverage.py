"""Maps of the papers: each section, display, result, table and figure to statement ids, or to a reason.

``theorems/<paper>/coverage.toml`` lists in ``parts`` the numbers of what the paper prints ("Sections 1, 2.1", "(1) to
(48)", "Lemmas 1, 2"; of a divided section only where it has text of its own), and by ``[[place]]`` what is said where,
with the ``ids`` that judge it or a ``reason``. ``faults`` compares a map with itself and with the statements. Whether
``parts`` lists all that is printed only the paper's text can say, which is not in this repository: the test compares
the two where the text is.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

__all__ = ["Map", "Place", "faults", "named", "read"]

_ITEM = r"(?:[A-H](?:\.\d+)*\b|\d+(?:\.\d+)*)"
_KIND = "section|appendix|theorem|lemma|corollary|remark|definition|assumption|algorithm|table|figure|display"
_NAMED = re.compile(rf"(before |after |between )?\b((?i:{_KIND}))s? ({_ITEM}(?:(?:,? and |, | to )(?:\2s? )?{_ITEM})*)")


@dataclass(frozen=True)
class Place:
    """One paragraph, display, table or figure: what it says, and what judges it, or why nothing does."""

    at: str
    says: str
    ids: tuple[str, ...] = ()
    reason: str = ""


@dataclass(frozen=True)
class Map:
    """All places of one paper, and what the paper numbers."""

    parts: frozenset[str]
    places: tuple[Place, ...]


def read(folder: str) -> Map | None:
    """The map of a paper; None where there is none."""
    file = Path(__file__).parent / folder / "coverage.toml"
    if not file.is_file():
        return None
    table = tomllib.loads(file.read_text(encoding="utf-8"))
    places = tuple(Place(**{**row, "ids": tuple(row.get("ids", ()))}) for row in table["place"])
    return Map(frozenset(name for line in table.get("parts", ()) for name in named(line)), places)


def named(text: str) -> Iterator[str]:
    """What a paper numbers and a text names; what stands before or after a thing is not the thing.

    >>> sorted(named("Appendix A.2, (5a) to (7) and Lemmas 1 and 3, after (9)"))
    ['display 5', 'display 6', 'display 7', 'lemma 1', 'lemma 3', 'section A.2']
    """
    text = re.sub(r"\((\d+)[a-z]?\)", r"display \1", text).replace("ollaries", "ollary")
    if "abstract" in text.lower():
        yield "abstract"
    for beside, kind, listed in _NAMED.findall(text):
        previous = ""
        for to, item in [] if beside else re.findall(rf"(to )?(?:{kind}s? )?({_ITEM})", listed):
            head, _, last = item.rpartition(".")
            skipped = range(int(previous.rpartition(".")[2]) + 1, int(last)) if to else ()
            numbers = [f"{head}.{number}".lstrip(".") for number in skipped] + [item]
            yield from (f"{kind.lower().replace('appendix', 'section')} {number}" for number in numbers)
            previous = item


def faults(found: Map, ids: Iterable[str], own: Iterable[str]) -> list[str]:
    """What is wrong with a map: ``ids`` are all statements, ``own`` those that the paper makes."""
    known, wrong = set(ids), []
    for place in found.places:
        wrong += [f"{place.at}: no statement {name}" for name in place.ids if name not in known]
        if bool(place.ids) == bool(place.reason):
            wrong.append(f"{place.at}: wants either ids or a reason")
        if not place.says:
            wrong.append(f"{place.at}: says nothing")
    mapped = {name for place in found.places for name in place.ids}
    occurs = {name for place in found.places for name in named(place.at)}
    wrong += [f"{name} is not on the map" for name in sorted(set(own) - mapped) + sorted(found.parts - occurs)]
    return wrong + [f"{name} is not among the parts" for name in sorted(occurs - found.parts)]
