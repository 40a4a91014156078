"""FedDA: the momentum decoupled from the local steps, which are plain gradient descent."""

from __future__ import annotations

from typing import Any

from surrogate.dictionary.algebra import Element
from surrogate.dictionary.entries import enter
from surrogate.dictionary.forms import one_step
from surrogate.dictionary.rings import Ring

_LIMIT = "x* for one K"


def _descending(ring: Ring, s: Any, weights: Any = None) -> list[Element]:
    """sum_k weights(k) r^(k-1), r = I - gamma (A_i + mu I): plain descent on the (proximal) loss; weights None: all 1."""

    def distortion(i: int, A: Element) -> Element:
        K, r = s.steps[i], 1 - s.gamma[i] * (A + s.mu if s.has("mu") else A)
        if weights is None:
            return r.geometric(K)
        total = r * 0 + weights(K, K)
        for k in range(K - 1, 0, -1):  # Horner
            total = total * r + weights(k, K)
        return total

    return ring.each(distortion)


@enter(
    "fedda-sgdm",
    "fedda-adam",
    paper="DA (28)-(29), (34)-(35), algorithms 1 and 2",
    formula="D_i = sum_{k<K} (I - gamma A_i)^k, FedAvg's; with restarted momentum "
    "sum_{k=1..K} (1 - beta^(K-k+1)) (I - gamma A_i)^(k-1); with prox, A_i + mu I in the powers",
    equals="K = 1",
    limit=_LIMIT,
    when=one_step,
)
def fedda(ring: Ring, s: Any) -> list[Element]:
    """P = sum_k m_k with m_k = beta m_(k-1) + (1 - beta) g_k gives (1 - beta) P = beta (m_0 - m_K) + (1 - beta) sum g_k.
    Carried momentum has mean m_K = m_0 at rest, so P = 0 (where Adam rests too: its momentum beta m + (1 - beta) G is P)
    is mean sum_k g_k = 0, FedAvg's field. Restarted, m_0 = 0 and P = sum_k (1 - beta^(K-k+1)) g_k."""
    if s.momentum == "restarted":
        beta = s.beta if s.has("beta") else s.beta1
        return _descending(ring, s, lambda k, K: 1 - beta ** (K - k + 1))
    return _descending(ring, s)


@enter(
    "fedda-adagrad",
    paper="DA (38)-(39), algorithm 2",
    formula="D_i = sum_{k=1..K} theta_k (I - gamma A_i)^(k-1), theta_k = 1 - beta (1 - beta) beta^(K-k) / (1 - beta^K)",
    equals="K = 1",
    limit=_LIMIT,
    when=one_step,
)
def fedda_adagrad(ring: Ring, s: Any) -> list[Element]:
    """W rests where G = (P - beta m) / (1 - beta) = 0, not where P = 0. At rest P = mean sum_k g_k, and the momentum,
    equal to its own mean m_K, is m = (1 - beta) / (1 - beta^K) mean sum_k beta^(K-k) g_k; so g_k has weight theta_k."""
    beta = s.beta1
    return _descending(ring, s, lambda k, K: 1 - beta * (1 - beta) * beta ** (K - k) / (1 - beta**K))
