"""OLR Lemma 31 (Groves and Rothenberg): the inverse of the mean is at most the mean of the inverses."""

from theorems.outsized.common import ASSUMPTION_2
from theorems.vocabulary import *


def instance(cursor: Cursor, n: int, d: int) -> Instance:
    """Positive definite matrices of any scale, their weights, and a vector v."""
    scale = 1 + cursor.take()
    p = clients(cursor, n, d, weighted=True)
    v = np.stack([2 * cursor.take() - 1 for _ in range(d)], -1)
    return Instance(p=replace(p, lam=p.lam * scale[..., None, None]), v=v)


def jensen(s: Instance) -> list[Comparison]:
    r"""order and norms

    \mathbb E[A]^{-1}\preceq\mathbb E[A^{-1}]

    v' E[A]^-1 v <= v' E[A^-1] v, and the norms.
    """
    p, nb = s.p, s.p.nb
    mean, inverse = p.hessian(p.lam), p.hessian(1 / p.lam)
    top = nb.eigenvalues(inverse)[..., -1]
    return [
        that("order", (s.v * nb.solve(mean, s.v)).sum(-1)) <= (s.v * (inverse @ s.v[..., None])[..., 0]).sum(-1),
        that("norms", 1 / nb.eigenvalues(mean)[..., 0]) <= top,
        that("mean of norms", top) <= p.mean(1 / nb.smallest(p.lam, 1)),
    ]


def prove() -> None:
    """z3: Two positive definite matrices are diagonal in a common congruence (A = S S', B = S diag S'), where the order
    is the scalar convexity of 1/x, decided by z3; any finite population follows by merging clients two by two, any
    distribution with finite expectations as a limit. Order implies order of norms.
    """
    a, b, w = reals("a b w")
    smt([a > 0, b > 0, 0 <= w, w <= 1], 1 / (w * a + (1 - w) * b) <= w / a + (1 - w) / b)


STATEMENT = Statement(
    kind="upper bound",
    location="Lemma 31, appendix B.3",
    says="For random positive definite A, E[A]^-1 <= E[A^-1] in the Loewner order; hence |E[A]^-1| <= |E[A^-1]|.",
    domain=Domain(instance, grid(n=(1, 2, 3), d=(1, 2)), "weighted clients, mu > 0"),
    hypotheses=(ASSUMPTION_2,),
    printed=claim_of(jensen, prove=prove),
)
