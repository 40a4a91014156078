"""One page a statement: the claim, the verdict and what decided it, the counterexample, the correction, the steps."""

from __future__ import annotations

from theorems.mathml import display
from theorems.record import NOT_ASKED, Correction, Counterexample, Need, Record, Step, broken
from theorems.report.derivation import joints, lines
from theorems.report.graph import Graph
from theorems.report.page import badge, escape, shell, table
from theorems.symbols import legend, listed, named

__all__ = ["statement_page"]


def statement_page(record: Record, found: Graph | None = None) -> str:
    """statements/<id>.html."""
    title = f"{record['id']}: {record['location']}"
    parts = [f"<h1>{escape(title)}</h1>", f"<p>{escape(record['says'])}</p>", display(record["latex"])]
    if record["reading"]:
        parts.append(f"<p><strong>Reading.</strong> {escape(record['reading'])}</p>")
    parts += ["<h2>Verdict</h2>", _verdict(record), lines(record)]
    if record["correction"]:
        parts += ["<h2>What holds in its place</h2>", _correction(record["correction"])]
    if record["counterexample"]:
        parts += ["<h2>Counterexample</h2>", counterexample(record["id"], record["counterexample"])]
        parts.append(
            f"<p>Re-check it with the standard library alone: <code>surrogate verify {escape(record['id'])}</code>.</p>"
        )
    if record["needs"]:
        parts += ["<h2>What each hypothesis is for</h2>", *_needs(record)]
    if record["steps"]:
        parts += ["<h2>Steps and remarks</h2>", *(_step(record["id"], step) for step in record["steps"])]
    if record["note"]:
        parts += ["<h2>Note</h2>", f"<p>{escape(record['note'])}</p>"]
    parts += ["<h2>How the parts are tied</h2>", joints(record)]
    parts += [_neighbours(record["id"], found) if found else "", _contest(record["id"])]
    return shell(title, "\n".join(parts), up="../")


def _neighbours(name: str, found: Graph) -> str:
    """Links to what it rests on, what rests on it, and what its words name."""
    listed = (("rests on", found.rests[name]), ("used by", found.used_by(name)), ("see also", found.names[name]))
    rows = [[words, ", ".join(_beside(other) for other in others)] for words, others in listed if others]
    return f"<h2>Other statements</h2>{table(['how', 'statements'], rows)}" if rows else ""


def _beside(name: str) -> str:
    return f'<a href="{name}.html">{escape(name)}</a>'


def _contest(name: str) -> str:
    return (
        "<h2>How to contest this</h2><p>If we read the paper otherwise than its authors meant: say which words of the "
        "reading are wrong, quote the sentence that shows it, and give the comparison that is meant. If the "
        "counterexample breaks a hypothesis: name the hypothesis. If a line does not follow: name the line. "
        f"<code>surrogate report --bundle {escape(name)}</code> writes one file with the statement, its certificates "
        "and the checker, which runs with a bare Python; the address of this page stays the same.</p>"
    )


def _verdict(record: Record) -> str:
    rows = [["verdict", badge(record["verdict"])]]
    if record["severity"]:
        rows.append(["severity", escape(record["severity"])])
    rows.append(["evidence", escape(record["evidence"]) or "none"])
    rows += [
        [name, escape(text)] for name, text in (("decided by", record["decided_by"]), ("domain", record["domain"]))
    ]
    rows += [["bridges", escape("; ".join(record["bridges"]))]] if record["bridges"] else []
    rows.append(["instances looked at", f"{record['examples']:,}"])
    if record["tightness"]:
        found = record["tightness"]
        rows.append(["tightness", f"left / right up to {found['ratio']:.6g} ({escape(found['status'])})"])
        rows.append(["tightest at", f"<code>{escape(listed(record['id'], found['at']))}</code>"])
    if record["proof_broken"]:
        rows.append(["printed proof", f"a step fails as printed: {escape(record['proof_broken'])}"])
    return table(["", ""], rows)


def counterexample(name: str, found: Counterexample) -> str:
    """The instance in fractions, and the comparison that it breaks."""
    rows = [
        [f"<code>{escape(symbol)}</code>", escape(value)] for symbol, value in named(name, found["instance"]).items()
    ]
    meant = legend(name, found["instance"])
    where = f"<p>{escape(meant)}.</p>" if meant else ""
    return f"{table(['quantity', 'value'], rows)}{where}<p>{escape(broken(found))}.</p>"


def _correction(correction: Correction) -> str:
    text = f"{correction['verdict']}, {correction['evidence']}, {correction['examples']:,} instances"
    tight = correction["tightness"]
    tightness = f"; left / right up to {tight['ratio']:.6g}" if tight else ""
    words = f"<p>{escape(correction['says'])}</p>{display(correction['latex'])}<p>{escape(text + tightness)}.</p>"
    domain = f"<p><strong>Where.</strong> {escape(correction['domain'])}.</p>" if correction["domain"] else ""
    return f"{words}{domain}<p><strong>Why.</strong> {escape(correction['decided_by'])}</p>{lines(correction)}"


def _needs(record: Record) -> list[str]:
    """A table of those that were asked about, and a sentence on the others."""
    asked = [need for need in record["needs"] if not need["without"].startswith(NOT_ASKED)]
    rows = [[escape(need["hypothesis"]), _need(record["id"], need)] for need in asked]
    given = "; ".join(
        f"{n['hypothesis']}: {n['without'].removeprefix(NOT_ASKED)}" for n in record["needs"] if n not in asked
    )
    sentence = f"<p>{'Assumed, too' if asked else 'Assumed'}: {escape(given)}.</p>" if given else ""
    return [table(["hypothesis", "without it"], rows) if asked else "", sentence]


def _need(name: str, need: Need) -> str:
    found = need.get("counterexample")
    if not found:
        return escape(need["without"])
    example = listed(name, found["instance"], "; ")
    return f"{escape(need['without'])}<br><code>{escape(example)}</code><br>{escape(broken(found))}"


def _step(name: str, step: Step) -> str:
    parts = [f"<h3>{escape(step['name'])}: {badge(step['verdict'])} ({escape(step['evidence'])})</h3>"]
    parts += [f"<p>{escape(step['says'])}</p>", display(step["latex"])]
    if step["counterexample"]:
        parts.append(counterexample(name, step["counterexample"]))
    parts.append(lines(step))
    if step["correction"]:
        parts.append(f"<p><strong>Instead.</strong> {escape(step['correction'])}</p>")
    return "\n".join(parts)
