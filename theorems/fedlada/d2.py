"""LADA, after the descent inequality: beta1 <= K/(K+1), 1/(1-beta1) steps, K >= 2/(1-beta1)."""

from theorems.fedlada.common import below, need
from theorems.vocabulary import *


def instance(cursor: Cursor, K: int) -> Instance:
    return Instance(nb=cursor.nb, K=K, beta1=cursor.take() * K / (K + 1))


def lost(s: Instance) -> Any:
    return s.beta1 / ((1 - s.beta1) * s.K) - 1


def printed(s: Instance) -> list[Comparison]:
    r"""the first two claims

    \frac{\beta_1}{(1-\beta_1)K}-1\le0,\quad\|m_{1/(1-\beta_1)}\|^2\approx\|g\|^2

    beta1 = 1 - 1/K: 1/(1-beta1) = K updates with a constant gradient g = 1; and beta1 = share K/(K+1).
    """
    settled = (s.beta1 * 0 + 1) - s.nb.number(Fraction(s.K - 1, s.K) ** s.K)
    return [
        that("not positive", lost(s)) <= 0,
        that("|m|^2 is |g|^2 within a third after K = 1/(1-beta1) steps", 3 * settled**2) >= 2,
    ]


def corrected(s: Instance) -> list[Comparison]:
    r"""beta1 < K/(K+1) is what C > 0 needs; 1/(1-beta1) steps give |m| >= (1 - 1/e)|g|, about 40 % of |g|^2

    \frac{\beta_1}{(1-\beta_1)K}-1\le0\iff\beta_1\le\frac K{K+1},\quad\|m_K\|\ge(1-e^{-1})\|g\|
    """
    one = s.beta1 * 0 + 1
    left = one * s.nb.number(Fraction(s.K - 1, s.K) ** s.K)
    return [that("not positive", lost(s)) <= 0, that("|m| >= (1 - 1/e) |g|", left) <= s.nb.exp(-one)]


def prove() -> None:
    """z3 and sympy: beta1/((1-beta1)K) <= 1 is beta1 <= K/(K+1), with equality at the end (z3). With a constant
    gradient m_K = (1 - beta1^K) g and (1 - 1/K)^K <= 1/e, as 1 - x <= exp(-x), a convex gap that vanishes with its
    slope at 0.
    """
    b, K = reals("b K")
    smt([0 < b, K >= 1, b * (K + 1) <= K], b <= (1 - b) * K)
    smt([0 < b, b < 1, K >= 1, b <= (1 - b) * K], b * (K + 1) <= K)
    x = sympy.Symbol("x", real=True)
    gap = sympy.exp(-x) - (1 - x)  # convex with its minimum 0 at x = 0
    identity((gap.subs(x, 0), 0), (sympy.diff(gap, x).subs(x, 0), 0))
    if sympy.diff(gap, x, 2).is_positive is not True:
        raise AssertionError("1 - x <= exp(-x) is not shown")


STATEMENT = Statement(
    kind="existence",
    location="end of B.2.3, 'Let beta1 <= K/(K+1)' and after",
    says="beta1 <= K/(K+1) keeps beta1/((1-beta1)K) - 1 negative; 1/(1-beta1) updates ensure |m|^2 ~ |g|^2; the "
    "experiments set K >= 2/(1-beta1).",
    reading="Negative or zero (it is zero at K/(K+1)); ~ within a third, for a constant gradient; the experiments are "
    "those of section 4.1 (beta1 = 0.9) and Table 4.",
    severity="substantive",
    domain=Domain(instance, grid(K=(1, 2, 5, 10, 100)), "0 < beta1 <= K/(K+1)"),
    hypotheses=(need("0 < beta1 <= K/(K+1)", below("beta1"), lambda s: (s.beta1 * (s.K + 1), "<=", s.K)),),
    printed=claim_of(printed),
    corrected=claim_of(corrected, prove=prove),
    note="beta1 < K/(K+1) is missing in Theorem 3.5. With beta1 = 0.9, K >= 2/(1-beta1) is K >= 20: Table 4's best "
    "run (K = 2, beta1 = 0.9) has C = -7/4. 2/(1-beta1) steps give three quarters of |g|^2, (1 - e^-2)^2.",
)
