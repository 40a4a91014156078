"""LADA Table 12 against Table 7: the rounds."""

from theorems.fedlada.common_tables import TOTALS
from theorems.numeric_cases import cases, each_exactly, near
from theorems.vocabulary import *

DOMAIN = cases("rounds of Table 12 and of Table 7", *TOTALS)


def printed(s: Instance) -> list[Comparison]:
    return [near(s, "", s.rounds, s.table7, Fraction(1, 2))]


def corrected(s: Instance) -> list[Comparison]:
    return [near(s, "", s.rounds, s.table7, Fraction(7, 10))]


def prove() -> Proof:
    each_exactly(corrected, DOMAIN)
    return Proof("exact rationals", "Thirteen differences.")


STATEMENT = Statement(
    id="LADA.N4",
    kind="identity",
    location="Tables 7 and 12",
    says="Table 12's rounds are those of Table 7, rounded.",
    severity="typo",
    domain=DOMAIN,
    printed=Claim("to the nearest whole number", r"|r_{12}-r_7|\le\tfrac12", printed),
    corrected=Claim("to within 0.7: FedCM's 286.7 is cut off to 286", r"|r_{12}-r_7|\le0.7", corrected, prove),
)
