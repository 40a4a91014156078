"""Centralized AdaGrad rests at x*."""

from __future__ import annotations

from theorems.dictionary.common import ETA, resting

STATEMENT = resting("central-adagrad", r"D_i=I", ({"eta": ETA}, {"eta": ETA, "eps": 0}), r"\tilde x=x^*")
