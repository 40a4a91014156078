"""OLR Lemma 18: for small gamma, phi is at least (1 - eps) K lambda."""

from surrogate import bounds
from theorems.bridges import exponential, powers
from theorems.domain import STEPS
from theorems.outsized.lemmas import bernoulli, filter_at_least
from theorems.vocabulary import *


def instance(cursor: Cursor, K: int, reach: int = 1) -> Instance:
    """x = ln(1/(1 - eps)) in [0, reach K], gamma K lam in [0, x], lam in (0, 1]."""
    x = cursor.take() * K * reach
    lam = 1 - cursor.take() * cursor.nb.number(Fraction(999, 1000))
    gamma = bounds.lemma_18_rate(K, lam, bounds.Epsilon((1 - cursor.take()) * x))
    return Instance(nb=cursor.nb, x=x, lam=lam, gamma=gamma, K=K)


def bound(s: Instance) -> list[Comparison]:
    r"""phi is at least (1 - eps) K lam

    \phi_{K,\lambda}(\gamma)\ge(1-\epsilon)K\lambda
    """
    least = bounds.lemma_18(s.K, s.lam, bounds.Epsilon(s.x))
    return [that(least) <= bounds.phi(s.K, s.lam, s.gamma)]


def sharper(s: Instance) -> list[Comparison]:
    r"""so gamma <= 2 eps/((K-1) lam) suffices: twice the printed rate for small eps

    \phi_{K,\lambda}(\gamma)\ge K\lambda\left(1-\tfrac{K-1}2\gamma\lambda\right)
    """
    return [that(s.K * s.lam * (1 - (s.K - 1) * s.gamma * s.lam / 2)) <= bounds.phi(s.K, s.lam, s.gamma)]


def derivative_terms(s: Instance) -> list[Comparison]:
    r"""-(k-1)(1-gamma lam)^(k-2) lam^2 >= 0

    -(k-1)(1-\gamma\lambda)^{k-2}\lambda^2\ge0

    The term k = 2 of phi': -(k - 1)(1 - gamma lam)^(k-2) lam^2.
    """
    return [that("k = 2", -s.lam * s.lam) >= s.lam * 0]


def last_inequality(s: Instance) -> list[Comparison]:
    r"""the last two inequalities

    (1-x/K)^K\le e^{-x}\le1-xe^{-x}

    (1 - x/K)^K <= e^-x <= 1 - x e^-x.
    """
    left = s.nb.exp(-s.x)
    return [
        that("exponential", s.nb.power(1 - s.x / s.K, s.K)) <= left,
        that("y <= 1 + y ln y", left) <= 1 - s.x * left,
    ]


def derive_at(proof: Derivation, s: Instance, lam: Any) -> None:
    """K <= e^x sum_{k<K} (1 - z)^k, z = gamma lam, for K z <= x <= K; times e^-x lam."""
    nb, z, count = s.nb, s.gamma * lam, s.nb.number(s.K)
    t, x, n, m, S, e, y = reals("z x K lam S e y")
    proof.leaf("z <= 1", [n * t <= x, x <= n, n >= 1], t <= 1, z=z, x=s.x, K=count)
    filter_at_least(proof, nb, z, s.x, s.K)
    proof.leaf("x is x", [], x <= x, x=s.x)
    proof.leaf("-x is -x", [], -x <= -x, x=s.x)
    proof.cross(exponential, "e^x e^-x = 1", nb=nb, x=s.x, y=s.x)
    proof.cross(exponential, "e^-x > 0", nb=nb, x=-s.x, y=-s.x)
    inverse = [e * y <= 1, e * y >= 1, y > 0]
    proof.leaf("times e^-x lam", [n <= S * e, *inverse, m > 0], y * n * m <= m * S,
               K=count, S=bounds.phi(s.K, lam, s.gamma) / lam, e=nb.exp(s.x), y=nb.exp(-s.x), lam=lam)  # fmt: skip


def derive(proof: Derivation, s: Instance) -> None:
    g, x, n, m = reals("gamma x K lam")
    proof.setting("K >= 1", s.K, 1)
    here = {"gamma": s.gamma, "lam": s.lam}
    proof.leaf("gamma lam >= 0", [g >= 0, m > 0], 0 <= g * m, **here)
    proof.leaf(
        "K gamma lam <= x", [g <= x / (n * m), n >= 1, m > 0], n * (g * m) <= x, x=s.x, K=s.nb.number(s.K), **here
    )
    derive_at(proof, s, s.lam)


def derive_last(proof: Derivation, s: Instance) -> None:
    """1 - x/K <= e^(-x/K), to the power K; and 1 + x <= e^x, times e^-x."""
    nb, part = s.nb, s.x / s.K
    x, n, e, y = reals("x K e y")
    proof.setting("K >= 1", s.K, 1)
    proof.leaf("-x/K <= 0", [x >= 0, n >= 1], -(x / n) <= 0 * x, x=s.x, K=nb.number(s.K))
    proof.leaf("1 - x/K >= 0", [x <= n, n >= 1], 0 <= 1 - x / n, x=s.x, K=nb.number(s.K))
    proof.cross(exponential, "1 - x/K <= e^(-x/K)", nb=nb, x=-part, y=part * 0)
    proof.cross(powers, "(1 - x/K)^K <= e^-x", low=1 - part, high=nb.exp(-part), exponents=(s.K,))
    for value in (s.x, -s.x):
        proof.leaf("x is x", [], x <= x, x=value)
        proof.cross(exponential, "1 + x <= e^x and e^x e^-x = 1", nb=nb, x=value, y=value)
    proof.leaf("times e^-x", [1 + x <= e, e * y <= 1, y > 0], y <= 1 - x * y, x=s.x, e=nb.exp(s.x), y=nb.exp(-s.x))


def derive_sharper(proof: Derivation, s: Instance) -> None:
    """Bernoulli's inequality (1 - z)^k >= 1 - k z, summed."""
    n, g, m, x, q = reals("K gamma lam x q")
    here = {"K": s.nb.number(s.K), "gamma": s.gamma, "lam": s.lam, "x": s.x}
    proof.setting("K >= 1", s.K, 1)
    proof.leaf("K gamma lam <= x", [g <= x / (n * m), n >= 1, m > 0], n * (g * m) <= x, **here)
    proof.leaf("gamma lam <= 1", [n * (g * m) <= x, x <= n, n >= 1], g * m <= 1, **here)
    proof.leaf("gamma lam >= 0", [g >= 0, m > 0], 0 <= g * m, **here)
    proof.leaf("1 - gamma lam >= 0", [g * m <= 1], 0 <= 1 - g * m, **here)
    bernoulli(proof, s.nb, s.gamma * s.lam, s.K)
    total = s.K - s.K * (s.K - 1) * s.gamma * s.lam / 2
    proof.leaf("times lam", [q <= x, m > 0], m * q <= m * x, lam=s.lam, q=total,
               x=s.nb.geometric(s.gamma * s.lam, s.K))  # fmt: skip


POSITIVE = Hypothesis(
    "0 <= eps <= 1 - e^-K",
    lambda s: [that(s.x) <= s.x * 0 + s.K, that("sign", s.x) >= s.x * 0],
    Domain(lambda cursor, K: instance(cursor, K, reach=3), grid(K=(1, 2, 3, 5)), "eps up to 1 - e^-3K"),
)
SMALL_RATE = Hypothesis(
    "0 <= gamma <= ln(1/(1 - eps)) / (K lam)",
    lambda s: [
        that(s.gamma) <= bounds.lemma_18_rate(s.K, s.lam, bounds.Epsilon(s.x)),
        that("sign", s.gamma) >= s.x * 0,
        that("lam > 0", s.lam) > s.x * 0,
    ],
)

STATEMENT = Statement(
    kind="upper bound",
    location="Lemma 18, section 6",
    says="For 0 <= eps <= 1 - e^-K and gamma <= ln(1/(1-eps))/(K lam), phi_{K,lam}(gamma) >= (1 - eps) K lam.",
    reading="eps = 1 - e^-x; gamma >= 0 (for gamma < 0, phi >= K lam).",
    domain=Domain(instance, grid(K=STEPS), "0 <= x <= K, 0 <= gamma <= x/(K lam), K up to 1e5"),
    hypotheses=(POSITIVE, SMALL_RATE),
    printed=claim_of(bound, derive=derive),
    steps=(
        Step(
            "0 <= x <= 1 for x = ln(1/(1 - eps))",
            Claim("x <= 1", r"0\le\ln\frac1{1-\epsilon}\le1", lambda s: [that(s.x) <= s.x * 0 + 1]),
            "0 <= x <= K is what eps <= 1 - e^-K gives; the rest of the proof needs no more than x <= K",
        ),
        Step(
            "all terms of phi' are nonnegative",
            claim_of(derivative_terms, domain=Domain(instance, grid(K=(2,)), "K = 2"), given=(POSITIVE, SMALL_RATE)),
            "nonpositive: phi falls with gamma, which is what makes the largest gamma the worst",
        ),
        Step("(35) through (1 - x/K)^K <= e^-x and y <= 1 + y ln y", claim_of(last_inequality, derive=derive_last)),
        Step("sharper (ours): phi >= K lam (1 - (K-1) gamma lam / 2)", claim_of(sharper, derive=derive_sharper)),
    ),
)
