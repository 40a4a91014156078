"""Clients with a fixed preconditioner each (LA Theorem 2)."""

from __future__ import annotations

from theorems.dictionary.common import GAMMA, resting, unequal
from theorems.dictionary.symbols import Free

STATEMENT = resting(
    "preconditioned",
    r"D_i=\gamma_i\sum_{k<K_i}(I-\gamma_iP_iA_i)^kP_i",
    (
        {"gamma": GAMMA, "steps": 1, "P": [[[Free("p")]], [[Free("q")]]]},
        {"gamma": GAMMA, "steps": 2, "P": [[[Free("p")]], [[Free("q")]]]},
        {"gamma": GAMMA, "steps": 3, "P": [[[Free("p")]], [[Free("q")]]]},
        {"gamma": GAMMA, "steps": 1, "P": [[Free("p")]]},
        {"gamma": GAMMA, "steps": 2, "P": [[Free("p")]]},
        unequal(P=[[[Free("p")]], [[Free("q")]]]),
    ),
    r"\tilde x=x^*\iff K_i=1\text{ with one }\gamma\text{ and one }P",
)
