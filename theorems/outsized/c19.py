"""OLR Corollary 19: Lemma 18 at both ends of the spectrum."""

from surrogate import bounds
from theorems.domain import STEPS
from theorems.outsized.l18 import POSITIVE
from theorems.outsized.l18 import prove as prove_lemma
from theorems.vocabulary import *


def instance(cursor: Cursor, K: int) -> Instance:
    x = cursor.take() * K
    L = 1 - cursor.take() * cursor.nb.number(Fraction(9, 10))
    mu = L * (1 - cursor.take() * cursor.nb.number(Fraction(9999, 10000)))
    return Instance(nb=cursor.nb, x=x, L=L, mu=mu, gamma=(1 - cursor.take()) * x / (K * L), K=K)


def bound(s: Instance) -> list[Comparison]:
    r"""both bounds

    \phi_{K,L}\ge(1-\epsilon)KL,\ \phi_{K,\mu}\ge(1-\epsilon)K\mu
    """
    eps = bounds.Epsilon(s.x)
    return [
        that(name, bounds.lemma_18(s.K, lam, eps)) <= bounds.phi(s.K, lam, s.gamma)
        for name, lam in (("L", s.L), ("mu", s.mu))
    ]


def prove() -> None:
    """z3 and sympy: Lemma 18 at lam = L and at lam = mu, whose condition on gamma is the weaker one."""
    prove_lemma()
    g, K, L, mu, x = reals("g K L mu x")
    smt([g >= 0, K >= 1, 0 < mu, mu <= L, g * K * L <= x], g * K * mu <= x)


STATEMENT = Statement(
    kind="upper bound",
    location="Corollary 19, section 6",
    says="For eps <= 1 - e^-K and gamma <= ln(1/(1-eps))/(K L), phi_L >= (1-eps) K L and phi_mu >= (1-eps) K mu.",
    reading="As Lemma 18: eps = 1 - e^-x >= 0, gamma >= 0.",
    domain=Domain(instance, grid(K=STEPS), "0 <= x <= K, 0 <= gamma <= x/(K L), 0 < mu <= L"),
    hypotheses=(
        Hypothesis(POSITIVE.name, POSITIVE.holds),
        Hypothesis(
            "0 <= gamma <= ln(1/(1 - eps)) / (K L) and 0 < mu <= L",
            lambda s: [
                that(s.gamma) <= bounds.lemma_18_rate(s.K, s.L, bounds.Epsilon(s.x)),
                that("sign", s.gamma) >= s.x * 0,
                that("mu", s.mu) > s.x * 0,
                that("L", s.mu) <= s.L,
            ],
        ),
    ),
    printed=claim_of(bound, prove=prove),
)
