"""Semidefinite programs of `model` in Clarabel's cone form: value, Gram matrix, multipliers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import linalg, sparse

from surrogate.kit.errors import problem as error
from theorems.pep.certificate import dense
from theorems.pep.model import Form, Problem

__all__ = ["Solution", "floats", "solve"]

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Solution:
    """``value``: of the objective. ``gram``: inner products of the basis vectors. The rest: multipliers."""

    value: float
    gram: Array
    budget: float
    contractions: list[Array]  # one positive semidefinite matrix a client
    slack: Array  # positive semidefinite


def solve(p: Problem, margin: float = 0.0) -> Solution:
    """The optimum over positive semidefinite Gram matrices; ``margin``: a multiple of their trace in the objective."""
    clarabel = _clarabel()
    zero = np.array([[float(v.terms.get(i, 0)) for i in range(p.size)] for v in p.vanishing]).reshape(-1, p.size)
    N = linalg.null_space(zero) if len(zero) else np.eye(p.size)  # Gram = N X N'
    upper = list(zip(*np.tril_indices(N.shape[1]), strict=True))

    def row(form: Form, factor: float = 1.0) -> Array:
        return _svec(N.T @ floats(form, p.size) @ N) * factor

    equalities = np.array([row(form) for form in p.vanish()])
    equalities = linalg.orth(equalities.reshape(-1, len(upper)).T, rcond=1e-9).T
    blocks, cones = (
        [equalities, row(p.budget)[None]],
        [clarabel.ZeroConeT(len(equalities)), clarabel.NonnegativeConeT(1)],
    )
    for client in p.clients:
        forms = client.contraction()
        cones.append(clarabel.PSDTriangleConeT(len(forms)))
        blocks.append(
            -np.array([row(forms[i][j], 1 if i == j else 2**0.5) for j in range(len(forms)) for i in range(j + 1)])
        )
    cones.append(clarabel.PSDTriangleConeT(N.shape[1]))
    blocks.append(-np.eye(len(upper)))
    limits = [np.full(len(block), 1.0 if k == 1 else 0.0) for k, block in enumerate(blocks)]
    goal = row(p.objective) + margin * _svec(np.eye(N.shape[1]))
    nothing, rows = sparse.csc_matrix((len(goal), len(goal))), sparse.csc_matrix(np.vstack(blocks))
    settings = clarabel.DefaultSettings()
    settings.verbose = False
    for tolerance in (1e-9, 1e-7):
        settings.tol_gap_abs = settings.tol_gap_rel = settings.tol_feas = tolerance
        found = clarabel.DefaultSolver(nothing, -goal, rows, np.concatenate(limits), cones, settings).solve()
        gap = abs(found.obj_val - found.obj_val_dual)
        if str(found.status) in ("Solved", "AlmostSolved") and gap <= 1e-4 * abs(found.obj_val) + 1e-7:
            break
    else:
        raise error(
            "the semidefinite program", str(found.status), "Solved", "a very large condition number, or many steps",
            "try fewer steps, or a larger mu / L",
        )  # fmt: skip
    X, duals = _smat(np.array(found.x)), np.split(np.array(found.z), np.cumsum([len(b) for b in blocks])[:-1])
    matrices = [_smat(each) for each in duals[2:]]
    value = float(row(p.objective) @ np.array(found.x))
    return Solution(value, N @ X @ N.T, float(duals[1][0]), matrices[:-1], N @ matrices[-1] @ N.T)


def floats(form: Form, size: int) -> Array:
    """The symmetric F with form = <F, Gram>."""
    return np.array(dense(form, size), dtype=float).reshape(size, size)


def _svec(S: Array) -> Array:
    """The upper triangle by columns, off the diagonal times sqrt 2: keeps inner products."""
    j, i = np.tril_indices(len(S))
    return S[i, j] * np.where(i == j, 1, np.sqrt(2))


def _smat(v: Array) -> Array:
    """The inverse of `_svec`."""
    size = int((np.sqrt(8 * len(v) + 1) - 1) / 2)
    j, i = np.tril_indices(size)
    S = np.zeros((size, size))
    S[i, j] = S[j, i] = v / np.where(i == j, 1, np.sqrt(2))
    return S


def _clarabel() -> Any:
    try:
        import clarabel
    except ImportError:
        raise error(
            "the solver clarabel", "not installed", "the package clarabel", "an installation without the extra 'pep'",
            "run `pip install quadratic-surrogates[pep]`",
        ) from None  # fmt: skip
    return clarabel
