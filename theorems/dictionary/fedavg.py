"""FedAvg rests where the means of geometric sums of its local steps vanish."""

from __future__ import annotations

from fractions import Fraction as F

from theorems.dictionary.common import ETA, GAMMA, resting, unequal
from theorems.dictionary.symbols import Free

STATEMENT = resting(
    "fedavg",
    r"D_i=\gamma_i\sum_{k<K_i}(I-\gamma_iA_i)^k",
    (
        {"gamma": GAMMA, "steps": 1},
        {"gamma": GAMMA, "steps": 2},
        {"gamma": GAMMA, "steps": 3},
        unequal(),
        {"gamma": [Free("gamma"), Free("delta")], "steps": 1},
        {"gamma": GAMMA, "steps": 3, "sends": "gradients", "eta": ETA},
        {"gamma": GAMMA, "steps": 3, "inner_rates": [1, F(3, 2), F(1, 2)]},
    ),
    r"\tilde x=x^*\iff K=1\text{ (and one }\gamma)",
)
