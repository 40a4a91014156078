"""OLR Theorem 21, sharper (ours): resting points move at most as condition numbers do."""

from surrogate import bounds
from theorems.outsized.common import ASSUMPTION_2
from theorems.outsized.common_rates import (
    TWO_RATES,
    apart,
    prove_phi_spectrum,
    prove_ratio_monotone,
    prove_spread,
    spread_domain,
)
from theorems.vocabulary import *


def instance(cursor: Cursor, n: int, d: int, K: int) -> Any:
    s = spread_domain((K,), 0.9).decode(cursor, n=n, d=d, K=K)
    s.high = s.gamma
    s.low = s.high * cursor.take() * cursor.nb.number(Fraction(9, 10))
    if not cursor.nb.exact:  # far enough from the limit c that floats resolve the difference
        s.low = np.minimum(s.low, 2 / (K * s.p.mu))
    return s


def bound(s: Instance) -> list[Comparison]:
    p = s.p
    return [Comparison("bound", apart(s), "<=", bounds.theorem_21b(p.mu, p.L, p.sigma_c, s.low, s.high, s.K))]


def prove() -> Proof:
    prove_phi_spectrum()
    prove_ratio_monotone()
    prove_spread()
    return Proof(
        "z3 and sympy",
        "With S_i the function R(lam) = phi_lam(gamma_1)/phi_lam(gamma_2) of A_i and A~_i the surrogate Hessians at "
        "gamma_2, x_1 - x_2 = E[S_i A~_i]^-1 E[(S_i - s) A~_i (c_i - x_2)] for every s, as E A~_i (c_i - x_2) = 0. "
        "Cauchy-Schwarz in the metric A~_i with s midway between R_mu and R_L, E[S_i A~_i] >= R_mu A~, and "
        "E (c_i-x_2)'A~_i(c_i-x_2) <= phi_L(gamma_2) sigma_c^2 (x_2 minimises it) leave the square identity that sympy "
        "checks; R grows with lam by its logarithmic derivative (sympy) and induction on K (z3).",
    )


STATEMENT = Statement(
    id="OLR.T21b",
    kind="upper bound",
    location="not in the paper: sharpens Theorem 21 and replaces Corollary 22, section 6",
    says="For 0 <= gamma_1 <= gamma_2 < 1/L FedAvg's resting points are within sigma_c (kappa~(gamma_1) - "
    "kappa~(gamma_2)) / (2 sqrt kappa~(gamma_2)) of each other, kappa~ = phi_L/phi_mu.",
    domain=Domain(
        instance,
        grid(n=(1, 2, 3), d=(1, 2), K=(1, 2, 3, 10, 100, 1000, 10**5)),
        "weighted clients, 0 <= gamma_1 <= gamma_2 < 1/L",
    ),
    hypotheses=(ASSUMPTION_2, Hypothesis(TWO_RATES.name, TWO_RATES.holds)),
    printed=Claim(
        "the distance is at most the bound",
        r"\|x^*(\gamma_1)-x^*(\gamma_2)\|\le\frac{\sigma_c}2\,\frac{\tilde\kappa(\gamma_1)-\tilde\kappa(\gamma_2)}"
        r"{\sqrt{\tilde\kappa(\gamma_2)}}",
        bound,
        prove,
    ),
    note="At most half of Theorem 21's bound divided by 1 + kappa~; uniform in K, where Corollary 22 fails.",
)
