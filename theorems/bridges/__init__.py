"""Standard facts that derivations may cross, each with its reference and a test on random instances: ``BRIDGES``."""

from theorems.bridges.bridge import BRIDGES, Bridge
from theorems.bridges.expectations import (
    affine_mean,
    equal_sums,
    gradient_step,
    independent_draws,
    normal_equations,
    symmetric_powers,
)
from theorems.bridges.forms import (
    form,
    forms_grow,
    least_squares,
    lengths,
    metric_cauchy_schwarz,
    root_mean_square,
    tested_resting_point,
)
from theorems.bridges.functions import exponential, extremes, larger, positive_powers, roots
from theorems.bridges.means import cauchy_schwarz, minkowski
from theorems.bridges.spectra import (
    averages,
    averages_norm,
    averages_of_vectors,
    deviation_norm,
    inverse,
    resting_point,
)
from theorems.bridges.sums import geometric_sum, powers, sums
from theorems.bridges.vectors import descent_lemma, directions, inner_products, scaling, triangle

__all__ = [
    "BRIDGES",
    "Bridge",
    "affine_mean",
    "averages",
    "averages_norm",
    "averages_of_vectors",
    "cauchy_schwarz",
    "descent_lemma",
    "deviation_norm",
    "directions",
    "equal_sums",
    "exponential",
    "extremes",
    "form",
    "forms_grow",
    "geometric_sum",
    "gradient_step",
    "independent_draws",
    "inner_products",
    "inverse",
    "larger",
    "least_squares",
    "lengths",
    "metric_cauchy_schwarz",
    "minkowski",
    "normal_equations",
    "positive_powers",
    "powers",
    "resting_point",
    "root_mean_square",
    "roots",
    "scaling",
    "sums",
    "symmetric_powers",
    "tested_resting_point",
    "triangle",
]
