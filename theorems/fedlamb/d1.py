"""LAMB section 4.2: how many rounds (4) asks for, against Fed-AMS."""

from theorems.fedlamb.common import need
from theorems.vocabulary import *


def instance(cursor: Cursor, T: int, h: int) -> Instance:
    """n = a^2, p = h^4 k (so that p^(1/4)/h = k^(1/4)), and rounds R."""
    a, k = 1 + 9 * cursor.take(), (1 + 9 * cursor.take()) / 10
    return Instance(nb=cursor.nb, T=T, h=h, n=a * a, root_n=a, k=k, p=h**4 * k, rounds=1 + cursor.take())


def terms(s: Instance, R: Scalar, T2: Scalar) -> tuple[Any, Any]:
    """The last and the first term of (4), T2 for (T - 1)^2."""
    root = s.nb.sqrt
    return T2 * s.p / (s.h**3 * R * root(R)), root(s.p) / s.root_n / root(s.h * R)


def printed(s: Instance) -> list[Comparison]:
    r"""equal terms at the stated T; the last is the smaller one at R >= T^2 sqrt n

    T\le\frac{R^{1/2}\mathsf h^{5/4}}{(np)^{1/4}}\iff\frac{T^2p}{\mathsf h^3R^{3/2}}%
      \le\sqrt{\tfrac pn}\frac1{\sqrt{\mathsf hR}}

    At T^2 = R h^(5/2)/sqrt(n p) both are equal; with R >= T^2 sqrt(n) and p^(1/4)/h <= 1 the last is the smaller.
    """
    T2 = s.rounds * s.h**2 * s.nb.sqrt(s.rounds * 0 + s.h) / (s.root_n * s.nb.sqrt(s.p))
    last, first = terms(s, s.rounds, T2)
    R = s.rounds * s.T**2 * s.root_n
    enough = terms(s, R, s.T**2)
    return [
        that("at the largest T", last) == first,
        Comparison("at R = T^2 sqrt n", *_le(enough)),
        that("T^2 sqrt n against T^3 sqrt n", s.T**2 * s.root_n) <= s.T**3 * s.root_n,
    ]


def _le(pair: tuple[Any, Any]) -> tuple[Any, Any, Any]:
    return pair[0], "<=", pair[1]


def prove() -> None:
    """sympy identity: The ratio of the last to the first term of (4) is T^2 sqrt(n p)/(h^(5/2) R): 1 at the stated T,
    and (p^(1/4)/h)^2/(c sqrt h) <= 1 at R = c T^2 sqrt n with c, h >= 1 and p^(1/4) <= h.
    """
    R, h, n, p, T, k, c = sympy.symbols("R h n p T k c", positive=True)
    half = sympy.Rational(1, 2)
    T2 = R * h ** (5 * half) / sympy.sqrt(n * p)
    ratio = (T2 * p / (h**3 * R ** (3 * half))) / (sympy.sqrt(p / n) / sympy.sqrt(h * R))
    identity((sympy.simplify(ratio), 1))
    again = (T**2 * p / (h**3 * R ** (3 * half))) / (sympy.sqrt(p / n) / sympy.sqrt(h * R))
    again = again.subs({p: h**4 * k, R: c * T**2 * sympy.sqrt(n)})
    identity((sympy.simplify(again), sympy.sqrt(k) / (c * sympy.sqrt(h))))


STATEMENT = Statement(
    kind="limit",
    location="section 4.2, after Theorem 2",
    says="By (4) the term with T is dominated as long as T <= O(R^(1/2) h^(5/4)/(n p)^(1/4)), so that with p^(1/4)/h "
    "= O(1) R >= O(T^2 sqrt n) rounds give the rate of AMSGrad, where Fed-AMS needs R >= O(T^3 sqrt n).",
    reading="The arithmetic from (4), with T for T - 1 and p^(1/4) <= h. Whether (4) is true is LAMB.C1; what (3) "
    "gives is LAMB.D1b.",
    domain=Domain(instance, grid(T=(1, 2, 10), h=(1, 2, 10)), "n from 1 to 100, p up to h^4"),
    hypotheses=(need("p^(1/4) <= h, R >= T^2 sqrt n", lambda s: [(s.p, "<=", s.h**4), (s.rounds, ">=", 1)]),),
    printed=claim_of(printed, prove=prove),
    note="The arithmetic stands, its premise (4) does not (LAMB.C1). It compares an upper bound with an upper bound.",
)
