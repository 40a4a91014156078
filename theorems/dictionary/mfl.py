"""MFL (heavy balls, model and momentum averaged) does not rest where FedAvg rests."""

from __future__ import annotations

from theorems.dictionary.common import BETA, GAMMA, resting, unequal

STATEMENT = resting(
    "mfl",
    r"D_i=\text{move}_i+\overline{\text{carry}}\,(I-\overline{\text{keep}})^{-1}\text{store}_i",
    (
        {"gamma": GAMMA, "steps": 1, "beta": BETA},
        {"gamma": GAMMA, "steps": 2, "beta": BETA},
        {"gamma": GAMMA, "steps": 3, "beta": BETA},
        unequal(beta=BETA),
        {"gamma": GAMMA, "steps": 2, "optimizer": {"name": "sgdm", "beta": BETA}},
    ),
    r"\tilde x=x^*\iff K=1\text{ with one }\gamma",
)
