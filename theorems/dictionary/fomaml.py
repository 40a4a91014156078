"""First-order MAML rests where the last local gradients cancel."""

from __future__ import annotations

from theorems.dictionary.common import ETA, GAMMA, resting, unequal

STATEMENT = resting(
    "fomaml",
    r"D_i=(I-\gamma_iA_i)^{K_i-1}",
    (
        {"gamma": GAMMA, "steps": 1, "eta": ETA},
        {"gamma": GAMMA, "steps": 2, "eta": ETA},
        {"gamma": GAMMA, "steps": 3, "eta": ETA},
        unequal(eta=ETA),
    ),
    r"\tilde x=x^*\iff K_i=1",
)
