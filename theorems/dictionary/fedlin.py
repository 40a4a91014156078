"""FedLin rests at x*."""

from __future__ import annotations

from theorems.dictionary.common import GAMMA, resting, unequal

STATEMENT = resting(
    "fedlin",
    r"D_i=\sum_jw_j\gamma_jQ_j",
    ({"gamma": GAMMA, "steps": 2}, {"gamma": GAMMA, "steps": 3}, unequal()),
    r"\tilde x=x^*",
)
