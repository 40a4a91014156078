"""DA (5): 'dW/dtau = - grad L(W) <= 0'."""

from theorems.fedda.common import numeric, procedures
from theorems.fedda.listing_fedda import average
from theorems.vocabulary import *


def slope(s: Instance) -> Any:
    r = numeric(s)
    return average(r.p, [g(r.x) for g in r.grads])


def printed(s: Instance) -> list[Comparison]:
    r"""The velocity - grad L(W) is at most 0, entry by entry.

    -\nabla\mathcal L(W)\le0
    """
    return [that("velocity", -slope(s)) <= s.x * 0]


def corrected(s: Instance) -> list[Comparison]:
    r"""The loss does not grow along it: <grad L, dW/dtau> = - |grad L|^2 <= 0, which is (7).

    \langle\nabla\mathcal L(W),\dot W\rangle=-\|\nabla\mathcal L(W)\|^2\le0
    """
    g = slope(s)
    return [that("rate of the loss", g * -g) <= s.x * 0]


def derive(proof: Derivation, s: Instance) -> None:
    """- |grad L|^2 is minus a sum of squares, entry by entry. Any losses."""
    g = reals("g")
    proof.leaf("minus a square", [], g * -g <= 0, g=slope(s))


STATEMENT = Statement(
    kind="upper bound",
    location="(5), section 3",
    says="dW/dtau = - grad L(W) <= 0.",
    reading="Entry by entry: W is a vector. What is meant is that the loss falls.",
    severity="typo",
    domain=procedures(n=(1, 2), T=(1,)),
    printed=claim_of(printed),
    corrected=claim_of(corrected, derive=derive),
)
