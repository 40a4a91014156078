"""The errata of one paper, as Markdown and as LaTeX that could be sent to its authors."""

from __future__ import annotations

from theorems.record import Record, Step, broken, readable

__all__ = ["latex", "markdown"]
_ORDER = ("substantive", "missing-hypothesis", "typo")
_HEADINGS = {
    "substantive": "Statements that are false",
    "missing-hypothesis": "Statements that lack a hypothesis",
    "typo": "Slips of the pen",
}


def markdown(title: str, records: list[Record]) -> str:
    """Errata as Markdown."""
    lines = [f"# Errata for {title}", "", _opening(records), ""]
    for severity in _ORDER:
        found = [r for r in records if r["severity"] == severity]
        if found:
            lines += [f"## {_HEADINGS[severity]}", ""]
            lines += [line for record in found for line in _entry(record)]
    broken = _broken_proofs(records)
    if broken:
        lines += ["## Proofs with a step that fails, of statements that stand", ""]
        lines += [
            f"- {r['location']} ({r['id']}): {s['name']}. {s['says']} {s['correction']}".rstrip() for r, s in broken
        ]
    return "\n".join(lines).rstrip() + "\n"


def _opening(records: list[Record]) -> str:
    false = sum(r["verdict"] == "false" for r in records)
    return (
        f"Of {len(records)} statements checked, {false} fail as printed. Every counterexample below is exact; "
        "`surrogate verify` re-checks each in rational arithmetic."
    )


def _entry(record: Record) -> list[str]:
    lines = [f"### {record['location']} ({record['id']})", "", record["says"], ""]
    lines += [f"$${line}$$" for line in record["latex"].strip().split("\n") if line] + [""]
    if record["counterexample"]:
        found = record["counterexample"]
        instance = ", ".join(f"{name} = {value}" for name, value in readable(found["instance"]).items())
        lines += [f"Counterexample: {instance}. There {broken(found)}.", ""]
    if record["correction"]:
        correction = record["correction"]
        lines += [f"Correction ({correction['verdict']}, {correction['evidence']}): {correction['says']}", ""]
        lines += [f"$${line}$$" for line in correction["latex"].strip().split("\n") if line] + [""]
    return lines


def _broken_proofs(records: list[Record]) -> list[tuple[Record, Step]]:
    return [(r, s) for r in records if r["verdict"] == "holds" for s in r["steps"] if s["verdict"] == "false"]


def latex(title: str, records: list[Record]) -> str:
    """Errata as a LaTeX document: the same entries, formulas displayed."""
    lines = [r"\documentclass{article}", r"\usepackage{amsmath,amssymb}", r"\begin{document}"]
    lines += [rf"\section*{{Errata for {_tex(title)}}}", _tex(_opening(records).replace("`", "")), ""]
    for severity in _ORDER:
        found = [r for r in records if r["severity"] == severity]
        if found:
            lines += [rf"\subsection*{{{_HEADINGS[severity]}}}", ""]
            lines += [line for record in found for line in _tex_entry(record)]
    broken = _broken_proofs(records)
    if broken:
        lines += [r"\subsection*{Proofs with a step that fails, of statements that stand}", r"\begin{itemize}"]
        lines += [
            rf"\item {_tex(r['location'])}: {_tex(s['name'])}. {_tex(s['says'])} {_tex(s['correction'])}"
            for r, s in broken
        ]
        lines.append(r"\end{itemize}")
    return "\n".join([*lines, r"\end{document}", ""])


def _tex_entry(record: Record) -> list[str]:
    lines = [rf"\paragraph{{{_tex(record['location'])}.}} {_tex(record['says'])}"]
    lines += [rf"\[{line}\]" for line in record["latex"].strip().split("\n") if line]
    if record["counterexample"]:
        found = record["counterexample"]
        instance = ", ".join(f"{name} = {value}" for name, value in readable(found["instance"]).items())
        lines.append(_tex(f"Counterexample: {instance}. There {broken(found)}."))
    if record["correction"]:
        lines.append(_tex(f"Correction: {record['correction']['says']}"))
        lines += [rf"\[{line}\]" for line in record["correction"]["latex"].strip().split("\n") if line]
    return [*lines, ""]


def _tex(text: str) -> str:
    for plain, escaped in (
        ("\\", r"\textbackslash{}"),
        ("_", r"\_"),
        ("&", r"\&"),
        ("%", r"\%"),
        ("#", r"\#"),
        ("^", r"\^{}"),
        ("~", r"\~{}"),
    ):
        text = text.replace(plain, escaped)
    return text.replace("<=", r"$\le$").replace(">=", r"$\ge$").replace("<", r"$<$").replace(">", r"$>$")
