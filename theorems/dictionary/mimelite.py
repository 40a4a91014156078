"""MimeLite: a fixed momentum on the clients brings in the mean filter."""

from __future__ import annotations

from theorems.dictionary.common import BETA, GAMMA, resting, unequal

STATEMENT = resting(
    "mimelite",
    r"D_i=(1-\beta)\gamma_iS_i+\beta\sum_jw_j\gamma_jS_j,\ S_i=\sum_{k<K_i}(I-(1-\beta)\gamma_iA_i)^k",
    (
        {"gamma": GAMMA, "steps": 1, "beta": BETA},
        {"gamma": GAMMA, "steps": 2, "beta": BETA},
        {"gamma": GAMMA, "steps": 3, "beta": BETA},
        unequal(beta=BETA),
        {"gamma": GAMMA, "steps": 2, "optimizer": {"name": "sgdm", "beta": BETA, "dampened": False}},
        {"gamma": GAMMA, "steps": 2, "optimizer": "sgd"},
    ),
    r"\tilde x=x^*\iff K=1\text{ with one }\gamma",
)
