"""Algorithms 1 to 3 on given gradients in d = 1: first and second moments, and vhat, as each prints them."""

from theorems.fedlada.common import below, boxed, need
from theorems.vocabulary import *

WEIGHTS = need("0 < beta1, beta2 < 1", below("beta1"), below("beta1", 1), below("beta2"), below("beta2", 1))


def gradients(K: tuple[int, ...] = (1, 2, 3)) -> Domain:
    return boxed("any gradients, v_0 in [0, 1]", grid(K=K), beta1=(0, 1), beta2=(0, 1), v=(0, 1), g=(-1, 1, "K"))


def algorithm_1(s: Instance, beta1: Scalar, beta2: Scalar, late: bool = True) -> tuple[Any, Any, Any]:
    """Algorithms 1 and 2: m = (1-beta1) m + beta1 g, v likewise, vhat = max over history (``late``: but the newest)."""
    m, v, peak = s.v * 0, s.v, s.v
    for g in s.g:
        before = v
        m = (1 - beta1) * m + beta1 * g
        v = (1 - beta2) * v + beta2 * g * g
        peak = s.nb.maximum(peak, before if late else v)
    return m, v, peak


def algorithm_3(s: Instance) -> tuple[Any, Any, Any]:
    """Algorithm 3: m = beta1 m + (1-beta1) g, v likewise, vhat = max(v, vhat)."""
    m, v, peak = s.v * 0, s.v, s.v
    for g in s.g:
        m = s.beta1 * m + (1 - s.beta1) * g
        v = s.beta2 * v + (1 - s.beta2) * g * g
        peak = s.nb.maximum(v, peak)
    return m, v, peak
