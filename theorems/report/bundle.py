"""The referee's bundle: one Python file with a statement, its certificates, the checkers and the versions.

It runs with a bare Python and needs nothing of this package: ``python OLR.C22.py`` re-checks and says what it saw.
"""

from __future__ import annotations

import json
import platform
import re
from collections.abc import Mapping
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from surrogate.kit.errors import problem
from surrogate.kit.files import whole
from theorems import leaf_store, leaves, records, verify
from theorems.record import Record
from theorems.records import judgements

__all__ = ["bundle", "write_bundle"]

_CHECKERS = {"verify": Path(verify.__file__), "leaves": Path(leaves.__file__)}
_PACKAGES = ("quadratic-surrogates", "numpy", "python-flint", "sympy", "z3-solver", "cvc5")
_HEAD = '''"""{id}: a verdict, its certificates, and the code that re-checks them. Run it: python {id}.py

It imports fractions and json (and types, to keep the checkers apart). `surrogate report --bundle {id}` wrote it.
"""

import json
import types

SOURCES = {sources}

STATEMENT = json.loads(
    {statement}
)


def module(name):
    """One of the checkers, as it stands in the package."""
    made = types.ModuleType(name)
    exec(compile(SOURCES[name], name + ".py", "exec"), made.__dict__)
    return made


def main():
    """Say what the statement is, re-check each certificate; 1 where one fails."""
    record, dead = STATEMENT["record"], 0
    print(record["id"] + ", " + record["location"])
    print("says: " + record["says"])
    print("verdict: " + ", ".join(filter(None, [record["verdict"], record["severity"], record["evidence"]])))
    for kind, checker, function, items in STATEMENT["certificates"]:
        check = getattr(module(checker), function)
        for name, item in items.items():
            sound, why = check(item)
            dead += not sound
            print(kind + " " + name + ": " + ("re-checked" if sound else "DEAD: " + why))
    print(str(dead) + " dead")
    return 1 if dead else 0


if __name__ == "__main__":
    raise SystemExit(main())
'''


def bundle(record: Record) -> str:
    """The text of the file."""
    refuted = {which: judged["certificate"] for which, judged in judgements(record) if judged["certificate"]}
    checked: list[tuple[str, str, str, Mapping[str, Any]]] = [
        ("counterexample", "verify", "check_certificate", refuted),
        ("leaf", "leaves", "check_leaf", {name: leaf_store.find(name) for name in records.leaves([record])}),
    ]
    if not any(items for *_, items in checked):
        raise problem(
            f"bundle of {record['id']}", f"no certificate ({record['verdict']}, {record['evidence']})",
            "a statement with something to re-check", "a verdict that was argued for in words, or searched",
            f"read the argument: `surrogate show {record['id']}`",
        )  # fmt: skip
    plain = {key: value for key, value in record.items() if key != "certificate"}
    statement = {"record": plain, "certificates": checked, "versions": _versions()}
    sources = {name: file.read_text(encoding="utf-8") for name, file in _CHECKERS.items()}
    text = _HEAD.replace("{id}", record["id"])
    parts = {"sources": _literal(sources), "statement": _text(json.dumps(statement, ensure_ascii=False))}
    return re.sub(r"\{(sources|statement)\}", lambda found: parts[found[1]], text)


def write_bundle(record: Record, out: Path) -> Path:
    """``out``/ID.py, written whole or not at all."""
    file = out / f"{record['id']}.py"
    file.parent.mkdir(parents=True, exist_ok=True)
    with whole(file) as partial:
        partial.write_text(bundle(record), encoding="utf-8")
    return file


def _literal(sources: Mapping[str, str]) -> str:
    """The checkers' sources as readable literals."""
    rows = ",\n".join(f"    {name!r}: {_text(source)}" for name, source in sources.items())
    return f"{{\n{rows},\n}}"


def _text(text: str) -> str:
    """A literal over several lines, raw where it can be."""
    if "'''" in text or text.endswith(("'", "\\")):
        return repr(text)
    return f"r'''{text}'''"


def _versions() -> dict[str, str]:
    found = {"python": platform.python_version()}
    for name in _PACKAGES:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            found[name] = "not installed"
    return found
