"""OLR Corollary 13: FedAvg's surrogate has condition number at most phi_L / phi_mu."""

from surrogate import bounds
from theorems.bridges import averages
from theorems.domain import STEPS
from theorems.outsized.common import ASSUMPTION_2
from theorems.outsized.common_spectrum import GAMMA_SMALL, population_domain
from theorems.outsized.lemmas import phi_bounds
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
    r"""smoothness, strong convexity and condition number

    \tilde\kappa\le\frac{\phi_{K,L}(\gamma)}{\phi_{K,\mu}(\gamma)}=\frac{1-(1-\gamma L)^K}{1-(1-\gamma\mu)^K}

    Smoothness, strong convexity, and the condition number multiplied out.
    """
    high, low = bounds.corollary_13(s.p.mu, s.p.L, s.gamma, s.K)
    values = s.p.nb.eigenvalues(s.p.hessian(s.p.filtered(s.gamma, s.theta)))
    return [
        that("smoothness", values[..., -1]) <= high,
        that("strong convexity", low) <= values[..., 0],
        that("condition number", values[..., -1] * low) <= high * values[..., 0],
    ]


def derive(proof: Derivation, s: Instance) -> None:
    """phi_mu <= Q_i A_i <= phi_L, an order that averages keep; the quotient of the extremes follows."""
    p = s.p
    high, low = bounds.corollary_13(p.mu, p.L, s.gamma, s.K)
    phi_bounds(proof, p, s.gamma, s.K)
    phi = p.filtered(s.gamma, s.theta)
    proof.cross(averages, "the averaged Q_i A_i", p=p, values=phi, low=low, high=high)
    a, b, c, d = reals("low bottom top high")
    ends = p.nb.eigenvalues(p.hessian(phi))
    proof.leaf("the quotient", [0 < a, a <= b, a <= c, c <= d], c * a <= d * b,
               low=low, bottom=ends[..., 0], top=ends[..., -1], high=high)  # fmt: skip


STATEMENT = Statement(
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
    printed=claim_of(compare, derive=derive),
)
