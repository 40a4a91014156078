"""What the verbs share: which statements are meant, and one line about each."""

from __future__ import annotations

from collections import Counter
from typing import Any

from surrogate.kit.errors import problem

__all__ = ["chosen", "line", "positive", "summary"]


def chosen(ids: list[str], paper: str | None) -> list[str]:
    """The statements named, or all of a paper, or all."""
    from theorems import registry
    from theorems.catalogue import PAPERS

    folders = [folder for folder, _ in PAPERS.values()]
    if paper is not None:
        paper = PAPERS.get(paper.upper(), (paper,))[0]
        if paper not in folders:
            raise problem(
                "--paper", repr(paper), f"one of {', '.join(folders)}", "a slip in the name", "use one of them"
            )
    if ids:
        return [registry.named(name) for name in ids]
    return registry.ids(paper)


def positive(value: int, name: str) -> None:
    """A count of at least 1."""
    if value < 1:
        raise problem(name, value, "a whole number >= 1", "a slip", f"leave {name} out for the default")


def line(record: dict[str, Any], complaint: str) -> str:
    """``OLR.C22   false  refuted    substantive   correction holds (searched)``."""
    correction = record.get("correction")
    parts = [
        f"{record['id']:12}",
        f"{record['verdict']:13}",
        f"{record['evidence']:13}",
        f"{record.get('severity') or '':19}",
        f"correction {correction['verdict']} ({correction['evidence']})" if correction else "",
        f"step broken: {record['proof_broken']}" if record.get("proof_broken") else "",
    ]
    text = " ".join(parts).rstrip()
    return "\n    CONTRADICTION: ".join([text, *complaint.splitlines()])


def summary(results: list[dict[str, Any]], trouble: int, seconds: float) -> str:
    """The last line: how many of each verdict."""
    counts = Counter(f"{r['verdict']}" for r in results)
    listed = ", ".join(f"{count} {verdict}" for verdict, count in counts.most_common())
    return f"{len(results)} statements in {seconds:.1f} s: {listed or 'none'}; {trouble} contradictions"
