"""Momentum on the clients: restarted, kept, synchronised (MFL), and decoupled (FedDA)."""

from __future__ import annotations

from typing import Any

from surrogate.dictionary.algebra import Element
from surrogate.dictionary.entries import enter
from surrogate.dictionary.forms import LocalMomentum, heavy_ball, one_step, synced
from surrogate.dictionary.rings import Ring


@enter(
    "local-sgdm",
    paper="LA; DA (21); LADA alg. 2",
    formula="K steps are (e, m) -> -(move g + carry m), store g + keep m. restart: D_i = move_i; keep: D_i = move_i + "
    "carry_i (I - keep_i)^-1 store_i; sync: D_i = move_i + mean(carry) (I - mean keep)^-1 store_i",
    equals="K = 1 with one gamma (sync and restart); beta = 0 reduces it to FedAvg",
    limit="restart: x* for one gamma and K; the same for keep and sync",
    when=one_step,
)
def local_sgdm(ring: Ring, s: Any) -> list[Element]:
    """K steps of local momentum are the K-th power of a 3 x 3 block matrix of functions of A_i on (y - x, m, g_i).
    Restarted momentum begins at 0: x - y_K = move g. Kept momentum settles at m_i = store g_i + keep m_i; averaged
    momentum at m = mean(store g) + mean(keep) m; what it adds to x - y_K is carry m."""
    if s.states == "sync":
        return _corrected(s, synced(ring, _rounds(ring, s)))

    def alone(i: int, A: Element) -> Element:
        r = _round(i, A, s)
        return r.move if s.states == "restart" else r.move + r.carry * ((1 - r.keep).inverse() * r.store)

    return _corrected(s, ring.each(alone))


def _corrected(s: Any, D: list[Element]) -> list[Element]:
    return D


def _round(i: int, A: Element, s: Any) -> LocalMomentum:
    return heavy_ball(A, s.gamma[i], s.steps[i], s.beta, 1 - s.beta if s.dampened else 1)


def _rounds(ring: Ring, s: Any) -> list[LocalMomentum]:
    return [_round(i, ring.curvature(i), s) for i in range(ring.n)]


@enter(
    "mfl",
    paper="DA, table of baselines (MFL)",
    formula="D_i = move_i + mean(carry) (I - mean keep)^-1 store_i (local-sgdm with synchronised momentum)",
    equals="K = 1 with one gamma",
    limit="x* for one gamma and K",
    when=one_step,
)
def mfl(ring: Ring, s: Any) -> list[Element]:
    """Model and momentum are averaged every round; eliminate m = mean(store g) + mean(keep) m from the mean of
    x - y_K = move g + carry m. Summing m_k = beta m_(k-1) + g_k over a round shows that the mean local gradient
    sum_k g_k vanishes at rest, along paths that feel the shared momentum."""
    return synced(ring, _rounds(ring, s))
