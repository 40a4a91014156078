"""The amended FedAdam rests where FedCM rests."""

from __future__ import annotations

from theorems.dictionary.common import ALPHA, BETA, ETA, GAMMA, resting, unequal

STATEMENT = resting(
    "fedadam-amended",
    r"D_i=\gamma\sum_{k<K}(I-\alpha\gamma A_i)^k",
    (
        {"gamma": GAMMA, "steps": 1, "alpha": ALPHA, "eta": ETA, "beta1": BETA},
        {"gamma": GAMMA, "steps": 2, "alpha": ALPHA, "eta": ETA, "beta1": BETA},
        {"gamma": GAMMA, "steps": 3, "alpha": ALPHA, "eta": ETA, "beta1": BETA},
        unequal(alpha=ALPHA, eta=ETA),
    ),
    r"\tilde x=x^*\iff K=1\text{ with one }\gamma",
)
