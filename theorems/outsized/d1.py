"""OLR after Corollary 14: the bound on FedAvg's condition number is at most L/mu, and falls with K and gamma."""

from surrogate import bounds
from theorems.domain import LEAST_MU, STEPS
from theorems.outsized.common_rates import prove_ratio_monotone
from theorems.outsized.common_spectrum import geometric_sum_is_closed, ordered_powers
from theorems.vocabulary import *


def decode(cursor: Cursor, K: int) -> Instance:
    """L = 1 and mu <= 1; two rates 0 < gamma_1 <= gamma < 1."""
    nb, thousandth = cursor.nb, cursor.nb.number(Fraction(1, 1000))
    mu = 1 - cursor.take() * nb.number(1 - LEAST_MU)
    gamma = (1 + (cursor.take() - cursor.take()) * (1 - 2 * thousandth)) / 2
    gamma_1 = gamma * (1 - cursor.take() * (1 - thousandth))
    return Instance(nb=nb, mu=mu, L=mu * 0 + 1, gamma=gamma, gamma_1=gamma_1, K=K)


def apart(cursor: Cursor, K: int) -> Instance:
    """The same with mu <= 99/100 L."""
    s = decode(cursor, K)
    return Instance(**{**vars(s), "mu": s.mu * s.nb.number(Fraction(99, 100))})


def bound(s: Instance, K: int, gamma: Any) -> tuple[Any, Any]:
    """Numerator and denominator of phi_L / phi_mu."""
    return bounds.phi(K, s.L, gamma), bounds.phi(K, s.mu, gamma)


def compare(s: Instance) -> list[Comparison]:
    high, low = bound(s, s.K, s.gamma)
    zero_high, zero_low = bound(s, s.K, s.gamma * 0)
    more_high, more_low = bound(s, s.K + 1, s.gamma)
    slow_high, slow_low = bound(s, s.K, s.gamma_1)
    strict = [that("equality only if gamma = 0 or K = 1", high * s.mu) < low * s.L] if s.K > 1 else []
    at_one = [that("equality at K = 1", high * s.mu) == low * s.L] if s.K == 1 else []
    return [
        that("at most L/mu", high * s.mu) <= low * s.L,
        that("equality at gamma = 0", zero_high * s.mu) == zero_low * s.L,
        *at_one,
        *strict,
        that("falls with K", more_high * low) <= high * more_low,
        that("falls with gamma", high * slow_low) <= slow_high * low,
    ]


def prove() -> None:
    """z3 and sympy: phi/lambda is a sum of powers of 1 - gamma lambda, smaller at L, strictly from the second term on:
    at most L/mu, with equality only for gamma = 0, K = 1 or mu = L. In K: with q S >= p T kept by induction (z3) the
    quotient falls. In gamma: phi_lam(gamma_1)/phi_lam(gamma_2) grows with lam for gamma_1 <= gamma_2, since z d/dz
    log(1 - (1-z)^K) = K/T_K (sympy, K a symbol) and T_K = sum_{1<=j<=K} (1-z)^(1-j) grows with z term by term
    (induction on K).

    S, T sums of powers p, q at L and mu; X = q S, Y = p T, W = p q; a <= b the bases.
    """
    ordered_powers()
    geometric_sum_is_closed()
    prove_ratio_monotone()
    S, T, p, q, a, b = reals("S T p q a b")
    smt([0 < S, S <= T, 0 <= p, p < q], S + p < T + q)  # from k = 1 on: strict for K >= 2
    smt([0 <= a, a < b, 0 <= p, p <= q, q > 0], p * a < q * b)
    X, Y, W = reals("X Y W")
    smt([0 <= a, a <= b, Y <= X, 0 <= Y, 0 <= W], a * (Y + W) <= b * (X + W))
    smt([0 < S, 0 < T, p * T <= q * S], (S + p) * T <= S * (T + q))
    high, low, high_slow, low_slow = reals("high low high_slow low_slow")  # phi at L and mu, fast and slow
    smt(
        [high > 0, low > 0, high_slow > 0, low_slow > 0, low_slow / low <= high_slow / high],
        high * low_slow <= high_slow * low,
    )


STATEMENT = Statement(
    kind="monotone",
    location="section 5, after Corollary 14",
    says="For Theta_{1:K}: kappa~ <= L/mu for all gamma, with equality iff gamma = 0 or K = 1, and kappa~ decreases "
    "as K grows or gamma -> 1/L.",
    reading="kappa~ is the bound phi_L / phi_mu of Corollary 13 (for the surrogate itself see OLR.D1c), gamma < 1/L. "
    "What is said of Theta_K is OLR.D1b.",
    severity="missing-hypothesis",
    note="Equality also holds for mu = L. All else stands.",
    domain=Domain(decode, grid(K=STEPS), "mu/L >= 1e-4, 0 < gamma < 1/L"),
    hypotheses=(
        Hypothesis("0 < mu <= L", lambda s: [that(s.mu) <= s.L, that("mu", s.mu) > s.mu * 0]),
        Hypothesis(
            "0 < gamma_1 <= gamma < 1/L",
            lambda s: [
                that(s.gamma * s.L) < s.mu * 0 + 1,
                that("ordered", s.gamma_1) <= s.gamma,
                that("gamma_1", s.gamma_1) > s.mu * 0,
            ],
        ),
    ),
    printed=Claim(
        "at most L/mu, equality iff gamma = 0 or K = 1, falling in K and gamma",
        r"\frac{\phi_{K,L}}{\phi_{K,\mu}}\le\frac L\mu,\ \text{equality}\iff\gamma=0\text{ or }K=1;\ \text{falls in "
        r"}K,\gamma",
        compare,
    ),
    corrected=Claim(
        "the same with mu < L",
        r"\mu<L:\ \text{equality}\iff\gamma=0\text{ or }K=1",
        compare,
        prove,
        Domain(apart, grid(K=STEPS), "1e-4 <= mu/L <= 99/100, 0 < gamma < 1/L"),
    ),
)
