"""LADA section 4.3: K = 4 against K = 2."""

from theorems.numeric_cases import cases, each_exactly, near
from theorems.vocabulary import *

DOMAIN = cases("the factor that section 4.3 quotes", {"factor": "2.2"})
TABLE_4 = cases("Table 4: rounds for K = 2, 4, 10", {"two": "878", "four": "614", "ten": "959"})


def printed(s: Instance) -> list[Comparison]:
    r"""2.2 is 2 to within a tenth

    |2.2-\tfrac42|\le\tfrac1{10}\cdot\tfrac42

    1/sqrt(SKT) <= eps asks for rounds like 1/K.
    """
    return [near(s, "|2.2 - 4/2|", s.factor, "2", Fraction(1, 5))]


def rounds(s: Instance) -> list[Comparison]:
    r"""1.4x; and K = 10 takes more rounds than K = 2

    1.4\le878/614<1.5
    """
    return [
        that("at least 1.4x", s.two) >= s.four * s.nb.number(Fraction(7, 5)),
        that("less than 1.5x", s.two) < s.four * s.nb.number(Fraction(3, 2)),
        that("K = 10 is slower than K = 2", s.ten) > s.two,
    ]


def prove() -> None:
    """exact rationals: One difference."""
    each_exactly(printed, DOMAIN)


def prove_rounds() -> None:
    """exact rationals: Three comparisons of Table 4."""
    each_exactly(rounds, TABLE_4)


STATEMENT = Statement(
    kind="identity",
    location="section 4.3",
    says="K = 4 is about 2.2x as fast as K = 2, which obeys the dominant term 1/sqrt(SKT).",
    reading="The factor is Figure 3's, which is not in numbers, and is taken as it is quoted. 1/sqrt(SKT) <= eps asks "
    "for half the rounds at twice the K: that 2.2 is about 2 is what is judged.",
    domain=DOMAIN,
    printed=claim_of(printed, prove=prove),
    steps=(
        Step(
            "by the rounds of Table 4, to the best accuracy (ours)",
            claim_of(rounds, prove=prove_rounds, domain=TABLE_4),
        ),
    ),
    note="K = 2, 4, 10 with beta1 = 0.9 have C <= 0 in Theorem 3.5 (LADA.D2).",
)
