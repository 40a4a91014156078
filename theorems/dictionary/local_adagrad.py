"""Local AdaGrad, given its realised preconditioners."""

from __future__ import annotations

from theorems.dictionary.common import BETA, GAMMA, frozen, resting

STATEMENT = resting(
    "local-adagrad",
    r"D_i=\text{the move of }m\leftarrow\beta_1m+(1-\beta_1)g,\ y\leftarrow y-\gamma P_{ik}m",
    (
        {"gamma": GAMMA, "steps": 1, "frozen": frozen(1)},
        {"gamma": GAMMA, "steps": 1, "frozen": frozen(1, common=True)},
        {"gamma": GAMMA, "steps": 2, "frozen": frozen(2)},
        {"gamma": GAMMA, "steps": 2, "frozen": frozen(2), "beta1": BETA},
        {"gamma": GAMMA, "steps": 2, "frozen": frozen(2), "correction": "local"},
        {"gamma": GAMMA, "steps": 2, "frozen": frozen(2), "correction": "joint", "as_printed": True},
    ),
    r"\tilde x=x^*\iff K=1\text{ with one }\gamma\text{ and one }P\text{ (or corrected)}",
)
