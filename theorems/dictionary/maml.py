"""MAML on quadratics is LocalUpdate with Theta_(2K+1): it rests where squared filters weigh the gradients."""

from __future__ import annotations

from theorems.dictionary.common import ETA, GAMMA, resting, unequal

STATEMENT = resting(
    "maml",
    r"D_i=(I-\gamma_iA_i)^{2K_i}",
    (
        {"gamma": GAMMA, "steps": 1, "eta": ETA},
        {"gamma": GAMMA, "steps": 2, "eta": ETA},
        {"gamma": 0, "steps": 2, "eta": ETA},
        unequal(eta=ETA),
    ),
    r"\tilde x=x^*\iff\gamma=0",
)
