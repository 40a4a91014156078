"""LADA, B.2.2: the choice p = 1 + 1/(K-1) under the theorem's condition on eta_l."""

from theorems.fedlada.common import below, boxed, need
from theorems.vocabulary import *


def printed(s: Instance) -> list[Comparison]:
    r"""such an a exists

    \exists a:\ p=1+\frac1{K-1}

    At eta_l^2 = 1/(8 alpha (1-beta1) K G^2 L^2) every a in (0, 1/(K-1)] has p >= 2K/(K+1): ``nothing_smaller``.
    """
    return [that("p", s.one * 2 * s.K / (s.K + 1)) <= s.one * s.K / (s.K - 1)]


def quadratic(s: Instance, X: Scalar, a: Scalar, scaled: Scalar) -> Any:
    """(19) in X = 4 gamma (1-beta1) G^2 L^2, times 4 (1-beta1) G^2 L^2; scaled = 4 alpha (1-beta1) G^2 L^2 eta_l^2."""
    return s.beta1 * X * X + (1 + a - s.beta1) * X - (1 + a) * (1 + 1 / a) * scaled


def corrected(s: Instance) -> list[Comparison]:
    r"""with eta_l <= 1/(4 sqrt(alpha) K G L): rates like 1/K, not 1/sqrt(K)

    \eta_l\le\frac1{4\sqrt\alpha KG_\vartheta L}\Rightarrow\exists a:\ p\le1+\frac1{K-1}

    a = 1/(2(K-1)): p <= K/(K-1) iff X <= 1/(2K), iff the quadratic is >= 0 there.
    """
    a = s.one / (2 * (s.K - 1))
    scaled = s.t * (1 - s.beta1) / (4 * s.K**2)
    return [
        that("X <= 1/(2K)", quadratic(s, s.one / (2 * s.K), a, scaled)) >= 0,
        that("p <= K/(K-1) then", (1 + a) / (1 - s.one / (2 * s.K))) <= s.one * s.K / (s.K - 1),
    ]


def nothing_smaller() -> None:
    """X <= 1 and (19) at the theorem's limit: X >= (1+a)/(2aK), and so p >= 2K/(K+1), for a <= 1/(K-1), K >= 2."""
    X, a, b, K = reals("X a b K")
    box = [0 < b, b < 1, a > 0, K >= 2, a * (K - 1) <= 1, 0 < X, X < 1]
    smt([*box, 2 * a * K * (b * X * X + (1 + a - b) * X) == (1 + a) * (1 + a)], 2 * a * K * X >= 1 + a)
    smt([*box, 2 * a * K * X >= 1 + a], 2 * K * X >= K - 1)
    smt([*box, 2 * K * X >= K - 1], (1 + a) * (K + 1) >= 2 * K * (1 - X))


def prove() -> None:
    """z3: With a = 1/(2(K-1)) the quadratic (19) is >= 0 at X = 1/(2K), so that gamma+ has X <= 1/(2K) and p <=
    K/(K-1). The same run checks that at the printed limit of eta_l no a in (0, 1/(K-1)] has p below 2K/(K+1).
    """
    nothing_smaller()
    K, b, t = reals("K b t")
    # times 4 K^2 (1 + a) a-free: 1 + 1/a = 2K - 1, 1 + a = (2K-1)/(2(K-1))
    smt(
        [K >= 2, 0 < b, b < 1, 0 < t, t <= 1],
        b * 2 * (K - 1) + ((2 * K - 1) - b * 2 * (K - 1)) * 2 * K >= (2 * K - 1) * (2 * K - 1) * t * (1 - b),
    )
    smt([K >= 2], (2 * K - 1) * 2 * K * (K - 1) <= K * 2 * (K - 1) * (2 * K - 1))


def box(says: str, **other: tuple[Any, ...]) -> Domain:
    ranges: dict[str, tuple[Any, ...]] = {"one": (1, 1), "beta1": ("1/100", "99/100"), "t": (0, 1), **other}
    return boxed(says, grid(K=(2, 3, 4, 5, 10, 100)), **ranges)


STATEMENT = Statement(
    kind="existence",
    location="B.2.2, 'Here we let p = 1 + 1/(K-1)'",
    says="Where eta_l <= 1/(2 sqrt(2 alpha (1-beta1) K) G L), some a <= 1/(K-1) has p = (1+a)/(1 - 4 gamma+ (1-beta1) "
    "G^2 L^2) = 1 + 1/(K-1).",
    reading="eta_l at its limit in Theorem 3.5; p is compared after minimising over a (p >= 2K/(K+1) for every a, by "
    "z3).",
    severity="substantive",
    domain=box("K = 2, 3, 4, ..."),
    hypotheses=(
        need(
            "0 < eta_l, at most its limit",
            below("t"),
            lambda s: (s.t, "<=", 1),
            without=box("eta_l up to twice its limit", t=(0, 4)),
        ),
        need("0 < beta1 < 1", below("beta1"), below("beta1", 1), without=box("beta1 up to 2", beta1=("1/100", 2))),
    ),
    printed=claim_of(printed),
    corrected=claim_of(corrected, prove=prove),
    note="The paper calls 1 + 1/(K-1) 'a fixed constant': a and eta_l must shrink with K. From K = 4 on, nothing "
    "smaller than 2K/(K+1) > K/(K-1) can be had, and p^K then grows exponentially in K.",
)
