"""DA (50) and (55): how far the local gradients are from those at the centralized model."""

from theorems.fedda.common_flow import FLOW, SMALL_RATE, flows
from theorems.fedda.e54 import prove as prove_distance
from theorems.fedda.e54 import sides
from theorems.vocabulary import *


def compare(s: Instance) -> list[Comparison]:
    r"""at most that

    \|g^i(\bar W^i)-g^i(W)\|\le\|\nabla g^i\|_{L^\infty}(\|g^i\|_{L^\infty}+\|m(0)\|+\|g\|_{L^\infty})\tau
    """
    away, bound = sides(s)
    slopes = [s.a[..., i] for i in range(s.n)]
    return [that(f"client {i + 1}", slopes[i] * away[i]) <= slopes[i] * bound[i] for i in range(s.n)]


def prove() -> None:
    """z3 and sympy: The mean value inequality along the segment, and (54) as an inequality (DA.E54)."""
    prove_distance()
    slope, L, away, bound = reals("slope L away bound")
    smt([0 <= slope, slope <= L, 0 <= away, away <= bound], slope * away <= L * bound)


STATEMENT = Statement(
    kind="upper bound",
    location="(50) and (55), appendix A.3",
    says="|g^i(Wbar^i) - g^i(W)| <= sup |nabla g^i| (sup |g^i| + |m(0)| + sup |g|) tau.",
    reading="Suprema over the points visited (and the segments between them).",
    domain=flows(),
    hypotheses=(SMALL_RATE, FLOW),
    printed=claim_of(compare, prove=prove),
)
