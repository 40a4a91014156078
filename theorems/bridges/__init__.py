"""Standard facts that derivations may cross, each with its reference and a test on random instances: ``BRIDGES``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from surrogate.kit.lazy import lazy

if TYPE_CHECKING:
    from theorems.bridges.bridge import Bridge
    from theorems.bridges.expectations import (
        affine_mean,
        equal_sums,
        gradient_step,
        independent_deviations,
        independent_draws,
        normal_equations,
        random_sample,
        random_signs,
        sample_variance,
        symmetric_powers,
    )
    from theorems.bridges.finite_sums import geometric_sum, mean_square, powers, sums
    from theorems.bridges.forms import (
        form,
        forms_grow,
        least_squares,
        lengths,
        metric_cauchy_schwarz,
        parallel_axes,
        root_mean_square,
        tested_resting_point,
    )
    from theorems.bridges.functions import (
        below_both,
        exponential,
        extremes,
        larger,
        larger_below,
        logarithm,
        positive_powers,
        root_of_product,
        roots,
        smaller,
    )
    from theorems.bridges.listed import BRIDGES
    from theorems.bridges.matrices import (
        affine_steps,
        inverse_at_least,
        matrix_laws,
        matrix_sum,
        operator_norms,
        symmetric_norm,
        weighted_rest,
    )
    from theorems.bridges.means import cauchy_schwarz, convexity, minkowski
    from theorems.bridges.moments import drawn_clients, expected_squares, noisy_local_steps, noisy_step
    from theorems.bridges.recursions import exchanged_sums, linear_recursion
    from theorems.bridges.spectra import (
        averages,
        averages_norm,
        averages_of_vectors,
        deviation_norm,
        inverse,
        resting_point,
    )
    from theorems.bridges.vectors import (
        combined,
        descent_lemma,
        directions,
        equal_lengths,
        inner_products,
        lipschitz_gradient,
        scaling,
        triangle,
    )

__all__ = [
    "BRIDGES",
    "Bridge",
    "affine_mean",
    "affine_steps",
    "averages",
    "averages_norm",
    "averages_of_vectors",
    "below_both",
    "cauchy_schwarz",
    "combined",
    "convexity",
    "descent_lemma",
    "deviation_norm",
    "directions",
    "drawn_clients",
    "equal_lengths",
    "equal_sums",
    "exchanged_sums",
    "expected_squares",
    "exponential",
    "extremes",
    "form",
    "forms_grow",
    "geometric_sum",
    "gradient_step",
    "independent_deviations",
    "independent_draws",
    "inner_products",
    "inverse",
    "inverse_at_least",
    "larger",
    "larger_below",
    "least_squares",
    "lengths",
    "linear_recursion",
    "lipschitz_gradient",
    "logarithm",
    "matrix_laws",
    "matrix_sum",
    "mean_square",
    "metric_cauchy_schwarz",
    "minkowski",
    "noisy_local_steps",
    "noisy_step",
    "normal_equations",
    "operator_norms",
    "parallel_axes",
    "positive_powers",
    "powers",
    "random_sample",
    "random_signs",
    "resting_point",
    "root_mean_square",
    "root_of_product",
    "roots",
    "sample_variance",
    "scaling",
    "smaller",
    "sums",
    "symmetric_norm",
    "symmetric_powers",
    "tested_resting_point",
    "triangle",
    "weighted_rest",
]

__getattr__ = lazy(
    __name__,
    {
        "bridge": "Bridge",
        "expectations": "affine_mean equal_sums gradient_step independent_deviations independent_draws "
        "normal_equations random_sample random_signs sample_variance symmetric_powers",
        "forms": "form forms_grow least_squares lengths metric_cauchy_schwarz parallel_axes root_mean_square "
        "tested_resting_point",
        "functions": "below_both exponential extremes larger larger_below logarithm positive_powers root_of_product "
        "roots smaller",
        "listed": "BRIDGES",
        "matrices": "affine_steps inverse_at_least matrix_laws matrix_sum operator_norms symmetric_norm weighted_rest",
        "means": "cauchy_schwarz convexity minkowski",
        "moments": "drawn_clients expected_squares noisy_local_steps noisy_step",
        "recursions": "exchanged_sums linear_recursion",
        "spectra": "averages averages_norm averages_of_vectors deviation_norm inverse resting_point",
        "finite_sums": "geometric_sum mean_square powers sums",
        "vectors": "combined descent_lemma directions equal_lengths inner_products lipschitz_gradient scaling triangle",
    },
)
