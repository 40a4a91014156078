r"""The papers' bounds as functions of (mu, L, sigma_A, sigma_c, gamma, K or theta, ...), transcribed as printed.

They take any numbers: floats, numpy arrays (elementwise), Fractions, ``fmpq``, balls (``arb``), sympy symbols; only
``+ - * /`` and whole powers are used, and a logarithm, a root or a maximum where the bound has one. Whole numbers and
Fractions follow the kind of the others; nothing is rounded unless a float came in, but for the logarithm or the root of
a Fraction.

A bound is what a paper claims, or what we put in its place (``ours``): whether it holds is judged in ``theorems/`` by
the statement that ``STATEMENTS`` names, which calls the function of this package. Hypotheses (``gamma L < 1`` ...)
stand in the docstrings and are not enforced. OLR: "On the outsized importance of learning rates
in local update methods"; LA: "Local adaptivity in federated learning". The text at hand is OCR: where a formula was
damaged, the docstring says so.
"""

from __future__ import annotations

from surrogate.bounds.convergence import (
    Rates,
    corollary_28,
    corollary_28_noise,
    lemma_23,
    lemma_25,
    lemma_25_rate,
    theorem_26,
    theorem_27,
    theorem_27_offset,
    theorem_27_rate,
    theorem_29,
    theorem_29_offset,
    theorem_29_rates,
)
from surrogate.bounds.fedopt import la_sgd_contraction, la_sgd_variance, la_theorem_1
from surrogate.bounds.minimizers import (
    Epsilon,
    corollary_20,
    corollary_22,
    lemma_18,
    lemma_18_rate,
    phi_drop,
    theorem_16,
    theorem_17,
    theorem_21,
)
from surrogate.bounds.ours import (
    corrected_29,
    corrected_29_rates,
    corrected_29b,
    corrected_la_1,
    corrected_la_1_rate,
    sampled_noise,
    theorem_17b,
    theorem_21b,
)
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

STATEMENTS = {
    "chi": "OLR.T16",
    "corollary_13": "OLR.C13",
    "corollary_14": "OLR.C14",
    "corollary_20": "OLR.C20",
    "corollary_22": "OLR.C22",
    "corollary_28": "OLR.C28",
    "corollary_28_noise": "OLR.C28",
    "corrected_29": "OLR.T29",
    "corrected_29_rates": "OLR.T29",
    "corrected_29b": "OLR.T29",
    "corrected_la_1": "LA.T1",
    "corrected_la_1_rate": "LA.T1",
    "la_sgd_contraction": "LA.B2",
    "la_sgd_variance": "LA.B3",
    "la_theorem_1": "LA.T1",
    "lemma_11": "OLR.L11",
    "lemma_12": "OLR.L12",
    "lemma_18": "OLR.L18",
    "lemma_18_rate": "OLR.L18",
    "lemma_23": "OLR.L23",
    "lemma_25": "OLR.L25",
    "lemma_25_rate": "OLR.L25",
    "one_minus_chi": "OLR.T16",
    "phi": "OLR.E18",
    "phi_deficit": "OLR.E17",
    "phi_drop": "OLR.L33",
    "sampled_noise": "OLR.L25",
    "theorem_16": "OLR.T16",
    "theorem_17": "OLR.T17",
    "theorem_17b": "OLR.T17b",
    "theorem_21": "OLR.T21",
    "theorem_21b": "OLR.T21b",
    "theorem_26": "OLR.T26",
    "theorem_27": "OLR.T27",
    "theorem_27_offset": "OLR.T27",
    "theorem_27_rate": "OLR.T27",
    "theorem_29": "OLR.T29",
    "theorem_29_offset": "OLR.T29",
    "theorem_29_rates": "OLR.T29",
}
"""The id of the statement that judges each function."""

__all__ = [
    "STATEMENTS",
    "Conditioning",
    "Epsilon",
    "Rates",
    "chi",
    "corollary_13",
    "corollary_14",
    "corollary_20",
    "corollary_22",
    "corollary_28",
    "corollary_28_noise",
    "corrected_29",
    "corrected_29_rates",
    "corrected_29b",
    "corrected_la_1",
    "corrected_la_1_rate",
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
    "phi_drop",
    "sampled_noise",
    "theorem_16",
    "theorem_17",
    "theorem_17b",
    "theorem_21",
    "theorem_21b",
    "theorem_26",
    "theorem_27",
    "theorem_27_offset",
    "theorem_27_rate",
    "theorem_29",
    "theorem_29_offset",
    "theorem_29_rates",
]
