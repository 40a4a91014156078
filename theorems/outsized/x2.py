"""OLR section 4, two clients at gamma = 1/2: every formula in K."""

from theorems.bridges import geometric_sum, positive_powers, powers
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


def derive(proof: Derivation, s: Instance) -> None:
    """With r = 2^-K: Q_1 = 2 - 2 r, and all else is in r, which is halved by one more step."""
    K, one = s.K, s.x * 0 + 1
    half, total, least = one / 2, distortions(K, one)[0], one / 2**K
    r, x, S = reals("r x S")
    proof.leaf("1/2 > 0", [], 0 * x < 0 * x + Fraction(1, 2), x=s.x)
    proof.leaf("1/2 >= 0", [], 0 * x <= 0 * x + Fraction(1, 2), x=s.x)
    proof.leaf("1/2 <= 1", [], 0 * x + Fraction(1, 2) <= 0 * x + 1, x=s.x)
    proof.cross(positive_powers, "r > 0", base=half, exponents=(K,))
    proof.cross(powers, "2 r <= 1", low=half, high=one, exponents=(K - 1,))
    proof.cross(geometric_sum, "Q_1/2 = 1 - r", ratio=half, count=K)
    proof.leaf("Q_1 = 2 - 2 r", [S / 2 <= 1 - r, S / 2 >= 1 - r], S == 2 - 2 * r, S=total, r=least)
    q, here = 2 - 2 * r, {"r": least}
    best, gap = (q + 1) / (q + 2), (q - 1) / (3 * (q + 2))
    more = q + r
    inside = [0 < r, 2 * r <= 1]
    proof.leaf("Q_1 2^(K-1) = 2^K - 1", [r > 0], q * (1 / r) / 2 == 1 / r - 1, **here)
    proof.leaf("Q_2 = 1", [], 0 * x + 1 == 1 + 0 * x, x=s.x)
    proof.leaf("the surrogate", [], (q * ((x - 1) * (x - 1)) / 2 + (2 * x - 1) * (2 * x - 1) / 4) / 2
               == ((1 - r) * ((x - 1) * (x - 1)) + (2 * x - 1) * (2 * x - 1) / 4) / 2, x=s.x, **here)  # fmt: skip
    proof.leaf("its minimizer", inside, best * (4 / r - 2) == 3 / r - 2, **here)
    proof.leaf("the distance", inside, gap * 6 * (2 / r - 1) == 1 / r - 2, **here)
    proof.leaf("grows with K", inside, gap < (more - 1) / (3 * (more + 2)), **here)
    proof.leaf("below 1/12", inside, gap * 12 < 1, **here)
    proof.leaf("towards 1/12", inside, 1 - 12 * gap <= 2 * r, **here)
    proof.leaf("towards 3/4", inside, 3 - 4 * best <= r, **here)


STATEMENT = Statement(
    kind="identity",
    location="section 4, analytic examples (K varies)",
    says="At gamma = 1/2: Q_1 = 2 - 2^(1-K), Q_2 = 1, the surrogate, its minimizer (3 2^K - 2)/(2^(K+2) - 2), at "
    "distance (2^K - 2)/(6 (2^(K+1) - 1)) from x*, 0 for K = 1 and increasing monotonically to 1/12; the minimizer "
    "tends to E[c_i].",
    note="gamma = 1/2 is 1/L, just outside Lemma 15's gamma < 1/L.",
    domain=Domain(decode, grid(K=KS), "the two clients at gamma = 1/2, any x"),
    printed=claim_of(compare, derive=derive),
)
