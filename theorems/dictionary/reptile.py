"""Reptile rests where FedAvg rests that sends gradients."""

from __future__ import annotations

from theorems.dictionary.common import ETA, GAMMA, resting, unequal

STATEMENT = resting(
    "reptile",
    r"D_i=\sum_{k<K_i}(I-\gamma_iA_i)^k",
    (
        {"gamma": GAMMA, "steps": 1, "eta": ETA},
        {"gamma": GAMMA, "steps": 2, "eta": ETA},
        {"gamma": GAMMA, "steps": 3, "eta": ETA},
        unequal(eta=ETA),
    ),
    r"\tilde x=x^*\iff K_i=1",
)
