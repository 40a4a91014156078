"""Centralized Adam rests at x*."""

from __future__ import annotations

from theorems.dictionary.common import BETA, ETA, resting

STATEMENT = resting("central-adam", r"D_i=I", ({"eta": ETA}, {"eta": ETA, "beta1": BETA, "eps": 0}), r"\tilde x=x^*")
