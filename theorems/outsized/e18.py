"""OLR (18): phi_{K,lambda} is a geometric sum."""

from surrogate import bounds
from theorems.domain import STEPS
from theorems.outsized.common_spectrum import geometric_sum_is_closed
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


def prove() -> None:
    """sympy identity: Induction on K: with z = gamma lambda, S = (1 - P) / z and P = (1 - z)^K, one more term gives z
    (S + P) = 1 - P (1 - z). Multiplying by lambda gives (18), for every gamma other than 0, not only up to 1/lambda.
    """
    geometric_sum_is_closed()


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
    printed=claim_of(compare, prove=prove),
)
