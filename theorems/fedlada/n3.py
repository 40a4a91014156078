"""LADA Table 12: total communication."""

from theorems.fedlada.common_tables import TOTALS
from theorems.numeric_cases import cases, each_exactly, near
from theorems.vocabulary import *

DOMAIN = cases("Table 12: rounds, cost a round (Table 11), communication, ratio", *TOTALS)


def compare(s: Instance) -> list[Comparison]:
    r"""the table's arithmetic

    \text{communication}=\text{rounds}\times\text{cost}
    """
    return [
        that("communication", s.rounds * s.cost) == s.sent,
        near(s, "ratio", s.sent / s.fedavg, s.ratio, Fraction(1, 100)),
    ]


def prove() -> None:
    """exact rationals: Each product and quotient of the table, given the costs of Table 11."""
    each_exactly(compare, DOMAIN)


STATEMENT = Statement(
    kind="identity",
    location="Table 12, C.3",
    says="Communication is rounds times the cost a round, and ratios are to FedAvg's.",
    reading="To within 0.01: ratios are cut off, not rounded. The costs are Table 11's (but see LADA.K11).",
    domain=DOMAIN,
    printed=claim_of(compare, prove=prove),
    note="With LADA.K11's costs both ways FedLADA's ratios become 1.20 (70 %) and 0.87 (80 %), FedCM's 1.13 and 0.80.",
)
