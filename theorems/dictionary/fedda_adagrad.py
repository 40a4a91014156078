"""FedDA with AdaGrad rests elsewhere than FedAvg."""

from __future__ import annotations

from theorems.dictionary.common import BETA, ETA, GAMMA, MU, resting, unequal

STATEMENT = resting(
    "fedda-adagrad",
    r"D_i=\sum_{k=1}^K\theta_k(I-\gamma A_i)^{k-1},\ \theta_k=1-\frac{\beta(1-\beta)\beta^{K-k}}{1-\beta^K}",
    (
        {"gamma": GAMMA, "steps": 1, "eta": ETA, "beta1": BETA},
        {"gamma": GAMMA, "steps": 2, "eta": ETA, "beta1": BETA},
        {"gamma": GAMMA, "steps": 3, "eta": ETA, "beta1": BETA},
        unequal(eta=ETA, beta1=BETA),
        {"gamma": GAMMA, "steps": 2, "eta": ETA, "beta1": BETA, "mu": MU},
    ),
    r"\tilde x=x^*\iff K=1",
)
