"""Amended local steps: FedCM, FedLADA, the amended FedAdam."""

from __future__ import annotations

from typing import Any

from surrogate.dictionary.algebra import Element
from surrogate.dictionary.entries import enter
from surrogate.dictionary.forms import descent, one_step
from surrogate.dictionary.rings import Ring


@enter(
    "fedcm",
    "fedadam-amended",
    paper="LADA (23), section 5",
    formula="D_i = sum_{k<K} (I - alpha gamma A_i)^k: FedAvg with client rate alpha gamma",
    equals="K = 1",
    limit="x*",
    when=one_step,
)
def fedcm(ring: Ring, s: Any) -> list[Element]:
    """A step is y - gamma (alpha grad f_i(y) + (1 - alpha) g_a), with g_a proportional to the last global move. At rest
    nothing moves, g_a = 0, and the clients run plain descent with rate alpha gamma: FedAvg's distortion at that rate.
    Server momentum and a server preconditioner do not move the zero."""
    return ring.each(lambda i, A: s.gamma[i] * descent(A, s.alpha * s.gamma[i], s.steps[i]))
