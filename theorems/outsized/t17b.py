"""OLR Theorem 17, sharper (ours): a bound without sigma_A that stays finite as K grows."""

from surrogate import bounds
from theorems.outsized.common import ASSUMPTION_2, GAMMA_BELOW
from theorems.outsized.common_rates import prove_phi_spectrum, prove_ratio_monotone, prove_spread, spread_domain
from theorems.vocabulary import *


def compare(s: Instance) -> list[Comparison]:
    p = s.p
    displacement = p.nb.length(p.displacement(s.gamma, s.theta))
    squeezed, through_mean = bounds.theorem_17b(p.mu, p.L, p.sigma_c, s.gamma, s.K, terms=True)
    return [
        Comparison("condition numbers", displacement, "<=", squeezed),
        Comparison("through the mean", displacement, "<=", through_mean),
    ]


def prove() -> Proof:
    prove_phi_spectrum()
    prove_ratio_monotone()
    prove_spread()
    t, m, L, mu = sympy.symbols("t m L mu", positive=True)
    s = t  # the best shift is the Rayleigh quotient t = v'Av / |v|^2 = a / m
    identity(((L + mu) * t * m - mu * L * m - 2 * s * t * m + s**2 * m, m * (L - t) * (t - mu)))
    x, top, low = reals("x top low")
    smt([0 < low, low <= x, x <= top], 4 * top * low * (top - x) * (x - low) <= (top - low) ** 2 * x * x)
    return Proof(
        "z3 and sympy",
        "With S_i the function R(lam) = lam/phi_lam(gamma) of A_i, x* - x~ = A^-1 E[(S_i - s) A~_i (c_i - x~)] "
        "for every s. Cauchy-Schwarz in the metric A~_i, E|c_i - x~|^2 in it <= phi_L sigma_c^2 (x~ minimises it), A "
        ">= R_mu A~ and s midway between R_mu and R_L give the first bound; R grows with lam (checked by the "
        "logarithmic derivative, induction on K). For the second, |x* - c| = |A^-1 E[(A_i - s)(c_i - c)]|, A_i^2 <= "
        "(L+mu) A_i - mu L, and (L-t)(t-mu)/t^2 <= (L-mu)^2/(4 L mu); the same for x~.",
    )


STATEMENT = Statement(
    id="OLR.T17b",
    kind="upper bound",
    location="not in the paper: sharpens Theorem 17, section 6",
    says="With kappa = L/mu and kappa~ = phi_L/phi_mu, FedAvg's resting point is within sigma_c (kappa - kappa~) / "
    "(2 sqrt kappa~) of x*, and within sigma_c/2 ((kappa-1)/sqrt kappa + (kappa~-1)/sqrt kappa~), for every K.",
    reading="As Theorem 17.",
    domain=spread_domain((1, 2, 3, 5, 10, 50, 1000, 10**5)),
    hypotheses=(ASSUMPTION_2, GAMMA_BELOW),
    printed=Claim(
        says="both bounds",
        latex=r"\|x^*(\gamma,\Theta_{1:K})-x^*\|\le\frac{\sigma_c}{2}\min\left\{\frac{\kappa-\tilde\kappa}"
        r"{\sqrt{\tilde\kappa}},\ \frac{\kappa-1}{\sqrt\kappa}+\frac{\tilde\kappa-1}{\sqrt{\tilde\kappa}}\right\}",
        compare=compare,
        prove=prove,
    ),
    note="At most half of Theorem 17's bound, free of sigma_A, and bounded in K: the resting point moves at most as "
    "far as half the condition number that local steps remove. The second is attained as K grows (two clients, d = 1).",
)
