"""LA section 4: x* = A(x*) only if all M_i agree, which heterogeneous data forbid."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np

from theorems.domain import Cursor, Domain
from theorems.local_adaptivity.common import batch_one, positive
from theorems.local_adaptivity.common_quadratic import STABLE, gradients, minimizer, weighting
from theorems.local_adaptivity.d1 import instance as one_factor
from theorems.statement import Claim, Comparison, Hypothesis, Proof, Statement


def instance(cursor: Cursor, n: int, kind: str) -> SimpleNamespace:
    """``cancel``: three clients with sum w M_i grad F_i(x*) = 0; ``one step``: FedAvg with tau = 1, any curvatures."""
    if kind == "cancel":
        return SimpleNamespace(**vars(one_factor(cursor, n, "P")), kind=kind)
    one = batch_one(cursor)
    H = np.stack([one, positive(cursor, 1e-3)], -1)
    x = np.stack([one * 0, 2 * cursor.take() - 1], -1)
    rest, tau = np.stack([one, one], -1), (1, 1)
    return SimpleNamespace(
        nb=cursor.nb, n=n, tau=tau, steps=str(tau), H=H, P=rest, eta=rest, x=x, w=rest / n, kind=kind
    )


def printed(s: Any) -> list[Comparison]:
    M, x = weighting(s), minimizer(s)
    apart = s.nb.abs(M[:, 0] - M[:, 1])
    if s.kind == "one step":
        return [Comparison("heterogeneous data: M_1 != M_2", apart, ">", x * 0)]
    return [Comparison("x* = A(x*) only if M_1 = M_2", M[:, 0], "==", M[:, 1])]


def corrected(s: Any) -> list[Comparison]:
    """If all M_i = M then x* - A(x*) = M sum w grad F_i(x*) = 0."""
    x, M = minimizer(s), weighting(s)
    same = (s.w * M[:, :1] * gradients(s, x)).sum(axis=-1)
    return [Comparison("sufficient", 1 + same, "==", x * 0 + 1)]


def prove() -> Proof:
    import sympy

    from theorems.local_adaptivity.common import matrices, noncommutative

    M, g, h = matrices("M g h")
    w = sympy.symbols("w")
    noncommutative((w * M * g + (1 - w) * M * h, M * (w * g + (1 - w) * h)))
    return Proof("sympy", "M is common: sum w M grad F_i(x*) = M grad F(x*) = 0, in any dimension and for any clients.")


def _rests(s: Any) -> list[Comparison]:
    g = gradients(s, minimizer(s))
    sides = [Comparison(f"gradient {i}", s.nb.abs(g[:, i]), ">", g[:, i] * 0) for i in range(s.n)]
    if s.kind == "one step":
        return [*sides, Comparison("curvatures differ", s.H[:, 1], "<", s.H[:, 0])]
    rest = (s.w * weighting(s) * g).sum(axis=-1)
    return [*sides, Comparison("x* = A(x*)", rest, "==", rest * 0)]


DOMAIN = Domain(
    instance,
    ({"n": 2, "kind": "one step"}, {"n": 3, "kind": "cancel"}),
    "three clients that rest at x* by construction; two FedAvg clients with one local step and different curvatures",
)

STATEMENT = Statement(
    id="LA.D1b",
    paper="local_adaptivity",
    kind="necessity",
    location="section 4, after (9)",
    says="Only if M_i = M_j for all client pairs can we conclude that x* = A(x*); and due to data heterogeneity M_i "
    "= M_j does not hold.",
    reading="Necessity: where A rests at x*, all M_i agree. And: where H_1 != H_2 and x_1* != x_2*, M_1 != M_2.",
    severity="substantive",
    domain=DOMAIN,
    hypotheses=(STABLE, Hypothesis("heterogeneous; where claimed, A rests at x*", _rests)),
    printed=Claim(
        "x* = A(x*) implies M_i = M_j; heterogeneous clients have M_i != M_j",
        r"x^*=\mathcal{A}(x^*)\Rightarrow M_i=M_j;\quad H_1\ne H_2\Rightarrow M_1\ne M_2",
        printed,
    ),
    corrected=Claim(
        "M_i = M_j for all pairs is sufficient",
        r"M_i=M_j\ \forall i,j\Rightarrow x^*=\mathcal{A}(x^*)",
        corrected,
        prove,
        replace(DOMAIN, says="as before"),
    ),
    note="With one local step M_i = eta_i P_i, whatever the data: heterogeneity alone makes nothing unequal. "
    "Necessary and sufficient is sum w M_i grad F_i(x*) = 0.",
)
