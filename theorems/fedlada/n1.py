"""LADA Table 1: the speed-up factors."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from theorems.fedlada import common_tables as tables
from theorems.fedlada.common import constants, each_exactly
from theorems.statement import Claim, Comparison, Proof, Statement

DOMAIN = constants(
    "Table 1: rounds and printed factors, and the rounds of the best method",
    best=("575", "618", "878", "598", "447", "269"),
    rows=(tables.TRAIN_C10, tables.TRAIN_C100, tables.TRAIN_TI, tables.TEST_C10, tables.TEST_C100, tables.TEST_TI),
)
NAMES = ("train C10", "train C100", "train TinyImageNet", "test C10", "test C100", "test TinyImageNet")


def factors(s: Any, skip: tuple[str, ...] = ()) -> list[Comparison]:
    found = []
    for name, best, rows in zip(NAMES, s.best, s.rows, strict=True):
        for k, (rounds, printed) in enumerate(rows):
            if name not in skip:
                gap = s.nb.abs(rounds / best - printed)
                found.append(Comparison(f"{name}, row {k}", gap, "<=", gap * 0 + s.nb.number(Fraction(1, 100))))
    return found


def corrected(s: Any) -> list[Comparison]:
    rest = factors(s, skip=("test C10",))
    for (rounds, _), value in zip(s.rows[3], ("1.97", "2.03"), strict=True):
        gap = s.nb.abs(rounds / s.best[3] - s.nb.number(Fraction(value)))
        rest.append(Comparison(f"test C10, {value}", gap, "<=", gap * 0 + s.nb.number(Fraction(1, 200))))
    return rest


def prove() -> Proof:
    each_exactly(corrected, DOMAIN)
    return Proof("exact rationals", "Each factor is divided out.")


STATEMENT = Statement(
    id="LADA.N1",
    paper="fedlada",
    kind="identity",
    location="Table 1",
    says="The factors in brackets are rounds over the rounds of the best method.",
    reading="To within 0.01: most are cut off, not rounded.",
    severity="typo",
    domain=DOMAIN,
    printed=Claim("all factors", r"\text{factor}=\text{rounds}/\text{rounds of the best}", factors),
    corrected=Claim(
        "with 1.97x and 2.03x for SCAFFOLD and FedCM on CIFAR-10, test", r"1177/598,\ 1211/598", corrected, prove
    ),
    note="2.04 and 2.11 belong to no common base: 1177/2.04 and 1211/2.11 differ by 3 rounds. They are near 575, "
    "LocalAdam's training rounds.",
)
