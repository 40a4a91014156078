"""OLR Lemma 33: the surrogate Hessians at two rates differ by a positive semidefinite matrix."""

from theorems.outsized.common import ASSUMPTION_2
from theorems.outsized.common_rates import phi_drop, two_rates_domain
from theorems.outsized.lemmas import column, drop_grows
from theorems.vocabulary import *

UP_TO = Hypothesis(
    "0 <= gamma_1 <= gamma_2 <= 1/L",
    lambda s: [
        that(s.high * s.p.L) <= s.high * 0 + 1,
        that("ordered", s.low) <= s.high,
        that("sign", s.low) >= s.low * 0,
    ],
)


def ends(s: Instance) -> list[Comparison]:
    r"""both ends of the spectrum

    0\preceq C,\ \lambda_{\max}(C)\le\phi_{K,L}(\gamma_1)-\phi_{K,L}(\gamma_2)

    The eigenvalues of C, from the deficits (no cancellation).
    """
    p, nb, theta = s.p, s.p.nb, Theta.sum(s.K)
    C = p.lam * (p.deficit(s.low, theta) - p.deficit(s.high, theta))
    return [
        that("positive semidefinite", nb.smallest(C, 2)) >= s.low * 0,
        that("largest eigenvalue", nb.largest(C, 2)) <= phi_drop(s),
    ]


def prove() -> None:
    """z3 and sympy: C's eigenvalues are h(lam) = phi_lam(g1) - phi_lam(g2) >= 0, as (1-g1 lam)^k >= (1-g2 lam)^k by
    induction; h' = K (1-g1 lam)^(K-1) - K (1-g2 lam)^(K-1) >= 0, so that h is largest at L.
    """
    x, g, K, P = sympy.symbols("x g K P")
    power = sympy.Function("power")(x)  # (1 - g x)^K with derivative -g K (1 - g x)^(K-1)
    slope = sympy.diff((1 - power) / g, x).subs(sympy.Derivative(power, x), -g * K * P)
    identity((slope, K * P))
    lam, g1, g2, p, q = reals("lam g1 g2 p q")  # p = (1 - g1 lam)^k >= q = (1 - g2 lam)^k
    start = [lam > 0, 0 <= g1, g1 <= g2, g2 * lam <= 1, 0 <= q, q <= p]
    smt(start, q * (1 - g2 * lam) <= p * (1 - g1 * lam))
    total, other = reals("total other")  # and phi falls with gamma, which is C >= 0
    smt([*start, other <= total], other + lam * q <= total + lam * p)


def derive(proof: Derivation, s: Instance) -> None:
    """C's eigenvalues are phi_lam(gamma_1) - phi_lam(gamma_2), at least 0 and largest at L."""
    p = s.p
    m, x, a, b = reals("mu lam a b")
    proof.leaf("gamma_2 >= 0", [0 <= a, a <= b], 0 <= b, a=s.low, b=s.high)
    proof.leaf("lambda > 0", [m > 0, m <= x], 0 < x, mu=column(p.mu), lam=p.lam)
    drop_grows(proof, column(s.low), column(s.high), s.K, p.lam, column(p.L))


STATEMENT = Statement(
    kind="spectrum",
    location="Lemma 33, appendix B.3",
    says="For gamma_1 <= gamma_2 <= 1/L, C = Q_i(gamma_1) A_i - Q_i(gamma_2) A_i is positive semidefinite with "
    "lambda_max <= phi_L(gamma_1) - phi_L(gamma_2).",
    reading="0 <= gamma_1.",
    domain=two_rates_domain(),
    hypotheses=(ASSUMPTION_2, UP_TO),
    printed=claim_of(ends, derive=derive),
)
