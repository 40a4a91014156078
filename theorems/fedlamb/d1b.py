"""LAMB section 4.2: the same comparison of rounds with the exponent that Theorem 1 gives."""

from theorems.fedlamb.common import need
from theorems.vocabulary import *


def instance(cursor: Cursor, C: int, T: int) -> Instance:
    """p = h^4, h = (10 C)^2 layers, n = a^2 clients, R = T^2 sqrt(n)."""
    a = 1 + 9 * cursor.take()
    return Instance(nb=cursor.nb, C=C, T=T, h=100 * C * C, side=10 * C, root_n=a)


def terms(s: Instance, R: Scalar) -> tuple[Any, Any]:
    """(T-1)^2 p/(h R)^(3/2) and sqrt(p/n)/sqrt(h R), at p = h^4."""
    root = s.nb.sqrt(R)
    return (s.T - 1) ** 2 * s.h**4 / (s.side**3 * R * root), s.h**2 / s.root_n / (s.side * root)


def printed(s: Instance) -> list[Comparison]:
    r"""the last term is at most C times the first one

    \frac{(T-1)^2p}{(\mathsf hR)^{3/2}}\le C\sqrt{\tfrac pn}\frac1{\sqrt{\mathsf hR}}\quad(R=T^2\sqrt n)
    """
    last, first = terms(s, s.T**2 * s.root_n)
    return [that("R = T^2 sqrt n", last) <= s.C * first]


def corrected(s: Instance) -> list[Comparison]:
    r"""as printed for a bounded number of layers; else R >= T^2 sqrt n times sqrt p/h = O(h)

    R\ge T^2\sqrt n\,\frac{\sqrt p}{\mathsf h}
    """
    last, first = terms(s, s.T**2 * s.root_n * s.h)
    return [that("R = T^2 sqrt n sqrt p/h", last) <= first]


def prove() -> None:
    """z3: The ratio of the terms is (T-1)^2 sqrt(n p)/(h R) = (T-1)^2 h sqrt n/R at p = h^4: at most 1 from R = T^2
    sqrt(n) h on, and above any constant C at R = T^2 sqrt n, where h >= (10 C)^2 and T >= 2.
    """
    # last/first = (T-1)^2 sqrt(n p)/(h R) with p = h^4: (T-1)^2 h sqrt(n)/R
    T, h, root_n, R, ratio = reals("T h root_n R ratio")
    smt([T >= 1, h >= 1, root_n >= 1, R >= T * T * h * root_n, ratio * R == (T - 1) * (T - 1) * h * root_n], ratio <= 1)
    C = reals("C")
    smt(
        [
            T >= 2,
            C >= 1,
            h >= 100 * C * C,
            root_n >= 1,
            R == T * T * root_n,
            ratio * R == (T - 1) * (T - 1) * h * root_n,
        ],
        ratio > C,
    )


STATEMENT = Statement(
    kind="limit",
    location="section 4.2, after Theorem 2, from (3)",
    says="With p^(1/4)/h = O(1), R >= O(T^2 sqrt n) rounds suffice for the term with T, which is (T-1)^2 p/(h "
    "R)^(3/2) by (3).",
    reading="alpha = 1/sqrt(h R) in (3); p = h^4; O(.) hides a constant C.",
    severity="substantive",
    domain=Domain(instance, grid(C=(1, 10, 10**3), T=(2, 3, 10)), "h = (10 C)^2 layers, p = h^4, R = T^2 sqrt n"),
    hypotheses=(need("n >= 1", lambda s: [(s.root_n, ">=", 1)]),),
    printed=claim_of(printed),
    corrected=claim_of(corrected, prove=prove),
    note="The factor h of the correction is what the wrong exponent of h in (4) removes; with h >= T nothing is "
    "gained over the T^3 sqrt n of Fed-AMS.",
)
