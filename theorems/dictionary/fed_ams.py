"""Fed-AMS, given its realised preconditioners."""

from __future__ import annotations

from theorems.dictionary.common import BETA, GAMMA, frozen, resting

STATEMENT = resting(
    "fed-ams",
    r"D_i=\text{move}_i+\text{carry}_i(I-\text{keep}_i)^{-1}\text{store}_i",
    (
        {"gamma": GAMMA, "steps": 1, "frozen": frozen(1), "beta1": BETA},
        {"gamma": GAMMA, "steps": 1, "frozen": frozen(1, common=True), "beta1": BETA},
        {"gamma": GAMMA, "steps": 2, "frozen": frozen(2), "beta1": BETA},
        {"gamma": GAMMA, "steps": 2, "frozen": frozen(2), "beta1": BETA, "bias_correction": True},
    ),
    r"\tilde x=x^*\iff K=1\text{ with one }\gamma\text{ and one }P",
)
