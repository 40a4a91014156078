"""OLR section 4, two clients at gamma = 1/2: every formula in K."""

from theorems.outsized import x1
from theorems.vocabulary import *

KS = (1, 2, 3, 4, 5, 7, 10, 20, 30)


def decode(cursor: Cursor, K: int) -> Instance:
    return Instance(nb=cursor.nb, x=2 - 4 * cursor.take(), K=K)


def distortions(K: int, one: Scalar) -> tuple[Any, Any]:
    """sum_{k<K} (1 - i/2)^k for i = 1, 2, term by term."""
    return sum(one / 2**k for k in range(K)), one


def rest(K: int, one: Any) -> Any:
    return x1.rest(*distortions(K, one))


def distance(K: int, one: Any) -> Any:
    q1, q2 = distortions(K, one)
    return (q1 - q2) / (3 * (q1 + 2 * q2))


def compare(s: Instance) -> list[Comparison]:
    r"""all formulas, and monotone to 1/12

    \|\operatorname{argmin}\tilde f-\operatorname{argmin}f\|=\frac{2^K-2}{6(2^{K+1}-1)}\uparrow\tfrac1{12}
    """
    K, x, one = s.K, s.x, s.x * 0 + 1
    q1, q2 = distortions(K, one)
    printed = ((1 - one / 2**K) * (x - 1) ** 2 + (2 * x - 1) ** 2 / 4) / 2
    return [
        that("Q_1", q1 * 2 ** (K - 1)) == one * (2**K - 1),
        that("Q_2", q2) == one,
        that("the surrogate", x1.surrogate(q1, q2, x)) == printed,
        that("its minimizer", rest(K, one) * (2 ** (K + 2) - 2)) == one * (3 * 2**K - 2),
        that("the distance", distance(K, one) * 6 * (2 ** (K + 1) - 1)) == one * (2**K - 2),
        that("grows with K", distance(K, one)) < distance(K + 1, one),
        that("below 1/12", distance(K, one) * 12) < one,
        that("towards 1/12", 1 - 12 * distance(K, one)) <= one / 2 ** (K - 1),
        that("towards E[c_i] = 3/4", 3 - 4 * rest(K, one)) <= one / 2**K,
    ]


def prove() -> None:
    """sympy and z3: With r = 2^-K all formulas are identities in r and x (Q_1 = 2 - 2 r by induction: r halves). 1 - 12
    distance = 3 r / (2 - r) is positive, falls strictly as r halves and is at most 2 r, so the distance climbs to 1/12
    and the minimizer to 3/4 = E[c_i], for all K.

    With r = 2^-K: Q_1 = 2 - 2 r, and one more step halves r.
    """
    r, x = sympy.symbols("r x")
    half = sympy.Rational(1, 2)
    q1 = 2 - 2 * r
    value = (q1 * (x - 1) ** 2 / 2 + 2 * (x - half) ** 2 / 2) / 2
    best = sympy.solve(sympy.diff(value, x), x)[0]
    gap = (1 / r - 2) / (6 * (2 / r - 1))
    identity(
        (q1 + r, 2 - 2 * (r / 2)),
        (value, ((1 - r) * (x - 1) ** 2 + (x - half) ** 2) / 2),
        (best, (3 / r - 2) / (4 / r - 2)),
        (best - sympy.Rational(2, 3), gap),
        (1 - 12 * gap, 3 * r / (2 - r)),
        (3 - 4 * best, r / (1 - r / 2) / 2),
    )
    t = reals("t")
    smt([0 < t, 2 * t <= 1], 3 * t / (2 - t) <= 2 * t)
    smt([0 < t, 2 * t <= 1], 3 * (t / 2) / (2 - t / 2) < 3 * t / (2 - t))
    smt([0 < t, 2 * t <= 1], t / (2 - t) <= t)


STATEMENT = Statement(
    kind="identity",
    location="section 4, analytic examples (K varies)",
    says="At gamma = 1/2: Q_1 = 2 - 2^(1-K), Q_2 = 1, the surrogate, its minimizer (3 2^K - 2)/(2^(K+2) - 2), at "
    "distance (2^K - 2)/(6 (2^(K+1) - 1)) from x*, 0 for K = 1 and increasing monotonically to 1/12; the minimizer "
    "tends to E[c_i].",
    note="gamma = 1/2 is 1/L, just outside Lemma 15's gamma < 1/L.",
    domain=Domain(decode, grid(K=KS), "the two clients at gamma = 1/2, any x"),
    printed=claim_of(compare, prove=prove),
)
