"""OLR after Corollary 14: the "exponential reduction" of the condition number by Theta_K is at most a factor e."""

from theorems.domain import LEAST_MU
from theorems.outsized.common_spectrum import ordered_powers
from theorems.vocabulary import *

LARGE = (10, 100, 1000, 10**4, 10**5)


def decode(cursor: Cursor, K: int) -> Instance:
    """L = 1, mu <= 1/10, and gamma in the upper half of what Corollary 14 admits: 1/2 <= gamma K L < 1."""
    mu = (1 - cursor.take() * cursor.nb.number(1 - 10 * LEAST_MU)) / 10
    gamma = (3 + (cursor.take() - cursor.take()) * (10**6 - 1) / 10**6) / (4 * K)
    return Instance(nb=cursor.nb, mu=mu, L=mu * 0 + 1, gamma=gamma, K=K)


def fixed_rate(cursor: Cursor, K: int) -> Instance:
    """gamma = 1/(2 L) whatever K, beyond the corollary; one client with eigenvalues mu = L/2 and L."""
    half = (cursor.take() * 0 + 1) / 2
    return Instance(nb=cursor.nb, mu=half, L=half * 2, gamma=half, K=K)


def factor(s: Instance) -> Any:
    """((1 - gamma L) / (1 - gamma mu))^(K-1), by which L/mu is multiplied."""
    return s.nb.power((1 - s.gamma * s.L) / (1 - s.gamma * s.mu), s.K - 1)


def reduced(s: Instance) -> list[Comparison]:
    r"""the factor falls to a third

    \left(\frac{1-\gamma L}{1-\gamma\mu}\right)^{K-1}\le\tfrac13
    """
    return [that("factor", factor(s) * 3) <= s.gamma * 0 + 1]


def at_most_e(s: Instance) -> list[Comparison]:
    r"""at most a factor e is gained

    \frac1e<\left(\frac{1-\gamma L}{1-\gamma\mu}\right)^{K-1}\le1
    """
    return [
        that("at least 1/e", s.nb.exp(s.gamma * 0 - 1)) <= factor(s),
        that("at most 1", factor(s)) <= s.gamma * 0 + 1,
    ]


def grows_back(s: Instance) -> list[Comparison]:
    r"""with gamma = 1/(2L) and mu = L/2 the condition number of Theta_K exceeds L/mu from K = 5 on

    \gamma=\tfrac1{2L},\ K\ge5:\ \tilde\kappa(\Theta_K)=\tfrac12(3/2)^{K-1}>L/\mu

    At a fixed gamma: the condition number of Theta_K against that of the loss, L/mu.
    """
    ends = [s.nb.power(1 - s.gamma * lam, s.K - 1) * lam for lam in (s.mu, s.L)]
    largest, smallest = s.nb.maximum(*ends), s.nb.minimum(*ends)
    return [that("above L/mu", largest * s.mu) > smallest * s.L]


def prove_growth() -> None:
    """z3: (3/2)^(K-1) > 4 from K = 5 on (induction), and the condition number is (3/2)^(K-1)/2.

    P = (3/4)^(K-1), Q = (1/2)^(K-1): the eigenvalues are P/2 and Q, at 4 Q < P from K = 5 on.
    """
    P, Q = reals("P Q")
    assert 4 * Fraction(1, 2) ** 4 < Fraction(3, 4) ** 4
    smt([Q > 0, 4 * Q < P], 4 * Q / 2 < P * 3 / 4)
    smt([Q > 0, 4 * Q < P], P / 2 > 2 * Q)


def prove() -> None:
    """z3 and sympy: gamma K L < 1 gives (1 - gamma L)/(1 - gamma mu) >= 1 - gamma L > 1 - 1/K = (1 + 1/(K-1))^-1, and
    powers keep the order. (1 + 1/m)^m <= sum_{j<=m} 1/j! < e, since each binomial term is at most 1/j! (induction on j,
    z3). So the factor lies in (1/e, 1] for every K.

    (1 + 1/m)^m <= sum 1/j! <= e term by term, m = K - 1: X_j = C(m, j) / m^j, F_j = 1 / j!.
    """
    ordered_powers()
    X, F, m, j = reals("X F m j")
    smt([0 <= X, X <= F, m >= 1, 0 <= j, j <= m], X * (m - j) / (m * (j + 1)) <= F / (j + 1))
    g, K, mu = reals("g K mu")
    smt([K >= 2, 0 <= g, g * K < 1], 1 - g > 1 - 1 / K)
    smt([0 < mu, mu <= 1, 0 <= g, g < 1], (1 - g) / (1 - g * mu) >= 1 - g)
    smt([0 < mu, mu <= 1, 0 <= g, g < 1], (1 - g) / (1 - g * mu) <= 1)
    k = sympy.Symbol("k")
    identity((1 - 1 / k, 1 / (1 + 1 / (k - 1))))


STATEMENT = Statement(
    kind="upper bound",
    location="section 5, after Corollary 14",
    says="For Theta_K and gamma not close to 0 there is an exponential reduction (in K) of the condition number.",
    reading="gamma within Corollary 14, which needs gamma < 1/(K L), and at least half of that. Exponential "
    "reduction: for some K in 10 ... 10^5 the factor ((1 - gamma L)/(1 - gamma mu))^(K-1) of L/mu is at most 1/3.",
    severity="substantive",
    note="gamma < 1/(K L) keeps the factor above (1 - 1/K)^(K-1) > 1/e for every K: nothing exponential is possible "
    "in the corollary's range. With gamma fixed and K growing the corollary no longer applies, and the condition "
    "number of Theta_K then grows exponentially, like ((1 - gamma mu)/(1 - gamma L))^(K-1) mu/L.",
    domain=Domain(decode, grid(K=LARGE), "1/(2K) <= gamma L < 1/K, 1e-4 <= mu/L <= 1/10"),
    hypotheses=(
        Hypothesis("0 < mu <= L", lambda s: [that(s.mu) <= s.L, that("mu", s.mu) > s.mu * 0]),
        Hypothesis(
            "1/2 <= gamma K L < 1",
            lambda s: [
                that(s.gamma * s.K * s.L) < s.mu * 0 + 1,
                that("not close to 0", s.gamma * s.K * s.L * 2) >= s.mu * 0 + 1,
            ],
        ),
    ),
    printed=claim_of(reduced),
    corrected=claim_of(at_most_e, prove=prove),
    steps=(
        Step(
            "beyond the corollary (ours): K grows at a fixed gamma",
            claim_of(
                grows_back,
                prove=prove_growth,
                domain=Domain(fixed_rate, grid(K=(5, 6, 10, 100)), "gamma = 1/(2L), mu = L/2, one client"),
            ),
        ),
    ),
)
