"""STEM: a direction whose error shrinks by 1 - a a step, averaged like the model."""

from __future__ import annotations

from theorems.dictionary.common import ALPHA, GAMMA, resting, unequal

STATEMENT = resting(
    "stem",
    r"D_i=S_i-T_i+\overline T\,\bigl(\overline{1-r^K}+\overline{AT}\bigr)^{-1}(1-r^{K_i}-A_i(S_i-T_i)),\ r=1-a",
    (
        {"gamma": GAMMA, "steps": 1, "a": ALPHA, "first": "zero"},
        {"gamma": GAMMA, "steps": 2, "a": ALPHA, "first": "zero"},
        {"gamma": GAMMA, "steps": 3, "a": ALPHA, "first": "zero"},
        unequal(a=ALPHA, first="zero"),
    ),
    r"\tilde x=x^*\iff K=1",
    "With first=survey only the first round is another; it moves the start, not the resting point.",
)
