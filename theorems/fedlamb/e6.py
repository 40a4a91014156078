"""LAMB (6): the descent inequality from smoothness per layer (H1)."""

from theorems.fedlamb.common import need
from theorems.vocabulary import *


def instance(cursor: Cursor) -> Instance:
    """f = 1/2 theta^T A theta with two layers of one coordinate; L_l^2 is the square of A's l-th column; a step d."""
    nb = cursor.nb
    a, b, c, d1, d2 = (1 - 2 * v for v in cursor.many(5))
    return Instance(nb=nb, a=a, b=b, c=c, d1=d1, d2=d2)


def sides(s: Instance) -> tuple[Any, Any]:
    """f(theta + d) - f(theta) - <grad f(theta), d>, and sum_l L_l/2 |d_l|^2 (of columns: sqrt(a^2 + b^2) each)."""
    left = (s.a * s.d1**2 + 2 * s.b * s.d1 * s.d2 + s.c * s.d2**2) / 2
    L1, L2 = s.nb.sqrt(s.a**2 + s.b**2), s.nb.sqrt(s.c**2 + s.b**2)
    return left, (L1 * s.d1**2 + L2 * s.d2**2) / 2


def printed(s: Instance) -> list[Comparison]:
    r"""the descent inequality with one L_l a layer

    f(y)\le f(x)+\langle\nabla f(x),y-x\rangle+\sum_\ell\frac{L_\ell}2\|y^\ell-x^\ell\|^2
    """
    left, right = sides(s)
    return [that("(6)", left) <= right]


def corrected(s: Instance) -> list[Comparison]:
    r"""as printed for one layer; else with h L_l in the place of L_l (or with a joint constant L)

    f(y)\le f(x)+\langle\nabla f(x),y-x\rangle+\sum_\ell\frac{\mathsf hL_\ell}2\|y^\ell-x^\ell\|^2
    """
    left, right = sides(s)
    return [that("with h L_l", left) <= 2 * right]


def prove() -> None:
    """z3: H1 bounds every block A_kl by min(L_k, L_l) (the Hessian is symmetric), so 2 <d_k, A_kl d_l> <= L_k |d_k|^2 +
    L_l |d_l|^2; each layer occurs in h such terms, the diagonal one among them. For losses with continuous Hessians
    integrate along the step.
    """
    a, b, x, y, K, L = reals("a b x y K L")
    smt([a <= L, L >= 0], a * x * x <= L * x * x)  # diagonal blocks
    smt(
        [b <= K, -b <= K, b <= L, -b <= L], 2 * b * x * y <= K * x * x + L * y * y
    )  # off the diagonal: |A_kl| <= L_k, L_l


STATEMENT = Statement(
    kind="upper bound",
    location="(6), B.2",
    says="By H1 f(y) <= f(x) + <grad f(x), y - x> + sum_l L_l/2 |y^l - x^l|^2, where all layers move.",
    reading="H1: where layer l alone moves, the gradient changes by at most L_l times that. (If the inequality is "
    "meant for any two points that differ in other layers, too, the gradient depends on one layer only, and L_l = 0 "
    "for all others.)",
    severity="missing-hypothesis",
    domain=Domain(instance, ({},), "quadratics with two layers of one coordinate"),
    hypotheses=(need("the step moves", lambda s: [(s.d1**2 + s.d2**2, ">", 0)]),),
    printed=claim_of(printed),
    corrected=claim_of(corrected, prove=prove),
    note="1/2 (x + y)^2 has L_1 = L_2 = sqrt 2 and grows by 2 along (1, 1), where (6) allows sqrt 2. The factor h "
    "costs Theorem 1 what it claims to gain from many layers.",
)
