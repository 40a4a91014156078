"""FedProx rests where shifted Hessians weigh the gradients."""

from __future__ import annotations

from theorems.dictionary.common import GAMMA, MU, resting, unequal

STATEMENT = resting(
    "fedprox",
    r"D_i=(A_i+\mu I)^{-1}\text{ (exact prox)},\quad D_i=\gamma_i\sum_{k<K_i}(I-\gamma_i(A_i+\mu I))^k",
    (
        {"mu": MU, "exact": True},
        {"gamma": GAMMA, "steps": 1, "mu": MU},
        {"gamma": GAMMA, "steps": 2, "mu": MU},
        {"gamma": GAMMA, "steps": 3, "mu": MU},
        unequal(mu=MU),
    ),
    r"\tilde x=x^*\iff K_i=1\text{ with one }\gamma;\text{ never for the exact prox}",
)
