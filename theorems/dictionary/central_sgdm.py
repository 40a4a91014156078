"""Centralized SGD with momentum rests at x*."""

from __future__ import annotations

from theorems.dictionary.common import BETA, ETA, resting

STATEMENT = resting(
    "central-sgdm",
    r"D_i=I",
    ({"eta": ETA, "beta": BETA}, {"eta": ETA, "beta": BETA, "dampened": False}),
    r"\tilde x=x^*",
)
