"""FedCM at rest is FedAvg at the client rate alpha gamma."""

from __future__ import annotations

from theorems.dictionary.common import ALPHA, GAMMA, resting, unequal

STATEMENT = resting(
    "fedcm",
    r"D_i=\gamma\sum_{k<K}(I-\alpha\gamma A_i)^k",
    (
        {"gamma": GAMMA, "steps": 1, "alpha": ALPHA},
        {"gamma": GAMMA, "steps": 2, "alpha": ALPHA},
        {"gamma": GAMMA, "steps": 3, "alpha": ALPHA},
        unequal(alpha=ALPHA),
        {"gamma": GAMMA, "steps": 2, "alpha": 1},
    ),
    r"\tilde x=x^*\iff K=1\text{ with one }\gamma",
)
