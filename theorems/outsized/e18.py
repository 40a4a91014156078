"""OLR (18): phi_{K,lambda} is a geometric sum."""

from surrogate import bounds
from theorems.bridges import geometric_sum
from theorems.domain import STEPS
from theorems.vocabulary import *


def decode(cursor: Cursor, K: int) -> Instance:
    """gamma lambda from 1/1000 to 1: floats resolve 1 - (1 - gamma lambda)^K."""
    nb, thousandth = cursor.nb, cursor.nb.number(Fraction(1, 1000))
    gamma = 1 - cursor.take() * (1 - thousandth)
    lam = (thousandth + cursor.take() * (1 - thousandth)) / gamma
    return Instance(nb=nb, lam=lam, gamma=gamma, K=K)


def compare(s: Instance) -> list[Comparison]:
    r"""the geometric sum

    \phi_{K,\lambda}(\gamma)=\sum_{k=1}^K(1-\gamma\lambda)^{k-1}\lambda
    """
    closed = (1 - s.nb.power(1 - s.gamma * s.lam, s.K)) / s.gamma
    return [that("(17) = (18)", closed) == bounds.phi(s.K, s.lam, s.gamma)]


def derive(proof: Derivation, s: Instance) -> None:
    """gamma lambda sum_{k<K} (1 - gamma lambda)^k = 1 - (1 - gamma lambda)^K, divided by gamma."""
    g, y, S, P = reals("gamma lam S P")
    base = 1 - s.gamma * s.lam
    proof.cross(geometric_sum, "gamma lambda S = 1 - (1 - gamma lambda)^K", ratio=base, count=s.K)
    total = sum(base**k for k in range(s.K))
    closed = [g > 0, g * y * S <= 1 - P, g * y * S >= 1 - P]
    proof.leaf("divided by gamma", closed, (1 - P) / g == y * S, gamma=s.gamma, lam=s.lam, S=total, P=base**s.K)


STATEMENT = Statement(
    kind="identity",
    location="(18), section 5",
    says="phi_{K,lambda}(gamma) = sum_{k=1}^K (1 - gamma lambda)^(k-1) lambda for 0 <= gamma <= 1/lambda.",
    reading="At gamma = 0 by continuity (OLR.E17).",
    note="The identity holds for every gamma; the range is not needed.",
    domain=Domain(decode, grid(K=STEPS), "1/1000 <= gamma lambda <= 1"),
    hypotheses=(
        Hypothesis("gamma lambda <= 1", lambda s: [that(s.gamma * s.lam) <= s.gamma * 0 + 1]),
        Hypothesis("gamma > 0", lambda s: [that(s.gamma) > s.gamma * 0]),
    ),
    printed=claim_of(compare, derive=derive),
)
