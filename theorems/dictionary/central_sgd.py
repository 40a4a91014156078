"""Centralized SGD rests at x*."""

from __future__ import annotations

from theorems.dictionary.common import ETA, resting

STATEMENT = resting("central-sgd", r"D_i=I", ({"eta": ETA},), r"\tilde x=x^*")
