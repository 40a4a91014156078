"""The errata of one paper, as Markdown and as LaTeX that could be sent to its authors.

Only the paper's own statements count. Each entry says what is printed, what holds in its place and where the printed
statement stands, why, and one counterexample.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from theorems.record import BESIDE, WORDS, Counterexample, Record, broken, is_ours, is_printed
from theorems.symbols import legend, listed

__all__ = ["latex", "markdown"]
_HEADINGS = {
    "substantive": "Statements that need a change",
    "missing-hypothesis": "Statements that need a hypothesis",
    "typo": "Slips of the pen",
}


class Block(NamedTuple):
    """One part of the errata: a title, section, entry, text, formula, or item of a list."""

    kind: str
    text: str


def markdown(title: str, records: Sequence[Record]) -> str:
    """Errata as Markdown."""
    shapes = {"title": "# {}", "section": "## {}", "entry": "### {}", "formula": "$${}$$", "item": "- {}", "text": "{}"}
    blocks = [shapes[kind].format(text) for kind, text in _blocks(title, records)]
    return "\n\n".join(blocks) + "\n"


def latex(title: str, records: Sequence[Record]) -> str:
    """Errata as a LaTeX document: the same entries, formulas displayed."""
    shapes = {
        "title": r"\section*{{{}}}", "section": r"\subsection*{{{}}}", "entry": r"\paragraph{{{}}}", "text": "{}",
        "item": r"\par\noindent\textbullet\ {}", "formula": r"\[{}\]",
    }  # fmt: skip
    head = [r"\documentclass{article}", r"\usepackage{amsmath,amssymb}", r"\begin{document}"]
    blocks = [
        shapes[kind].format(text if kind == "formula" else _tex(text.replace("`", "")))
        for kind, text in _blocks(title, records)
    ]
    return "\n".join([*head, *blocks, r"\end{document}", ""])


def _blocks(title: str, records: Sequence[Record]) -> Iterator[Block]:
    own = [record for record in records if is_printed(record)]
    yield Block("title", f"Errata for {title}")
    yield Block("text", _opening(own))
    for severity, heading in _HEADINGS.items():
        found = [record for record in own if record["severity"] == severity]
        if found:
            yield Block("section", heading)
        for record in found:
            yield from _entry(record)
    steps = [(r, s) for r in own if r["verdict"] == "holds" for s in r["steps"] if s["verdict"] == "false"]
    steps = [(record, step) for record, step in steps if not is_ours(step)]
    if steps:
        yield Block("section", "Displayed steps and remarks that fail, of statements that stand")
    for record, step in steps:
        name, says = step["name"].removeprefix(BESIDE), step["says"].removesuffix(".")
        words = f"{record['location']} ({record['id']}). Printed: {name} ({says})."
        instead = f" Instead: {step['correction'].removesuffix('.')}." if step["correction"] else ""
        why = f" It fails at {_example(record['id'], step['counterexample'])}" if step["counterexample"] else ""
        yield Block("item", words + instead + why)


def _opening(records: Sequence[Record]) -> str:
    false = [record for record in records if record["verdict"] == "false"]
    counts = ", ".join(
        f"{sum(r['severity'] == severity for r in false)} {severity}" for severity in _HEADINGS
    )  # in the order of the sections
    return (
        f"Of {len(records)} of the paper's statements that were checked, {len(records) - len(false)} stand as printed "
        f"and {len(false)} fail as printed ({counts}). Every counterexample below is exact and meets the printed "
        "hypotheses; `surrogate verify` re-checks each in rational arithmetic."
    )


def _entry(record: Record) -> Iterator[Block]:
    yield Block("entry", f"{record['location']} ({record['id']}).")
    yield Block("text", f"Printed: {record['says']}")
    yield from _formulas(record["latex"])
    if record["reading"]:
        yield Block("text", f"As we read it: {record['reading']}")
    correction = record["correction"]
    if correction:
        yield Block("text", f"What holds in its place: {correction['says']}.".replace("..", "."))
        yield from _formulas(correction["latex"])
        shown = WORDS.get(correction["evidence"], correction["evidence"])
        yield Block("text", f"This is shown {shown}: {correction['decided_by']}.".replace("..", "."))
    if record["counterexample"]:
        yield Block("text", f"The printed one fails at {_example(record['id'], record['counterexample'])}")
    if record["proof_broken"]:
        yield Block("text", f"A step of its proof fails as printed: {record['proof_broken']}.")


def _formulas(latex: str) -> Iterator[Block]:
    return (Block("formula", line) for line in latex.strip().split("\n") if line)


def _example(name: str, found: Counterexample) -> str:
    where = legend(name, found["instance"])
    return f"{listed(name, found['instance'])}{f' ({where})' if where else ''}: there {broken(found)}."


def _tex(text: str) -> str:
    """Plain words as LaTeX."""
    marks = {"\\": r"\textbackslash{}", "_": r"\_", "&": r"\&", "%": r"\%", "#": r"\#", "^": r"\^{}", "~": r"\~{}"}
    marks |= {"{": r"\{", "}": r"\}", "$": r"\$"}
    plain = "".join(marks.get(letter, letter) for letter in text)
    return plain.replace("<=", r"$\le$").replace(">=", r"$\ge$").replace("<", r"$<$").replace(">", r"$>$")
