"""LAMB section 5.1: 20 rounds against 5 are 75 % less communication."""

from theorems.numeric_cases import cases, each_exactly
from theorems.vocabulary import *

DOMAIN = cases("MNIST with the CNN, one local epoch: rounds to 90 %", {"ams": "20", "lamb": "5"})


def saved(s: Instance) -> list[Comparison]:
    r"""1 - 5/20 is 75 %.

    1-\tfrac5{20}=75\,\%
    """
    return [that("saved", 1 - s.lamb / s.ams) == s.nb.number(Fraction(3, 4)) + 0 * s.ams]


def prove() -> None:
    """exact rationals: One quotient."""
    each_exactly(saved, DOMAIN)


STATEMENT = Statement(
    kind="identity",
    location="section 5.1",
    says="Fed-AMS needs 20 rounds to 90 % on MNIST, FED-LAMB 5: a 75 % reduction in the communication cost.",
    reading="A round costs both the same (LAMB.D2). That the rounds are 20 and 5 is figure LAMB.F2's.",
    domain=DOMAIN,
    printed=claim_of(saved, prove=prove),
)
