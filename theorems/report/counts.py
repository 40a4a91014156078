"""What the verdicts rest on and how much of the papers is mapped, counted from what is recorded.

Printed at the end of the overview and by ``surrogate report``: statements and corrections at each evidence word,
bridges crossed, certificates, places of the papers with ids and with reasons.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from surrogate.kit.papers import PAPERS
from theorems import coverage, leaf_store, records
from theorems.coverage import Map
from theorems.record import WORDS, Judged, Record
from theorems.report.page import escape, table

__all__ = ["Counts", "counts", "maps", "section", "sentences"]


@dataclass(frozen=True)
class Counts:
    """Numbers of statements, corrections and steps by evidence word; bridges by name; certificates; mapped places."""

    statements: Counter[str]
    headlines: Counter[str]  # headline statements and their corrections
    corrections: Counter[str]
    steps: Counter[str]
    bridges: Counter[str]  # how many statements cross each
    refutations: int  # counterexamples with a certificate, of statements, corrections and steps
    leaves: int
    certified: int  # leaves whose certificate is stored, and holds
    places: Mapping[str, tuple[int, int]]  # a paper's folder: places with ids, places with a reason


def counts(found: Sequence[Record], maps: Mapping[str, Map]) -> Counts:
    """Everything is counted here; nothing is known in advance."""
    judged = [each for record in found for _, each in records.judgements(record)]
    crossed = (
        name for record in found for name in {b for _, each in records.judgements(record) for b in each["bridges"]}
    )
    used = records.leaves(found)
    bad = {name for name, _ in leaf_store.troubles(used)}
    return Counts(
        _words(found),
        _words(part for r in found if r["headline"] for part in (r, r["correction"]) if part),
        _words(record["correction"] for record in found if record["correction"]),
        _words(step for record in found for step in record["steps"]),
        Counter(crossed),
        sum(bool(each["certificate"]) for each in judged),
        len(used),
        len(used.keys() - bad),
        {folder: _kinds(each) for folder, each in maps.items()},
    )


def _words(parts: Iterable[Judged]) -> Counter[str]:
    return Counter(part["evidence"] or part["verdict"] for part in parts)


def _kinds(found: Map) -> tuple[int, int]:
    with_ids = sum(bool(place.ids) for place in found.places)
    return with_ids, len(found.places) - with_ids


def sentences(found: Counts) -> list[str]:
    """The numbers in lines of plain text."""
    with_ids, with_reason = (sum(kinds) for kinds in zip(*found.places.values(), strict=True))
    return [
        f"{found.statements.total()} statements: {_listed(found.statements)}",
        f"{found.headlines.total()} headline statements and their corrections: {_listed(found.headlines)}",
        f"{found.corrections.total()} corrections: {_listed(found.corrections)}",
        f"{found.steps.total()} steps of printed proofs: {_listed(found.steps)}",
        f"{len(found.bridges)} bridges (standard facts by name) are crossed, {found.bridges.total()} times in all",
        f"{found.refutations} counterexamples and {found.certified} of {found.leaves} different leaves of derivations "
        "have a certificate",
        f"{with_ids + with_reason} places of {len(found.places)} papers are mapped: {with_ids} to statements, "
        f"{with_reason} to a reason why there is nothing to check",
    ]


def _listed(words: Counter[str]) -> str:
    order = [*WORDS, *(word for word in words if word not in WORDS)]
    return ", ".join(f"{words[word]} {word}" for word in order if words[word])


def section(found: Counts) -> str:
    """The same as tables, at the end of the overview."""
    rows = [
        [escape(word), escape(means), found.statements[word], found.corrections[word], found.steps[word]]
        for word, means in {**WORDS, "not-checkable": "not decided: no finite check exists"}.items()
        if found.statements[word] or found.corrections[word] or found.steps[word]
    ]
    titles = {folder: title for folder, title in PAPERS.values()}
    mapped = [
        [f'<a href="coverage/{folder}.html">{escape(titles[folder])}</a>', ids + reasons, ids, reasons]
        for folder, (ids, reasons) in found.places.items()
    ]
    bridges = "; ".join(f"{escape(name)} ({number})" for name, number in found.bridges.most_common())
    told = sentences(found)
    return "\n".join(
        [
            '<h2 id="counts">What the verdicts rest on</h2>',
            f"<p>{escape('. '.join(told[:2]))}.</p>",
            table(["evidence", "how it was shown", "statements", "corrections", "steps of printed proofs"], rows),
            f"<p>{escape(told[5])}. {escape(told[4])}: {bridges}.</p>",
            '<h2 id="coverage">How much of the papers is covered</h2>',
            f"<p>{escape(told[6])}.</p>",
            table(["map of", "places", "with statements", "with a reason"], mapped),
        ]
    )


def maps() -> dict[str, Map]:
    """The maps of the papers that have one, by folder."""
    return {folder: found for folder, _ in PAPERS.values() if (found := coverage.read(folder))}
