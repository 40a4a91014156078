"""FedOpt with momentum on the server rests where FedAvg rests."""

from __future__ import annotations

from theorems.dictionary.common import BETA, ETA, GAMMA, resting, unequal

STATEMENT = resting(
    "fedopt-sgdm",
    r"D_i=\gamma_i\sum_{k<K_i}(I-\gamma_iA_i)^k",
    (
        {"gamma": GAMMA, "steps": 1, "eta": ETA, "beta": BETA},
        {"gamma": GAMMA, "steps": 2, "eta": ETA, "beta": BETA},
        {"gamma": GAMMA, "steps": 3, "eta": ETA, "beta": BETA},
        unequal(eta=ETA, beta=BETA),
        {"gamma": GAMMA, "steps": 2, "beta": BETA, "dampened": False, "eta": ETA},
    ),
    r"\tilde x=x^*\iff K=1\text{ (and one }\gamma)",
)
