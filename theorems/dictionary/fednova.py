"""FedNova divides out the number of steps, not the filter."""

from __future__ import annotations

from theorems.dictionary.common import GAMMA, resting, unequal

STATEMENT = resting(
    "fednova",
    r"D_i=\frac{\gamma_i}{K_i}\sum_{k<K_i}(I-\gamma_iA_i)^k",
    ({"gamma": GAMMA, "steps": 1}, {"gamma": GAMMA, "steps": 2}, {"gamma": GAMMA, "steps": 3}, unequal()),
    r"\tilde x=x^*\iff K_i=1\text{ with one }\gamma",
)
