"""OLR Lemma 10: bounds on the spectrum of Q_i A_i for any theta."""

from theorems.outsized.common import ASSUMPTION_2
from theorems.outsized.common_spectrum import (
    GAMMA_SMALL,
    THETAS,
    distortion,
    ordered_powers,
    population_domain,
    spectral_mapping,
)
from theorems.population import _lift
from theorems.vocabulary import *


def beyond(cursor: Cursor, n: int, d: int, theta: Theta) -> Instance:
    """gamma up to 2 / L."""
    p = clients(cursor, n, d)
    return Instance(p=p, gamma=2 * rate(cursor, p.L, zero=True), K=theta.steps, theta=theta)


def eigenpairs(s: Instance) -> list[Comparison]:
    """R^T Q A R is diagonal with entries q(lambda) lambda: part 1, for theta of few weights."""
    if s.K > 4:
        return []
    R = s.p.R[:, -1]
    turned = np.swapaxes(R, -1, -2) @ (distortion(s.p, s.gamma, s.theta) @ s.p.A)[:, -1] @ R
    expected = s.p.filtered(s.gamma, s.theta)[:, -1, :]
    pairs = [(i, j) for i in range(s.p.d) for j in range(s.p.d)]
    return [
        that(f"1: entry {i + 1}{j + 1}", turned[:, i, j]) == (expected[:, i] if i == j else s.gamma * 0)
        for i, j in pairs
    ]


def bounds(s: Instance) -> list[Comparison]:
    """The last client's own mu_i and L_i."""
    nb, lam = s.p.nb, s.p.lam[:, -1, :]
    low, high = nb.smallest(lam), nb.largest(lam)
    values = s.p.filtered(s.gamma, s.theta)[:, -1, :]

    def q(z: Scalar) -> Any:
        return nb.filter(s.gamma * z, s.theta)

    return [
        that("2: largest", nb.largest(values)) <= q(low) * high,
        that("2: smallest", q(high) * low) <= nb.smallest(values),
        that("2: positive definite", nb.smallest(values)) >= s.gamma * 0,
    ]


def of_powers(s: Instance) -> list[Comparison]:
    r"""(1 - gamma L_i)^(k-1) <= (1 - gamma mu_i)^(k-1), and lambda_max of the product is at most the product

    \lambda_{\max}((I-\gamma A_i)^{k-1}A_i)\le(1-\gamma\mu_i)^{k-1}L_i

    The extremes of (I - gamma A_i)^(K-1), and the product bound for them.
    """
    nb, lam = s.p.nb, s.p.lam[:, -1, :]
    power = nb.power(1 - _lift(s.gamma, 1) * lam, min(s.K, 50) - 1)
    ends = [nb.power(1 - s.gamma * z, min(s.K, 50) - 1) for z in (nb.largest(lam), nb.smallest(lam))]
    return [
        that("smallest", nb.smallest(power)) == ends[0],
        that("largest", nb.largest(power)) == ends[1],
        that("ordered", ends[0]) <= ends[1],
        that("product", nb.largest(power * lam)) <= ends[1] * nb.largest(lam),
    ]


def prove() -> None:
    """z3 and sympy: Q_i A_i has the eigenvalues q(lambda) lambda (Horner's step). q = sum theta_k (1 - gamma
    lambda)^(k-1) is positive and does not increase in lambda on (0, 1/gamma) (induction on k, z3), so q(L_i) mu_i <=
    q(lambda) lambda <= q(mu_i) L_i (z3): all theta >= 0, all K.

    q decreases in lambda and is positive: q(L_i) mu_i <= q(lambda) lambda <= q(mu_i) L_i.
    """
    spectral_mapping()
    ordered_powers()
    S, T, p, q, theta = reals("S T p q theta")
    smt([S <= T, 0 <= theta, p <= q], S + theta * p <= T + theta * q)
    low, mid, high, at_low, at_mid, at_high = reals("low mid high at_low at_mid at_high")
    ordered = [0 < low, low <= mid, mid <= high, 0 < at_high, at_high <= at_mid, at_mid <= at_low]
    smt(ordered, at_mid * mid <= at_low * high)
    smt(ordered, at_high * low <= at_mid * mid)
    smt(ordered, at_mid * mid > 0)


STATEMENT = Statement(
    kind="spectrum",
    location="Lemma 10, section 5; proof in B.2.3",
    says="Q_i A_i has the eigenvalues q(lambda) lambda; for gamma < 1/L_i they lie between q(L_i) mu_i and q(mu_i) "
    "L_i, q(lambda) = sum theta_k (1 - gamma lambda)^(k-1).",
    reading="theta_k >= 0, Assumption 1, gamma >= 0, A_i positive definite. 'Positive definite' is compared as >= 0, "
    "since (1 - gamma L)^(10^5) underflows.",
    note="True but loose: it pairs the largest q with the largest lambda. Equality only where gamma = 0, K(Theta) = 1 "
    "or mu_i = L_i. The best bound in mu_i and L_i alone is max of q(lambda) lambda over [mu_i, L_i].",
    domain=population_domain(n=(1, 2), d=(1, 2)),
    hypotheses=(
        ASSUMPTION_2,
        Hypothesis(
            GAMMA_SMALL.name, GAMMA_SMALL.holds, Domain(beyond, grid(n=(1,), d=(1, 2), theta=THETAS[:7]), "gamma < 2/L")
        ),
    ),
    printed=Claim(
        "eigenpairs and bounds",
        r"\sum_k\theta_k(1-\gamma L_i)^{k-1}\mu_i\le\lambda(Q_iA_i)\le\sum_k\theta_k(1-\gamma\mu_i)^{k-1}L_i",
        lambda s: eigenpairs(s) + bounds(s),
        prove,
    ),
    steps=(
        Step("B.2.3: extremes of (I - gamma A_i)^(k-1), and the product of largest eigenvalues", claim_of(of_powers)),
    ),
)
