"""Standard facts that derivations may cross, each with its reference and a test on random instances: ``BRIDGES``."""

from theorems.bridges.bridge import BRIDGES, Bridge
from theorems.bridges.forms import (
    form,
    forms_grow,
    least_squares,
    lengths,
    metric_cauchy_schwarz,
    root_mean_square,
    tested_resting_point,
)
from theorems.bridges.functions import exponential, larger, positive_powers, roots
from theorems.bridges.means import cauchy_schwarz, minkowski
from theorems.bridges.spectra import averages, averages_of_vectors, inverse, resting_point
from theorems.bridges.sums import geometric_sum, powers, sums
from theorems.bridges.vectors import descent_lemma, directions, inner_products, scaling, triangle

__all__ = [
    "BRIDGES",
    "Bridge",
    "averages",
    "averages_of_vectors",
    "cauchy_schwarz",
    "descent_lemma",
    "directions",
    "exponential",
    "form",
    "forms_grow",
    "geometric_sum",
    "inner_products",
    "inverse",
    "larger",
    "least_squares",
    "lengths",
    "metric_cauchy_schwarz",
    "minkowski",
    "positive_powers",
    "powers",
    "resting_point",
    "root_mean_square",
    "roots",
    "scaling",
    "sums",
    "tested_resting_point",
    "triangle",
]
