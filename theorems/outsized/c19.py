"""OLR Corollary 19: Lemma 18 at both ends of the spectrum."""

from surrogate import bounds
from theorems.domain import STEPS
from theorems.outsized.l18 import POSITIVE, derive_at
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


def derive(proof: Derivation, s: Instance) -> None:
    """Lemma 18 at lam = L and at lam = mu, whose condition on gamma is the weaker one."""
    g, x, n, m, y = reals("gamma x K mu L")
    proof.setting("K >= 1", s.K, 1)
    here = {"gamma": s.gamma, "x": s.x, "K": s.nb.number(s.K), "L": s.L}
    proof.leaf("L > 0", [m > 0, m <= y], 0 < y, mu=s.mu, L=s.L)
    proof.leaf("K gamma L <= x", [g <= x / (n * y), n >= 1, y > 0], n * (g * y) <= x, **here)
    proof.leaf("K gamma mu <= x", [n * (g * y) <= x, g >= 0, n >= 1, m <= y], n * (g * m) <= x, mu=s.mu, **here)
    for lam in (s.L, s.mu):
        proof.leaf("gamma lam >= 0", [g >= 0, m > 0], 0 <= g * m, gamma=s.gamma, mu=lam)
        derive_at(proof, s, lam)


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
    printed=claim_of(bound, derive=derive),
)
