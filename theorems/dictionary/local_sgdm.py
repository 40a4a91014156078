"""Momentum on the clients: restarted, kept, synchronised, or corrected (LA Algorithm 1)."""

from __future__ import annotations

from theorems.dictionary.common import BETA, GAMMA, resting, unequal
from theorems.dictionary.symbols import Free

STATEMENT = resting(
    "local-sgdm",
    r"D_i=\text{move}_i,\ \text{move}_i+\text{carry}_i(I-\text{keep}_i)^{-1}\text{store}_i,\ N_i^{-1}\text{move}_i",
    (
        {"gamma": GAMMA, "steps": 1, "beta": BETA},
        {"gamma": GAMMA, "steps": 2, "beta": BETA},
        {"gamma": GAMMA, "steps": 3, "beta": BETA},
        {"gamma": GAMMA, "steps": 2, "beta": BETA, "states": "keep"},
        {"gamma": GAMMA, "steps": 2, "beta": BETA, "states": "sync"},
        {"gamma": GAMMA, "steps": 2, "beta": BETA, "dampened": False},
        {"gamma": GAMMA, "steps": 2, "beta": BETA, "bias_correction": True},
        {"gamma": GAMMA, "steps": 2, "beta": BETA, "correction": "local"},
        {"gamma": GAMMA, "steps": 2, "beta": BETA, "correction": "joint"},
        {"gamma": GAMMA, "steps": 2, "beta": BETA, "correction": "global"},
        unequal(beta=BETA),
        unequal(beta=BETA, correction="local"),
        unequal(beta=BETA, correction="local", as_printed=True),
        {"gamma": [Free("gamma"), Free("delta")], "steps": 1, "beta": BETA, "correction": "local"},
    ),
    r"\tilde x=x^*\iff K=1\text{ (with one }\gamma\text{, or corrected)}",
)
