"""LADA Table 12 against Table 7: the rounds."""

from theorems.fedlada.common_tables import TOTALS
from theorems.numeric_cases import cases, each_exactly, near
from theorems.vocabulary import *

DOMAIN = cases("rounds of Table 12 and of Table 7", *TOTALS)


def printed(s: Instance) -> list[Comparison]:
    r"""to the nearest whole number

    |r_{12}-r_7|\le\tfrac12
    """
    return [near(s, "|rounds - those of Table 7|", s.rounds, s.table7, Fraction(1, 2))]


def corrected(s: Instance) -> list[Comparison]:
    r"""to within 0.7: FedCM's 286.7 is cut off to 286

    |r_{12}-r_7|\le0.7
    """
    return [near(s, "|rounds - those of Table 7|", s.rounds, s.table7, Fraction(7, 10))]


def prove() -> None:
    """exact rationals: Thirteen differences."""
    each_exactly(corrected, DOMAIN)


STATEMENT = Statement(
    kind="identity",
    location="Tables 7 and 12",
    says="Table 12's rounds are those of Table 7, rounded.",
    reading="Not said: both tables have the rounds to 70 and 80 % on CIFAR-10, so that they should agree.",
    severity="typo",
    domain=DOMAIN,
    printed=claim_of(printed),
    corrected=claim_of(corrected, prove=prove),
)
