r"""The papers' bounds as functions of (mu, L, sigma_A, sigma_c, gamma, K or theta, ...), transcribed as printed.

They take any numbers: floats, numpy arrays (elementwise), Fractions, ``fmpq``, balls (``arb``), sympy symbols; only
``+ - * /`` and whole powers are used, and a logarithm, a root or a maximum where the bound has one. Whole numbers and
Fractions follow the kind of the others; nothing is rounded unless a float came in, but for the logarithm or the root of
a Fraction.

A bound is what a paper claims (``theorem_17b`` is ours): whether it holds is judged in ``theorems/``. Hypotheses
(``gamma L < 1`` ...) stand in the docstrings and are not enforced. OLR: "On the outsized importance of learning rates
in local update methods"; LA: "Local adaptivity in federated learning". The text at hand is OCR: where a formula was
damaged, the docstring says so.
"""

from __future__ import annotations

from surrogate.bounds.convergence import (
    Rates,
    corollary_28,
    lemma_23,
    lemma_25,
    lemma_25_rate,
    theorem_26,
    theorem_27,
    theorem_27_rate,
    theorem_29,
    theorem_29_rates,
)
from surrogate.bounds.fedopt import la_sgd_contraction, la_sgd_variance, la_theorem_1
from surrogate.bounds.minimizers import (
    corollary_20,
    corollary_22,
    lemma_18,
    lemma_18_rate,
    theorem_16,
    theorem_17,
    theorem_21,
)
from surrogate.bounds.ours import theorem_17b
from surrogate.bounds.spectrum import (
    Conditioning,
    chi,
    corollary_13,
    corollary_14,
    lemma_11,
    lemma_12,
    one_minus_chi,
    phi,
    phi_deficit,
)

__all__ = [
    "Conditioning",
    "Rates",
    "chi",
    "corollary_13",
    "corollary_14",
    "corollary_20",
    "corollary_22",
    "corollary_28",
    "la_sgd_contraction",
    "la_sgd_variance",
    "la_theorem_1",
    "lemma_11",
    "lemma_12",
    "lemma_18",
    "lemma_18_rate",
    "lemma_23",
    "lemma_25",
    "lemma_25_rate",
    "one_minus_chi",
    "phi",
    "phi_deficit",
    "theorem_16",
    "theorem_17",
    "theorem_17b",
    "theorem_21",
    "theorem_26",
    "theorem_27",
    "theorem_27_rate",
    "theorem_29",
    "theorem_29_rates",
]
