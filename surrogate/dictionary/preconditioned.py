"""Clients with a fixed preconditioner each (LA Theorem 2)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from surrogate._types import Array
from surrogate.dictionary.algebra import Element
from surrogate.dictionary.entries import enter
from surrogate.dictionary.forms import alike, descent
from surrogate.dictionary.rings import Ring
from surrogate.dictionary.settings import Settings

if TYPE_CHECKING:
    from surrogate.quadratics import Quadratics


def _common(s: Settings) -> bool:
    matrices = s.matrices()
    return all((p == matrices[0]).all() for p in matrices)


def _one_common_step(s: Settings) -> bool:
    rates = [s.inner(i) for i in range(len(s.gamma))] if s.has("inner_rates") else [[g] for g in s.gamma]
    return all(k == 1 for k in s.steps) and alike(rates) and _common(s)


def _bias(clients: Quadratics, s: Settings) -> Array | None:
    """A common P is left out of D_i: then the two are not the same."""
    if s.has("inner_rates") or _common(s) or not all(s.gamma):
        return None
    from surrogate import Preconditioned

    return Preconditioned(clients, s.gamma, s.steps, s.matrices())._bias


@enter(
    "preconditioned",
    paper="LA (2), Theorem 2",
    formula="D_i = gamma_i sum_{k<K_i} (I - gamma_i P_i A_i)^k P_i",
    equals="K_i = 1, with one gamma and one P for all",
    limit="where sum_i w_i gamma_i K_i P_i A_i (x - c_i) = 0 (LA (8)): x* when gamma_i K_i P_i is common",
    when=_one_common_step,
    bias=_bias,
)
def preconditioned(ring: Ring, s: Settings) -> list[Element]:
    """A step maps g_k = A_i (y_k - c_i) to (I - gamma A_i P_i) g_k and moves y by -gamma P_i g_k, so x - y_K is the sum
    of gamma P_i (I - gamma A_i P_i)^k g_i = gamma (I - gamma P_i A_i)^k P_i g_i. A common P stands in front of every
    term and is left out: gamma_i sum (I - gamma_i A_i P)^k, whose differences keep their digits as gamma -> 0."""
    matrices = s.matrices()
    ring.positive(matrices)
    common, P = _common(s), [ring.matrix(p) for p in matrices]

    def distortion(i: int, A: Element) -> Element:
        if not s.has("inner_rates"):
            total = s.gamma[i] * (1 - s.gamma[i] * (A * P[i])).geometric(s.steps[i])
        else:
            total = descent(A * P[i], s.inner(i), s.inner(i))
        return total if common else P[i] * total

    return ring.each(distortion, dense=True)
