"""LADA Table 1: the speed-up factors."""

from theorems.fedlada.common_tables import SPEEDUPS
from theorems.numeric_cases import cases, each_exactly, near
from theorems.vocabulary import *

DOMAIN = cases("Table 1: rounds, rounds of the best method, factor", *SPEEDUPS)
MENDED = {"test C10, SCAFFOLD": "1.97", "test C10, FedCM": "2.03"}
RIGHT = cases("Table 1, mended", *({**row, "factor": MENDED.get(row["name"], row["factor"])} for row in SPEEDUPS))


def factor(s: Instance) -> list[Comparison]:
    return [near(s, "", s.rounds / s.best, s.factor, Fraction(1, 100))]


def prove() -> None:
    """exact rationals: Each factor is divided out."""
    each_exactly(factor, RIGHT)


STATEMENT = Statement(
    kind="identity",
    location="Table 1",
    says="The factors in brackets are rounds over the rounds of the best method.",
    reading="To within 0.01: most are cut off, not rounded.",
    severity="typo",
    domain=DOMAIN,
    printed=Claim("all factors", r"\text{factor}=\text{rounds}/\text{rounds of the best}", factor),
    corrected=Claim(
        "1.97x and 2.03x for SCAFFOLD and FedCM on CIFAR-10, test",
        r"1177/598=1.97,\ 1211/598=2.03",
        factor,
        prove,
        RIGHT,
    ),
    note="2.04 and 2.11 belong to no common base: 1177/2.04 and 1211/2.11 differ by 3 rounds. They are near 575, the "
    "training rounds of LocalAdam.",
)
