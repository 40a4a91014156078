"""OLR Lemma 7: the extreme eigenvalues of Q_i(gamma, Theta_K), printed with exponent K."""

from theorems.outsized.common import ASSUMPTION_2
from theorems.outsized.common_spectrum import (
    GAMMA_SMALL,
    filter_is,
    ordered_powers,
    population_domain,
    spectral_mapping,
)
from theorems.vocabulary import *

STEPS = (1, 2, 3, 5, 10, 50)


def compare(s: Instance, exponent: int) -> list[Comparison]:
    """The last client's extremes, then all clients' against mu and L."""
    nb, q, lam = s.p.nb, s.p.filter(s.gamma, s.theta), s.p.lam[..., -1, :]

    def ends(z: Scalar) -> Any:
        return (1 - s.gamma * z) ** exponent

    low, high = nb.smallest(q[..., -1, :]), nb.largest(q[..., -1, :])
    return [
        that("largest", high) == ends(nb.smallest(lam)),
        that("smallest", low) == ends(nb.largest(lam)),
        that("largest, any client", nb.largest(q, 2)) <= ends(s.p.mu),
        that("smallest, any client", ends(s.p.L)) <= nb.smallest(q, 2),
    ]


def prove() -> None:
    """z3 and sympy: Q_i(Theta_K) = (I - gamma A_i)^(K-1) has the eigenvalues (1 - gamma lambda)^(K-1), which decrease
    in lambda on (0, 1/gamma) (induction on K, z3): extremes at mu_i and L_i, and within those at mu and L.

    (1 - gamma lambda)^(K-1) decreases in lambda.
    """
    spectral_mapping()
    filter_is(Theta.last, lambda z, K: (1 - z) ** (K - 1))
    ordered_powers()
    g, lam, mu = reals("g lam mu")
    smt([0 < mu, mu <= lam, 0 <= g, g * lam < 1], 0 < 1 - g * lam)
    smt([0 < mu, mu <= lam, 0 <= g, g * lam < 1], 1 - g * lam <= 1 - g * mu)


STATEMENT = Statement(
    kind="spectrum",
    location="Lemma 7, section 5",
    says="For Theta_K the extreme eigenvalues of Q_i are (1 - gamma mu_i)^K and (1 - gamma L_i)^K.",
    reading="gamma >= 0. Judged on the last of n clients, and on all for the second half.",
    severity="typo",
    note="The exponent is K - 1: (3) and (8) give Q_i = (I - gamma A_i)^(K-1), and Lemma 12 has it right. Only the "
    "printed lower bound (1 - gamma L)^K survives, as a weaker one.",
    domain=population_domain(n=(1, 2), d=(1, 2), theta=tuple(Theta.last(K) for K in STEPS)),
    hypotheses=(ASSUMPTION_2, GAMMA_SMALL),
    printed=Claim(
        "with exponent K",
        r"\lambda_{\max}(Q_i(\gamma,\Theta_K))=(1-\gamma\mu_i)^K,\ \lambda_{\min}=(1-\gamma L_i)^K",
        lambda s: compare(s, s.K),
    ),
    corrected=Claim(
        "with exponent K - 1",
        r"\lambda_{\max}(Q_i(\gamma,\Theta_K))=(1-\gamma\mu_i)^{K-1},\ \lambda_{\min}=(1-\gamma L_i)^{K-1}",
        lambda s: compare(s, s.K - 1),
        prove,
    ),
)
