"""FedDA with SGD and momentum rests where FedAvg with K steps rests."""

from __future__ import annotations

from theorems.dictionary.common import BETA, ETA, GAMMA, MU, resting, unequal

STATEMENT = resting(
    "fedda-sgdm",
    r"D_i=\sum_{k<K}(I-\gamma A_i)^k;\ \text{restarted: }\sum_{k=1}^K(1-\beta^{K-k+1})(I-\gamma A_i)^{k-1}",
    (
        {"gamma": GAMMA, "steps": 1, "eta": ETA, "beta": BETA},
        {"gamma": GAMMA, "steps": 2, "eta": ETA, "beta": BETA},
        {"gamma": GAMMA, "steps": 3, "eta": ETA, "beta": BETA},
        {"gamma": GAMMA, "steps": 2, "eta": ETA, "beta": BETA, "momentum": "restarted"},
        {"gamma": GAMMA, "steps": 2, "eta": ETA, "beta": BETA, "mu": MU},
        unequal(eta=ETA, beta=BETA),
        unequal(eta=ETA, beta=BETA, momentum="restarted"),
    ),
    r"\tilde x=x^*\iff K=1",
)
