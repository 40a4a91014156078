"""OLR Lemma 31 (Groves and Rothenberg): the inverse of the mean is at most the mean of the inverses."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np

from theorems.domain import Cursor, Domain, clients, grid
from theorems.engines.prove import reals, smt
from theorems.outsized.common import ASSUMPTION_2
from theorems.statement import Claim, Comparison, Proof, Statement


def instance(cursor: Cursor, n: int, d: int) -> SimpleNamespace:
    scale = 1 + cursor.take()
    p = clients(cursor, n, d, weighted=True)
    return SimpleNamespace(p=replace(p, lam=p.lam * scale[..., None, None]))


def jensen(s: Any) -> list[Comparison]:
    """The smallest eigenvalue of E[A^-1] - E[A]^-1, relative to E[A^-1] (floats round it), and the norms."""
    p, nb = s.p, s.p.nb
    mean, inverse = p.hessian(p.lam), p.hessian(1 / p.lam)
    least = nb.eigenvalues(inverse - _inverse(nb, mean))[..., 0]
    scale = nb.eigenvalues(inverse)[..., -1]
    return [
        Comparison("order", 1 + least / scale, ">=", scale * 0 + 1),
        Comparison("norms", 1 / nb.eigenvalues(mean)[..., 0], "<=", scale),
        Comparison("mean of norms", scale, "<=", p.mean(1 / nb.smallest(p.lam, 1))),
    ]


def _inverse(nb: Any, M: Any) -> Any:
    d = M.shape[-1]
    one = M[..., 0] * 0
    columns = [
        nb.solve(M, np.concatenate([one[..., :k], one[..., k : k + 1] + 1, one[..., k + 1 :]], -1)) for k in range(d)
    ]
    return np.stack(columns, -1)


def prove() -> Proof:
    a, b, w = reals("a b w")
    smt([a > 0, b > 0, 0 <= w, w <= 1], 1 / (w * a + (1 - w) * b) <= w / a + (1 - w) / b)
    return Proof(
        "z3",
        "Two positive definite matrices are diagonal in a common congruence (A = S S', B = S diag S'), where the "
        "order is "
        "the scalar convexity of 1/x, decided by z3; any finite population follows by merging clients two by two, any "
        "distribution with finite expectations as a limit. Order implies order of norms.",
    )


STATEMENT = Statement(
    id="OLR.L31",
    paper="outsized",
    kind="upper bound",
    location="Lemma 31, appendix B.3",
    says="For random positive definite A, E[A]^-1 <= E[A^-1] in the Loewner order; hence |E[A]^-1| <= |E[A^-1]|.",
    domain=Domain(instance, grid(n=(1, 2, 3), d=(1, 2)), "weighted clients, mu > 0"),
    hypotheses=(ASSUMPTION_2,),
    printed=Claim("order and norms", r"\mathbb E[A]^{-1}\preceq\mathbb E[A^{-1}]", jensen, prove),
)
