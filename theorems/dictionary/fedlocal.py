"""Local optimizers restarted every round."""

from __future__ import annotations

from theorems.dictionary.common import BETA, GAMMA, resting, unequal

STATEMENT = resting(
    "fedlocal",
    r"D_i=\text{move}_i\text{ or, corrected, }N_i^{-1}\text{move}_i",
    (
        {"gamma": GAMMA, "steps": 1, "optimizer": {"name": "sgdm", "beta": BETA}},
        {"gamma": GAMMA, "steps": 2, "optimizer": {"name": "sgdm", "beta": BETA}},
        {"gamma": GAMMA, "steps": 3, "optimizer": {"name": "sgdm", "beta": BETA}},
        {"gamma": GAMMA, "steps": 2, "optimizer": "sgd", "correction": "local"},
        unequal(optimizer={"name": "sgdm", "beta": BETA}, correction="local"),
    ),
    r"\tilde x=x^*\iff K=1\text{ (with one }\gamma\text{, or corrected)}",
)
