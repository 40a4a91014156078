"""OLR Corollary 14: the surrogate of Theta_K and its condition number, printed for Theta_{1:K}."""

from surrogate import bounds
from theorems.bridges import averages
from theorems.outsized.common import ASSUMPTION_2
from theorems.outsized.l12 import FEW, SMALL
from theorems.outsized.lemmas import last_eigenvalue_grows
from theorems.vocabulary import *


def decode(cursor: Cursor, n: int, d: int, K: int) -> Instance:
    """gamma < 1 / (K L)."""
    p = clients(cursor, n, d, weighted=True)
    return Instance(p=p, gamma=rate(cursor, K * p.L, zero=True), K=K)


def flat(cursor: Cursor, n: int, d: int, K: int) -> Instance:
    """Singular clients: mu = 0 allowed."""
    p = clients(cursor, n, d, weighted=True, least_mu=Fraction(0))
    return Instance(p=p, gamma=rate(cursor, K * p.L, zero=True), K=K)


def to_one_over_l(cursor: Cursor, n: int, d: int, K: int) -> Instance:
    """gamma < 1 / L only."""
    p = clients(cursor, n, d, weighted=True)
    return Instance(p=p, gamma=99 * rate(cursor, 100 * p.L, zero=True), K=K)


def spectrum(s: Instance, theta: Theta) -> Any:
    return s.p.nb.eigenvalues(s.p.hessian(s.p.filtered(s.gamma, theta)))


def ends(s: Instance) -> bounds.Conditioning:
    return bounds.corollary_14(s.p.mu, s.p.L, s.gamma, s.K)


def constants(s: Instance) -> list[Comparison]:
    values, (high, low) = spectrum(s, Theta.last(s.K)), ends(s)
    return [that("smoothness", values[..., -1]) <= high, that("strong convexity", low) <= values[..., 0]]


def condition(s: Instance, theta: Theta) -> list[Comparison]:
    """kappa~ <= ((1 - gamma L) / (1 - gamma mu))^(K-1) L / mu, multiplied out."""
    values, (high, low) = spectrum(s, theta), ends(s)
    return [that("condition number", values[..., -1] * low) <= values[..., 0] * high]


def derive(proof: Derivation, s: Instance) -> None:
    """x (1 - gamma x)^(K-1) grows with x for gamma K x < 1; averages keep the bounds, and the quotient follows."""
    p, (high, low), values = s.p, ends(s), s.p.filtered(s.gamma, Theta.last(s.K))
    last_eigenvalue_grows(proof, p, s.gamma, s.K)
    proof.cross(averages, "the averaged Q_i A_i", p=p, values=values, low=low, high=high)
    a, b, c, d = reals("low bottom top high")
    found = spectrum(s, Theta.last(s.K))
    proof.leaf("the quotient", [0 < a, a <= b, a <= c, c <= d], c * a <= b * d,
               low=low, bottom=found[..., 0], top=found[..., -1], high=high)  # fmt: skip


STATEMENT = Statement(
    kind="upper bound",
    location="Corollary 14, section 5",
    says="For gamma < 1/(K L) the surrogate of Theta_K is smooth and strongly convex with the constants of Lemma 12; "
    "'therefore the surrogate of Theta_{1:K} has condition number at most ((1 - gamma L)/(1 - gamma mu))^(K-1) L/mu'.",
    headline=True,
    reading="gamma >= 0; the quotient is compared multiplied out.",
    severity="typo",
    note="The last sentence means Theta_K, whose constants it divides. For Theta_{1:K} it is false, already with one "
    "client: its condition number is a mean of the factors for 1, ..., K steps. gamma < 1/(K L) cannot be relaxed to "
    "1/L.",
    domain=Domain(decode, grid(n=(1, 2, 3), d=(1, 2), K=FEW), "weighted clients, 0 <= gamma < 1/(K L)"),
    hypotheses=(
        Hypothesis(
            ASSUMPTION_2.name, ASSUMPTION_2.holds, Domain(flat, grid(n=(1, 2), d=(1, 2), K=FEW), "mu = 0 allowed")
        ),
        replace(SMALL, without=Domain(to_one_over_l, grid(n=(1,), d=(1, 2), K=FEW), "0 <= gamma L <= 99/100")),
    ),
    printed=Claim(
        "the constants of Theta_K, and the condition number of Theta_{1:K}",
        r"\tilde\kappa(\tilde f(\cdot,\gamma,\Theta_{1:K}))\le\left(\frac{1-\gamma L}{1-\gamma\mu}\right)^{K-1}\frac L"
        r"\mu",
        lambda s: constants(s) + condition(s, Theta.sum(s.K)),
    ),
    corrected=Claim(
        "constants and condition number of Theta_K",
        r"\tilde\kappa(\tilde f(\cdot,\gamma,\Theta_{K}))\le\left(\frac{1-\gamma L}{1-\gamma\mu}\right)^{K-1}\frac L"
        r"\mu",
        lambda s: constants(s) + condition(s, Theta.last(s.K)),
        derive=derive,
    ),
)
