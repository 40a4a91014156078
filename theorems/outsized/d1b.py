"""OLR after Corollary 14: the "exponential reduction" of the condition number by Theta_K is at most a factor e."""

from theorems.bridges import exponential, powers
from theorems.domain import LEAST_MU
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


def derive(proof: Derivation, s: Instance) -> None:
    """To the power m = K - 1: e^(-1/m) <= m/(m + 1) = 1 - 1/K <= 1 - gamma L <= (1 - gamma L)/(1 - gamma mu) <= 1."""
    nb, m = s.nb, s.K - 1
    part = (s.gamma * 0 + 1) / m
    n, x, e, y, g, a, L = reals("K x e y gamma mu L")
    proof.setting("K >= 2", s.K, 2)
    for value in (part, -part):
        proof.leaf("x is x", [], x <= x, x=value)
        proof.cross(exponential, "1 + 1/m <= e^(1/m)", nb=nb, x=value, y=value)
    count = nb.number(s.K)
    proof.leaf("e^(-1/m) <= 1 - 1/K", [1 + 1 / (n - 1) <= e, e * y <= 1, y > 0, n >= 2], y * n <= n - 1,
               K=count, e=nb.exp(part), y=nb.exp(-part))  # fmt: skip
    here = {"gamma": s.gamma, "mu": s.mu, "L": s.L}
    proof.leaf("L > 0", [0 < a, a <= L], 0 < L, mu=s.mu, L=s.L)
    proof.leaf("gamma > 0", [2 * g * n * L >= 1, L > 0, n >= 2], 0 < g, K=count, gamma=s.gamma, L=s.L)
    proof.leaf("gamma L < 1", [g * n * L < 1, g > 0, L > 0, n >= 2], g * L < 1, K=count, gamma=s.gamma, L=s.L)
    proof.leaf("1 - gamma mu > 0", [g * L < 1, a <= L, g > 0], 0 < 1 - g * a, **here)
    proof.leaf("1 - gamma mu <= 1", [g > 0, a > 0], 1 - g * a <= 1, gamma=s.gamma, mu=s.mu)
    proof.leaf("e^(-1/m) <= 1 - gamma L", [y * n <= n - 1, g * n * L < 1, n >= 2], y <= 1 - g * L,
               K=count, y=nb.exp(-part), gamma=s.gamma, L=s.L)  # fmt: skip
    ratio = (1 - s.gamma * s.L) / (1 - s.gamma * s.mu)
    proof.leaf("divided by at most 1", [y <= 1 - g * L, g * L < 1, 0 < 1 - g * a, 1 - g * a <= 1],
               y <= (1 - g * L) / (1 - g * a), y=nb.exp(-part), **here)  # fmt: skip
    proof.leaf("at most 1", [0 < 1 - g * a, a <= L, g > 0], (1 - g * L) / (1 - g * a) <= 1, **here)
    proof.leaf("at least 0", [0 < 1 - g * a, g * L < 1], 0 <= (1 - g * L) / (1 - g * a), **here)
    proof.leaf("e^(-1/m) >= 0", [y > 0], 0 <= y, y=nb.exp(-part))
    proof.cross(powers, "1/e <= the factor", low=nb.exp(-part), high=ratio, exponents=(m,))
    proof.cross(powers, "the factor <= 1", low=ratio, high=ratio * 0 + 1, exponents=(m,))


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
    corrected=claim_of(at_most_e, derive=derive),
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
