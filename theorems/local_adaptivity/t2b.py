"""LA Theorem 2 (ours): preconditioned clients can make FedOpt diverge at every small client rate."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np

from theorems.domain import Cursor, Domain, grid
from theorems.engines.prove import reals, smt
from theorems.local_adaptivity.common import between, positives, shares
from theorems.statement import Claim, Comparison, Proof, Statement


def instance(cursor: Cursor, n: int, d: int) -> SimpleNamespace:
    """H_i = [[a, b], [b, b^2/a + e]] with a, e > 0; diagonal preconditioners, as AdaGrad's are: P_i = diag(scale_i)."""
    a, e = positives(cursor, n, 1e-2), positives(cursor, n, 1e-2)
    b = np.stack([2 * cursor.take() - 1 for _ in range(n)], -1)
    scale = np.stack([positives(cursor, d, 1e-3) for _ in range(n)], -2)
    return SimpleNamespace(nb=cursor.nb, n=n, d=d, a=a, b=b, e=e, scale=scale, w=shares(cursor, n))


def _average(s: Any, scale: Any) -> Any:
    """sum w diag(scale_i) H_i."""
    entries = [[s.a, s.b], [s.b, s.b**2 / s.a + s.e]]
    rows = [np.stack([(s.w * scale[..., j] * entries[j][k]).sum(axis=-1) for k in (0, 1)], -1) for j in (0, 1)]
    return np.stack(rows, -2)


def _determinant(J: Any) -> Any:
    return J[..., 0, 0] * J[..., 1, 1] - J[..., 0, 1] * J[..., 1, 0]


def printed(s: Any) -> list[Comparison]:
    """sum w P_i H_i: were its determinant negative, it would have an eigenvalue -nu < 0."""
    J = _average(s, s.scale)
    return [Comparison("det > 0", _determinant(J), ">", J[..., 0, 0] * 0)]


def shared(s: Any) -> list[Comparison]:
    J = _average(s, s.scale[:, :1] + 0 * s.scale)
    return [
        Comparison("det > 0", _determinant(J), ">", J[..., 0, 0] * 0),
        Comparison("trace > 0", J[..., 0, 0] + J[..., 1, 1], ">", J[..., 0, 0] * 0),
        Comparison("real spectrum", (J[..., 0, 0] - J[..., 1, 1]) ** 2, ">=", -4 * J[..., 0, 1] * J[..., 1, 0]),
    ]


def prove() -> Proof:
    a, b, c, p, q, e = reals("a b c p q e")
    given = [a > 0, c > 0, a * c > b * b, p > 0, q > 0]
    smt(given, (p * a) * (q * c) > (p * b) * (q * b))
    smt([*given, (p * a) * (q * c) > (p * b) * (q * b)], p * a + q * c > 0)
    smt(given, (p * a - q * c) ** 2 + 4 * (p * b) * (q * b) >= 0)
    smt([e > 0, c > 0, e * c < 2], (1 - e * c) ** 2 < 1)
    return Proof(
        "z3",
        "With one P for all, sum w P H_i = P H is similar to P^(1/2) H P^(1/2), symmetric and positive definite, so "
        "that I - alpha eta tau P H has its spectrum in (-1, 1) for small rates. z3 checks the spectrum in d = 2 "
        "(where any P is diagonal in some basis).",
    )


STATEMENT = Statement(
    id="LA.T2b",
    paper="local_adaptivity",
    kind="convergence",
    location="Theorem 2 and Appendix E ('as long as the operator norm ... is smaller than 1'), section 4",
    says="For positive definite H_i and P_i and small eta the averaged operator A has the fixed point x~, to which "
    "FedOpt converges.",
    reading="As eta -> 0, A = I - eta sum w gamma_i tau_i P_i H_i + O(eta^2). Convergence for some server rate alpha "
    "> 0 needs every eigenvalue of sum w P_i H_i to the right of 0 (take gamma_i tau_i = 1); in d = 2 a negative "
    "determinant is a negative eigenvalue, at which I - alpha eta (...) expands for every alpha > 0.",
    severity="missing-hypothesis",
    domain=Domain(instance, grid(n=(1, 2, 3), d=(2,)), "one to three clients in d = 2, diagonal preconditioners"),
    hypotheses=(
        between("H_i > 0: a > 0", lambda s: s.a, 0),
        between("H_i > 0: det = a e > 0", lambda s: s.e, 0),
        between("P_i > 0", lambda s: s.scale[:, :, 0], 0),
        between("P_i > 0, second entry", lambda s: s.scale[:, :, 1], 0),
    ),
    printed=Claim(
        "sum w P_i H_i has no negative eigenvalue",
        r"\det\sum_iw_iP_iH_i>0",
        printed,
    ),
    corrected=Claim(
        "if all clients share P (or all P_i H_i are symmetric), FedOpt converges for small rates",
        r"P_i=P:\quad\mathrm{spec}(P\textstyle\sum_iw_iH_i)\subset(0,\infty)",
        shared,
        prove,
    ),
    note="Sums of products P_i H_i of positive matrices need not have positive spectrum, even with the diagonal P_i "
    "that adaptive clients form: FedOpt then runs away from x~, and decaying the client rate does not help. Assumption "
    "1 fails there. Local correction (N_i^-1) restores sum w H_i. Local AdaGrad itself shows the same: LA.D5b.",
)
