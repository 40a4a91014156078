"""FedLADA, given its realised preconditioners."""

from __future__ import annotations

from fractions import Fraction as F

from theorems.dictionary.common import ALPHA, BETA, GAMMA, frozen, resting
from theorems.dictionary.symbols import Free

STATEMENT = resting(
    "fedlada",
    r"D_i=\text{the move of }m\leftarrow\beta_1m+(1-\beta_1)g,\ y\leftarrow y-\alpha\gamma P_{ik}m",
    (
        {"gamma": GAMMA, "steps": 1, "frozen": frozen(1, common=True), "alpha": ALPHA, "beta1": BETA},
        {"gamma": GAMMA, "steps": 1, "frozen": frozen(1), "alpha": ALPHA, "beta1": BETA},
        {"gamma": GAMMA, "steps": 2, "frozen": frozen(2), "alpha": ALPHA, "beta1": BETA},
        {"gamma": GAMMA, "steps": 3, "frozen": frozen(2), "alpha": ALPHA, "beta1": BETA, "as_printed": True},
        {"gamma": [Free("gamma"), Free("delta")], "steps": 2, "frozen": frozen(2), "alpha": F(1, 3), "beta1": F(1, 2)},
    ),
    r"\tilde x=x^*\iff K=1\text{ (as printed: 2) with one }\gamma\text{ and one }P",
)
