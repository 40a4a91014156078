"""DA Table 5: FedDA against nine methods on Stack Overflow."""

from theorems.fedda.common_tables import tests
from theorems.numeric_cases import cases, each_exactly
from theorems.vocabulary import *

DOMAIN = cases("Table 5: FedDA and the others, all three optimizers", {"columns": [
    [row["ours"], *row["others"]] for row in tests("Stack Overflow")
]})  # fmt: skip


def leads(s: Instance) -> list[Any]:
    """FedDA less the best of the others, for each optimizer."""
    found = []
    for ours, first, *others in s.columns:
        for other in others:
            first = s.nb.maximum(first, other)
        found.append(ours - first)
    return found


def printed(s: Instance) -> list[Comparison]:
    r"""The median of FedDA's three leads over the best of the others is at least 0.

    \mathrm{median}(\text{FedDA}-\max\text{others})\ge0
    """
    a, b, c = leads(s)
    low, high = s.nb.minimum, s.nb.maximum
    return [that("median lead", high(low(a, b), low(c, high(a, b)))) >= a * 0]


def corrected(s: Instance) -> list[Comparison]:
    r"""FedDA is not below the others with Adam alone, where FedOpt has the same 0.642; CLIMB's 0.302 is higher with
    SGDM, FedOpt's 0.691 with AdaGrad.

    0.273<0.302,\quad0.642=0.642,\quad0.674<0.691
    """
    sgdm, adam, adagrad = leads(s)
    zero = adam * 0
    return [that("SGDM", sgdm) < zero, that("Adam", adam) == zero, that("AdaGrad", adagrad) < zero]


def prove() -> None:
    """exact rationals: Every number of Table 5 is compared."""
    each_exactly(corrected, DOMAIN)


STATEMENT = Statement(
    kind="identity",
    location="Table 5 and 'final accuracy over Stack Overflow', A.4",
    says="The accuracy achieved by FedDA is the highest in most tests.",
    reading="'Most' of the three columns: two; a tie counts for FedDA. (Of all nine columns of Tables 2, 3 and 5 it is "
    "highest in seven.)",
    severity="substantive",
    domain=DOMAIN,
    printed=claim_of(printed),
    corrected=claim_of(corrected, prove=prove),
)
