"""LocalUpdate rests at the minimizer of its surrogate (OLR Theorem 3)."""

from fractions import Fraction as F

from theorems.dictionary.common import BETA, ETA, GAMMA, resting
from theorems.dictionary.symbols import Free
from theorems.vocabulary import *

STATEMENT = resting(
    "local-update",
    r"D_i=\sum_k\theta_k(I-\gamma_iA_i)^{k-1}",
    (
        {"gamma": GAMMA, "theta": Theta.sum(1), "eta": ETA},
        {"gamma": GAMMA, "theta": Theta.sum(3), "eta": ETA},
        {"gamma": GAMMA, "theta": Theta.last(3), "eta": ETA},
        {"gamma": GAMMA, "theta": Theta([1, F(1, 2), 0, 2]), "eta": ETA},
        {"gamma": 0, "theta": Theta.sum(3), "eta": ETA},
        {"gamma": [Free("gamma"), Free("delta")], "theta": [Theta.sum(2), Theta.last(3)], "eta": ETA},
        {"gamma": GAMMA, "theta": Theta.sum(2), "eta": ETA, "server": {"name": "sgdm", "beta": BETA}},
        {"gamma": GAMMA, "theta": Theta([1, 2]), "inner_rates": [1, 0], "eta": ETA},
    ),
    r"\tilde x=x^*\iff K(\Theta)=1\text{ or }\gamma=0\text{ (with equal weights)}",
)
