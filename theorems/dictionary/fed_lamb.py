"""Fed-LAMB without weight decay, given its realised preconditioners, lengths included."""

from __future__ import annotations

from theorems.dictionary.common import BETA, GAMMA, frozen, resting

STATEMENT = resting(
    "fed-lamb",
    r"D_i=\text{move}_i+\text{carry}_i(I-\text{keep}_i)^{-1}\text{store}_i",
    (
        {"gamma": GAMMA, "steps": 1, "frozen": frozen(1), "beta1": BETA},
        {"gamma": GAMMA, "steps": 1, "frozen": frozen(1, common=True), "beta1": BETA},
        {"gamma": GAMMA, "steps": 2, "frozen": frozen(2), "beta1": BETA},
    ),
    r"\tilde x=x^*\iff K=1\text{ with one }\gamma\text{ and one }P",
)
