"""LADA Table 12 against Table 7: the rounds."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from theorems.fedlada import common_tables as tables
from theorems.fedlada.common import constants, each_exactly
from theorems.statement import Claim, Comparison, Proof, Statement

DOMAIN = constants(
    "rounds of Table 12 and of Table 7",
    rounds=tuple(row[0] for row in (*tables.FOR_70, *tables.FOR_80)),
    seven=(*tables.SEVEN_70, *tables.SEVEN_80),
)


def within(s: Any, most: Fraction) -> list[Comparison]:
    gaps = [s.nb.abs(a - b) for a, b in zip(s.rounds, s.seven, strict=True)]
    return [Comparison(f"entry {k}", gap, "<=", gap * 0 + s.nb.number(most)) for k, gap in enumerate(gaps)]


def printed(s: Any) -> list[Comparison]:
    return within(s, Fraction(1, 2))


def corrected(s: Any) -> list[Comparison]:
    return within(s, Fraction(7, 10))


def prove() -> Proof:
    each_exactly(corrected, DOMAIN)
    return Proof("exact rationals", "Thirteen differences.")


STATEMENT = Statement(
    id="LADA.N4",
    paper="fedlada",
    kind="identity",
    location="Tables 7 and 12",
    says="Table 12's rounds are those of Table 7, rounded.",
    severity="typo",
    domain=DOMAIN,
    printed=Claim("to the nearest whole number", r"|r_{12}-r_7|\le\tfrac12", printed),
    corrected=Claim("to within 0.7: FedCM's 286.7 is cut off to 286", r"|r_{12}-r_7|\le0.7", corrected, prove),
)
