"""Recorded counterexamples as plain fractions, for tests that recompute them without ``theorems``."""

from __future__ import annotations

import json
from fractions import Fraction as F
from pathlib import Path

RECORDS = Path(__file__).parents[3] / "theorems" / "records"


def recorded(name: str) -> dict[str, F]:
    """The numbers of a recorded counterexample."""
    record = json.loads((RECORDS / f"{name}.json").read_text(encoding="utf-8"))
    assert record["verdict"] == "false" and record["severity"] != "typo"
    return numbers(record)


def recorded_step(name: str, start: str) -> dict[str, F]:
    """The numbers that break the step whose name begins like this, of a statement that survives."""
    record = json.loads((RECORDS / f"{name}.json").read_text(encoding="utf-8"))
    (step,) = (s for s in record["steps"] if s["name"].startswith(start))
    assert record["verdict"] == "holds" and step["verdict"] == "false"
    return numbers(step)


def numbers(judged: dict) -> dict[str, F]:
    found = {}
    for key, text in judged["counterexample"]["instance"].items():
        try:
            found[key] = F(text)
        except ValueError:
            continue
    return found


def listed(r: dict[str, F], pattern: str) -> list[F]:
    return [r[key] for key in (pattern.format(i) for i in range(9)) if key in r]
