"""FedDA with Adam rests where FedAvg with K steps rests."""

from __future__ import annotations

from theorems.dictionary.common import BETA, ETA, GAMMA, MU, resting

STATEMENT = resting(
    "fedda-adam",
    r"D_i=\sum_{k<K}(I-\gamma A_i)^k",
    (
        {"gamma": GAMMA, "steps": 1, "eta": ETA, "beta1": BETA},
        {"gamma": GAMMA, "steps": 2, "eta": ETA, "beta1": BETA},
        {"gamma": GAMMA, "steps": 3, "eta": ETA, "beta1": BETA},
        {"gamma": GAMMA, "steps": 2, "eta": ETA, "beta1": BETA, "mu": MU},
    ),
    r"\tilde x=x^*\iff K=1",
)
