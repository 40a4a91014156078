"""SCAFFOLD rests at x*; with corrections scaled by alpha, between FedAvg and x*."""

from __future__ import annotations

from fractions import Fraction as F

from theorems.dictionary.common import ALPHA, GAMMA, resting, unequal

STATEMENT = resting(
    "scaffold",
    r"D_i=[(1-\alpha)KI+\alpha Q_i]^{-1}Q_i,\ Q_i=\sum_{k<K}(I-\gamma A_i)^k",
    (
        {"gamma": GAMMA, "steps": 1, "alpha": ALPHA},
        {"gamma": GAMMA, "steps": 2},
        {"gamma": GAMMA, "steps": 2, "alpha": ALPHA},
        {"gamma": GAMMA, "steps": 2, "alpha": 0},
        {"gamma": GAMMA, "steps": 2, "alpha": ALPHA, "option": "I"},
        {"gamma": GAMMA, "steps": 3, "option": "I"},
        unequal(),
        unequal(alpha=ALPHA, option="I"),
        {"gamma": [F(1, 3), F(1, 2)], "steps": [2, 1], "alpha": F(1, 2)},
    ),
    r"\tilde x=x^*\iff\alpha=1\text{ or }K=1",
)
