"""OLR Corollary 13: FedAvg's surrogate has condition number at most phi_L / phi_mu."""

from surrogate import bounds
from theorems.domain import STEPS
from theorems.outsized.common import ASSUMPTION_2
from theorems.outsized.common_spectrum import GAMMA_SMALL, filter_is, phi_increases, population_domain, spectral_mapping
from theorems.vocabulary import *


def beyond(cursor: Cursor, n: int, d: int, K: int) -> Instance:
    """gamma up to 2 / L."""
    p = clients(cursor, n, d)
    return Instance(p=p, gamma=2 * rate(cursor, p.L, zero=True), K=K, theta=Theta.sum(K))


def flat(cursor: Cursor, n: int, d: int, K: int) -> Instance:
    """Singular clients: mu = 0 allowed."""
    p = clients(cursor, n, d, least_mu=Fraction(0))
    return Instance(p=p, gamma=rate(cursor, p.L, zero=True), K=K, theta=Theta.sum(K))


def compare(s: Instance) -> list[Comparison]:
    """Smoothness, strong convexity, and the condition number multiplied out."""
    high, low = bounds.corollary_13(s.p.mu, s.p.L, s.gamma, s.K)
    values = s.p.nb.eigenvalues(s.p.hessian(s.p.filtered(s.gamma, s.theta)))
    return [
        Comparison("smoothness", values[..., -1], "<=", high),
        Comparison("strong convexity", low, "<=", values[..., 0]),
        Comparison("condition number", values[..., -1] * low, "<=", high * values[..., 0]),
    ]


def prove() -> Proof:
    """Averages of matrices between phi_mu I and phi_L I stay there; ratios follow."""
    spectral_mapping()
    filter_is(Theta.sum, lambda z, K: (1 - (1 - z) ** K) / z)
    phi_increases()
    low, high, bottom, top = reals("low high bottom top")
    smt([0 < low, low <= bottom, bottom <= top, top <= high], top * low <= high * bottom)
    v, w, a, b = reals("v w a b")
    smt([0 <= w, w <= 1, low <= a, low <= b, v == w * a + (1 - w) * b], v >= low)
    return Proof(
        "z3 and sympy",
        "By Lemma 11 phi_mu I <= Q_i A_i <= phi_L I for every client (monotone phi, induction on K), an order that "
        "averages keep; the Hessian of the surrogate is that average, and lambda_max / lambda_min <= phi_L / phi_mu "
        "follows (z3).",
    )


STATEMENT = Statement(
    id="OLR.C13",
    kind="upper bound",
    location="Corollary 13, section 5",
    says="For gamma < 1/L the surrogate of Theta_{1:K} is phi_L-smooth and phi_mu-strongly convex, so its condition "
    "number is at most phi_L / phi_mu.",
    headline=True,
    reading="gamma >= 0, the value at 0 by continuity. The quotient is compared multiplied out.",
    note="Attained by a single client. For odd K the bound on gamma is not needed (Lemma 11).",
    domain=population_domain(n=(1, 2, 3), d=(1, 2), theta=tuple(Theta.sum(K) for K in STEPS[::2]), weighted=True),
    hypotheses=(
        Hypothesis(
            ASSUMPTION_2.name,
            ASSUMPTION_2.holds,
            Domain(flat, grid(n=(1, 2), d=(1, 2), K=(1, 2, 5, 100)), "mu = 0 allowed"),
        ),
        Hypothesis(
            GAMMA_SMALL.name,
            GAMMA_SMALL.holds,
            Domain(beyond, grid(n=(1, 2), d=(1, 2), K=(1, 2, 5, 10)), "gamma < 2/L"),
        ),
    ),
    printed=Claim(
        "smoothness, strong convexity and condition number",
        r"\tilde\kappa\le\frac{\phi_{K,L}(\gamma)}{\phi_{K,\mu}(\gamma)}=\frac{1-(1-\gamma L)^K}{1-(1-\gamma\mu)^K}",
        compare,
        prove,
    ),
)
