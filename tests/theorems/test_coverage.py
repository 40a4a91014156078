"""Each paper's map: complete against the statements and its own list of parts, and that list against the paper's text.

The papers' texts are not in the repository. Everywhere a map is compared with the statements' records and with the
numbers in its own ``parts``; where the texts are (SURROGATE_PAPERS, or /work/shared/papers) those numbers are compared
with what the text shows. What optical recognition has lost is listed here.
"""

from __future__ import annotations

import os
import re
from dataclasses import replace
from pathlib import Path

import pytest

from surrogate.kit.papers import PAPERS
from theorems import coverage, records
from theorems.coverage import Map, Place
from theorems.record import is_printed

TEXTS = Path(os.environ.get("SURROGATE_PAPERS", "/work/shared/papers"))
FOLDERS = [folder for folder, _ in PAPERS.values()]
RECORDS = records.read_all()
IDS = [record["id"] for record in RECORDS]

ITEM = r"(?:[A-H]\.)?\d{1,2}(?:\.\d+)*"
HEADINGS = (
    re.compile(rf"^#* ?\**({ITEM})\.?\** +\**[A-Z]", re.M),
    re.compile(r"^(?:# ?\**|#{2,} \**|A(?:ppendix|PPENDIX) )([A-H])[. ]\**[. ]*[A-Z]", re.M),
)
RESULTS = re.compile(
    r"^[#* ]*(Theorem|Lemma|Corollary|Remark|Assumption|Algorithm|Table|TABLE|Figure|Fig\.) ([A-H]\.)?(\d+(?:\.\d+)*)",
    re.M,
)
DISPLAYS = re.compile(r"^\((\d{1,3})[a-z]?\)$|(?:\(|\\tag\{)(\d{1,3})[a-z]?[)}][\s$]*$", re.M)
# Numbers at the beginning of a line that are no headings, and sections without text of their own.
NOT_PARTS = {
    "outsized": {"section 16", "section B", "section B.1", "section B.2", "section B.4"},
    "fedda": {"section A"},
    "fedlada": {"section 3", "section 4", "section A", "section C"},
    "fedlamb": {"section A", "section B"},
    "local_adaptivity": {"section B", "section F"},
}

UNSEEN = {  # not at the beginning or end of a line
    "fedlada": {"section 1", "display 20", "figure 5", "table 8"},
    "local_adaptivity": {
        *(f"display {n}" for n in (33, *range(39, 44), 104, 105)), "section A", "definition 1", "lemma 3"
    },
}  # fmt: skip


def whole(folder: str) -> Map:
    found = coverage.read(folder)
    assert found is not None, f"no map of {folder}"
    return found


def faults(found: Map, folder: str) -> list[str]:
    own = [record["id"] for record in RECORDS if record["paper"] == folder and is_printed(record)]
    return coverage.faults(found, IDS, own)


def shown(text: str) -> set[str]:
    """Sections, results, tables, figures and displays that a paper's text numbers."""
    found = {f"section {number}" for pattern in HEADINGS for number in pattern.findall(text)}
    for kind, letter, number in RESULTS.findall(text):
        found.add(f"{kind.lower().replace('fig.', 'figure')} {letter}{number}")
    return found | {f"display {number or other}" for number, other in DISPLAYS.findall(text)}


@pytest.mark.parametrize("folder", FOLDERS)
def test_the_map_is_complete(folder: str) -> None:
    assert faults(whole(folder), folder) == []


@pytest.mark.parametrize("folder", [folder for folder in FOLDERS if (TEXTS / f"{folder}.txt").is_file()])
def test_the_parts_are_those_of_the_paper(folder: str) -> None:
    found = shown((TEXTS / f"{folder}.txt").read_text(encoding="utf-8")) - NOT_PARTS.get(folder, set())
    parts = whole(folder).parts
    assert sorted(found - parts) == []
    assert sorted(parts - found - UNSEEN.get(folder, set())) == ["abstract"]


def test_a_part_that_the_map_does_not_list_is_seen_in_the_text() -> None:
    text = "Appendix D. More\n4.2 Rates of it\nLemma 7 Let\nTable 9: Rates\nx = y (49)\n\\tag{50}$$\nas in (51) above\n"
    assert shown(text) == {"section D", "section 4.2", "lemma 7", "table 9", "display 49", "display 50"}


PLANTED = {
    "an unknown id": (lambda m: moved(m, "OLR.T3", "OLR.T99"), "no statement OLR.T99"),
    "a display left out": (lambda m: without(m, "(22)"), "display 22 is not on the map"),
    "a display out of a range left out": (lambda m: changed(m, "(41) to (48)", "(41) to (47)"), "display 48 is not"),
    "a section left out": (lambda m: without(m, "Section 8.1"), "section 8.1 is not on the map"),
    "a section that is only stood beside": (lambda m: changed(m, "Section 8.1", "after Section 8.1"), "8.1 is not on"),
    "a lemma left out": (lambda m: without(m, "Lemma 32"), "lemma 32 is not on the map"),
    "a table left out": (lambda m: changed(m, "Tables 3 to 7", "Tables 4 to 7"), "table 3 is not on the map"),
    "a statement left out": (lambda m: moved(m, "OLR.D9", "OLR.T3"), "OLR.D9 is not on the map"),
    "neither ids nor a reason": (lambda m: emptied(m, "Section 8.1"), "Figure 2: wants either ids or a reason"),
    "ids and a reason": (lambda m: moved(m, "OLR.T3", "OLR.T3", reason="known"), "wants either ids or a reason"),
    "nothing said": (lambda m: changed(m, "", "", says=""), "says nothing"),
    "a part that the paper does not have": (lambda m: changed(m, "(22)", "(22), (49)"), "display 49 is not among"),
}  # fmt: skip


def moved(found: Map, old: str, new: str, **also: str) -> Map:
    """The same map with another id in a statement's place."""
    return replace(found, places=tuple(
        replace(p, ids=tuple(new if name == old else name for name in p.ids), **also) if old in p.ids else p
        for p in found.places
    ))  # fmt: skip


def without(found: Map, words: str) -> Map:
    return replace(found, places=tuple(p for p in found.places if words not in p.at))


def changed(found: Map, old: str, new: str, **also: str) -> Map:
    return replace(found, places=tuple(replace(p, at=p.at.replace(old, new), **also) for p in found.places))


def emptied(found: Map, words: str) -> Map:
    return replace(found, places=tuple(Place(p.at, p.says) if words in p.at else p for p in found.places))


@pytest.mark.parametrize("kind", PLANTED)
def test_a_planted_fault_is_found(kind: str) -> None:
    plant, words = PLANTED[kind]
    found = whole("outsized")
    assert faults(found, "outsized") == []
    assert any(words in fault for fault in faults(plant(found), "outsized"))
