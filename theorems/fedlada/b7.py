"""LADA Lemma B.7: sum tau m^tau."""

from theorems.fedlada.common import below, boxed, need
from theorems.vocabulary import *


def compare(s: Instance) -> list[Comparison]:
    r"""the identity

    \sum_{\tau=1}^K\tau m^\tau=\frac m{(1-m)^2}-\frac{m^{K+1}}{(1-m)^2}-\frac{Km^{K+1}}{1-m}
    """
    left, power = s.m * 0, s.m * 0 + 1
    for tau in range(1, s.K + 1):
        power = power * s.m
        left = left + tau * power
    gap = 1 - s.m
    return [that(left) == s.m / gap**2 - power * s.m / gap**2 - s.K * power * s.m / gap]


def derive(proof: Derivation, s: Instance) -> None:
    """Induction on K with p = m^K: the base K = 1 and the step are rational identities."""
    m, p, n, L = reals("m p K L")

    def right(K: Any, p: Any) -> Any:
        return m / ((1 - m) * (1 - m)) - p * m / ((1 - m) * (1 - m)) - K * p * m / (1 - m)

    proof.leaf("K = 1", [m < 1], m == right(1, m), m=s.m)
    left, power = s.m, s.m
    for K in range(1, s.K):
        proof.leaf("one term more", [L == right(n, p), m < 1], L + (n + 1) * (p * m) == right(n + 1, p * m), m=s.m,
                   p=power, K=s.nb.number(K), L=left)  # fmt: skip
        power = power * s.m
        left = left + (K + 1) * power


STATEMENT = Statement(
    kind="identity",
    location="Lemma B.7, appendix B.1",
    says="sum_{tau=1..K} tau m^tau = m/(1-m)^2 - m^(K+1)/(1-m)^2 - K m^(K+1)/(1-m) for 0 < m < 1.",
    domain=boxed("0 < m <= 15/16", grid(K=(1, 2, 3, 10, 30)), m=(0, "15/16")),
    hypotheses=(need("0 < m < 1", below("m"), below("m", 1)),),
    printed=claim_of(compare, derive=derive),
    note="It holds for every m except 1.",
)
