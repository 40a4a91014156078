"""Local Adam, given its realised preconditioners."""

from __future__ import annotations

from theorems.dictionary.common import BETA, GAMMA, frozen, resting

STATEMENT = resting(
    "local-adam",
    r"D_i=\text{the move of }m\leftarrow\beta_1m+(1-\beta_1)g,\ y\leftarrow y-\gamma P_{ik}m",
    (
        {"gamma": GAMMA, "steps": 1, "frozen": frozen(1), "beta1": BETA},
        {"gamma": GAMMA, "steps": 1, "frozen": frozen(1, common=True), "beta1": BETA},
        {"gamma": GAMMA, "steps": 2, "frozen": frozen(2), "beta1": BETA},
        {"gamma": GAMMA, "steps": 2, "frozen": frozen(2), "beta1": BETA, "states": "keep"},
        {"gamma": GAMMA, "steps": 2, "frozen": frozen(2), "beta1": BETA, "states": "sync"},
        {"gamma": GAMMA, "steps": 2, "frozen": frozen(2), "beta1": BETA, "correction": "local"},
        {"gamma": GAMMA, "steps": 2, "frozen": frozen(2), "beta1": BETA, "correction": "local", "as_printed": True},
        {"gamma": GAMMA, "steps": 2, "frozen": frozen(2), "beta1": BETA, "bias_correction": True},
    ),
    r"\tilde x=x^*\iff K=1\text{ with one }\gamma\text{ and one }P\text{ (or corrected)}",
)
