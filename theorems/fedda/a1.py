"""DA Algorithm 1 against (28) and (29)."""

from theorems.fedda.common import BETA, RATES, agreement, procedures
from theorems.fedda.listing_fedda import algorithm_1, server
from theorems.vocabulary import *

ROUNDS = 2


def sides(r: Any) -> list[tuple[str, Any, Any]]:
    """Two rounds of the listing and of the text."""
    W, m = r.x, r.m
    for _ in range(ROUNDS):
        W, m, _ = server(r.grads, r.p, W, m, r, r.T)
    listed = algorithm_1(r.grads, r.p, r.x, r.m, r, r.T, ROUNDS)
    return [("W", listed[0], W), ("m", listed[1], m)]


STATEMENT = Statement(
    kind="equivalence",
    location="Algorithm 1, appendix A.2",
    says="Algorithm 1 computes (28) and (29).",
    reading="'Aggregation' weighs by N^i/N over the sampled clients, in both.",
    domain=procedures(),
    hypotheses=(RATES, BETA),
    printed=agreement(
        "two rounds end at the same W and m",
        r"(W_2,m_2)=(W(2),m(2))",
        sides,
        "Line by line, for unknown gradients: lines 6 to 8 are (28), lines 9 to 11 (29).",
        grid(n=(1, 2), T=(1, 2)),
        "any losses in any dimension; n, T <= 2, two rounds",
    ),
    note="Neither says how to aggregate with some clients absent. Our fedda-sgdm plays the same rounds (tests).",
)
