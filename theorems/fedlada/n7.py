"""LADA section 4.3: K = 4 against K = 2."""

from theorems.numeric_cases import cases, each_exactly
from theorems.vocabulary import *

DOMAIN = cases("Table 4: rounds for K = 2, 4, 10", {"two": "878", "four": "614", "ten": "959"})


def printed(s: Instance) -> list[Comparison]:
    r"""a factor of 2 or more

    878/614\ge4/2

    1/sqrt(SKT) makes rounds fall like 1/K: a factor 2 at least would be seen with '2.2x'.
    """
    return [that("K = 2 against K = 4", s.two) >= 2 * s.four]


def corrected(s: Instance) -> list[Comparison]:
    r"""1.4x; and K = 10 takes more rounds than K = 2

    1.4\le878/614<1.5
    """
    return [
        that("at least 1.4x", s.two) >= s.four * s.nb.number(Fraction(7, 5)),
        that("less than 1.5x", s.two) < s.four * s.nb.number(Fraction(3, 2)),
        that("K = 10 is slower than K = 2", s.ten) > s.two,
    ]


def prove() -> None:
    """exact rationals: Three comparisons of Table 4."""
    each_exactly(corrected, DOMAIN)


STATEMENT = Statement(
    kind="identity",
    location="section 4.3 and Table 4",
    says="K = 4 is about 2.2x as fast as K = 2, which obeys the dominant term 1/sqrt(SKT).",
    reading="Rounds of Table 4 (to the best accuracy); 1/sqrt(SKT) <= eps asks for rounds like 1/K: a factor 2 from K "
    "= 2 to 4.",
    severity="substantive",
    domain=DOMAIN,
    printed=claim_of(printed),
    corrected=claim_of(corrected, prove=prove),
    note="Figure 3, which the 2.2 may be read from, is not in numbers. K = 2, 4, 10 with beta1 = 0.9 have C <= 0 in "
    "Theorem 3.5 (LADA.D2).",
)
