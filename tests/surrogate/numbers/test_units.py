"""Powers of x and f through formulas: bounds have the unit of what they bound, and a factor left out is an error."""

from __future__ import annotations

import operator
from collections.abc import Callable
from fractions import Fraction as F
from typing import Any

import numpy as np
import pytest
from flint import fmpq

from surrogate import Theta, bounds, numbers
from surrogate.kit.errors import ProblemError
from surrogate.numbers import FRACTIONS
from surrogate.numbers.units import CURVATURE, GRADIENT, LOSS, NUMBER, POINT, RATE, Quantity, Unit, units
from theorems import registry
from theorems.engines.certify import exact_instance
from theorems.instances import mapped

INSIDE: dict[str, Callable[[F], Any]] = {
    "Fraction": F,
    "float": float,
    "fmpq": lambda q: fmpq(q.numerator, q.denominator),
}


def constants(make: Callable[[F], Any]) -> dict[str, Quantity]:
    """The constants of the clients, and rates, as quantities."""
    units = {"mu": CURVATURE, "L": CURVATURE, "sigma_A": CURVATURE, "sigma_c": POINT, "gamma": RATE, "G": GRADIENT}
    values = {"mu": F(1), "L": F(2), "sigma_A": F(1, 2), "sigma_c": F(1, 4), "gamma": F(1, 5), "G": F(3)}
    return {name: Quantity(make(values[name]), unit) for name, unit in units.items()}


EVERY: dict[str, tuple[Callable[[dict[str, Any]], Any], Unit]] = {
    "phi": (lambda c: bounds.phi(5, c["L"], c["gamma"]), CURVATURE),
    "phi_deficit": (lambda c: bounds.phi_deficit(5, c["L"], c["gamma"]), CURVATURE),
    "chi": (lambda c: bounds.chi(c["gamma"], c["L"], Theta([1, "1/2", 3])), NUMBER),
    "one_minus_chi": (lambda c: bounds.one_minus_chi(c["gamma"], c["L"], Theta.last(4)), NUMBER),
    "lemma_11": (lambda c: bounds.lemma_11(c["mu"], c["L"], c["gamma"], 4).condition_number, NUMBER),
    "lemma_12": (lambda c: bounds.lemma_12(c["mu"], c["L"], c["gamma"], 4).smoothness, CURVATURE),
    "corollary_13": (lambda c: bounds.corollary_13(c["mu"], c["L"], c["gamma"], 4).strong_convexity, CURVATURE),
    "corollary_14": (lambda c: bounds.corollary_14(c["mu"], c["L"], c["gamma"], 4).condition_number, NUMBER),
    "theorem_16": (lambda c: bounds.theorem_16(**left(c, "G"), theta=Theta.sum(6)), POINT),
    "theorem_17": (lambda c: bounds.theorem_17(**left(c, "G"), K=6), POINT),
    "theorem_17b": (lambda c: bounds.theorem_17b(**left(c, "G", "sigma_A"), K=6), POINT),
    "lemma_18": (lambda c: bounds.lemma_18(6, c["L"], F(1, 5)), CURVATURE),
    "lemma_18_rate": (lambda c: bounds.lemma_18_rate(6, c["L"], F(1, 5)), RATE),
    "corollary_20": (lambda c: bounds.corollary_20(**left(c, "G", "gamma"), epsilon=F(1, 5)), POINT),
    "theorem_21": (lambda c: bounds.theorem_21(c["mu"], c["L"], c["sigma_c"], c["gamma"] / 2, c["gamma"], 6), POINT),
    "corollary_22": (lambda c: bounds.corollary_22(c["mu"], c["L"], c["sigma_c"], 0, c["gamma"]), POINT),
    "lemma_23": (lambda c: bounds.lemma_23(4, c["G"], 2, 3), GRADIENT**2),
    "lemma_25_rate": (lambda c: bounds.lemma_25_rate(c["mu"], c["L"], c["gamma"], 4), RATE),
    "lemma_25": (lambda c: bounds.lemma_25(c["mu"], c["gamma"], c["gamma"], 4, c["G"], 2, 1, square(c)), POINT**2),
    "theorem_26": (
        lambda c: bounds.theorem_26(c["mu"], c["gamma"], c["gamma"], 4, c["G"], 2, 1, 7, square(c)),
        POINT**2,
    ),
    "theorem_27": (
        lambda c: bounds.theorem_27(c["mu"], c["L"], c["gamma"], 4, c["G"], 2, 1, 7, square(c)),
        POINT**2,
    ),
    "theorem_27_offset": (lambda c: bounds.theorem_27_offset(c["mu"], c["L"], c["gamma"], 4), NUMBER),
    "theorem_27_rate": (lambda c: bounds.theorem_27_rate(c["mu"], c["L"], c["gamma"], 4, 7), RATE),
    "corollary_28": (
        lambda c: bounds.corollary_28(
            **left(c, "gamma"), epsilon=F(1, 5), K=4, M=2, B=1, t=7, distance2=square(c), b=40
        ),
        POINT**2,
    ),
    "theorem_29": (
        lambda c: bounds.theorem_29(c["mu"], c["L"], c["sigma_c"], 4, c["G"], 2, 1, 7, square(c)),
        POINT**2,
    ),
    "theorem_29_offset": (lambda c: bounds.theorem_29_offset(c["mu"], c["L"]), NUMBER),
    "theorem_29_rates": (lambda c: bounds.theorem_29_rates(c["mu"], c["L"], 4, 7).eta, RATE),
    "la_theorem_1": (
        lambda c: bounds.la_theorem_1(1, [F(1, 2)] * 2, [c["gamma"] ** 2] * 2, [F(1, 2)] * 2, c["G"], 4, square(c)),
        POINT**2,
    ),
    "phi_drop": (lambda c: bounds.phi_drop(5, c["L"], c["gamma"] / 2, c["gamma"]), CURVATURE),
    "theorem_21b": (
        lambda c: bounds.theorem_21b(c["mu"], c["L"], c["sigma_c"], c["gamma"] / 2, c["gamma"], 6),
        POINT,
    ),
    "corollary_28_noise": (lambda c: bounds.corollary_28_noise(c["mu"], F(1, 5), 4, c["G"], 2, 1), POINT**2),
    "sampled_noise": (lambda c: bounds.sampled_noise(4, c["G"], 2, 1, c["G"] ** 2), GRADIENT**2),
    "corrected_29_rates": (lambda c: bounds.corrected_29_rates(c["mu"], c["L"], 4, 7).gamma, RATE),
    "corrected_29b": (
        lambda c: bounds.corrected_29b(c["mu"], c["L"], c["sigma_c"], 4, c["G"], 2, 1, 7, square(c)),
        POINT**2,
    ),
    "corrected_29": (lambda c: bounds.corrected_29(c["mu"], c["L"], c["sigma_c"], square(c), 7, square(c)), POINT**2),
    "corrected_la_1": (lambda c: bounds.corrected_la_1(F(1, 2), square(c), 4, square(c)), POINT**2),
    "corrected_la_1_rate": (lambda c: bounds.corrected_la_1_rate(c["mu"] / c["L"], 3, 4), NUMBER),
    "la_sgd_contraction": (lambda c: bounds.la_sgd_contraction(c["gamma"], c["mu"], 3), NUMBER),
    "la_sgd_variance": (lambda c: bounds.la_sgd_variance(c["gamma"], 3), RATE**2),
}


def left(c: dict[str, Any], *out: str) -> dict[str, Any]:
    return {name: value for name, value in c.items() if name not in out}


def square(c: dict[str, Any]) -> Any:
    return c["sigma_c"] ** 2


def test_every_public_bound_is_in_the_list() -> None:
    assert set(EVERY) == {name for name in bounds.__all__ if name.islower()}


@pytest.mark.parametrize("inside", INSIDE)
@pytest.mark.parametrize("name", EVERY)
def test_a_bound_has_the_unit_of_what_it_bounds(name: str, inside: str) -> None:
    """The unit, and the value of the same bound on bare numbers."""
    evaluate, unit = EVERY[name]
    quantities = constants(INSIDE[inside])
    found = evaluate(quantities)
    assert isinstance(found, Quantity) and found.unit == unit
    bare = evaluate({key: float(q.value) if inside == "float" else F(str(q.value)) for key, q in quantities.items()})
    middle = found.value.mid() if hasattr(found.value, "mid") else found.value
    assert float(F(str(middle)) if inside == "fmpq" and not hasattr(middle, "rad") else middle) == pytest.approx(
        float(bare), rel=1e-9
    )


def test_a_factor_left_out_is_named() -> None:
    """Theorem 17 without the L of L K - phi, and with it twice; each error names both units."""
    c = constants(F)

    def slip(power: int) -> Any:
        gap = c["L"] ** power * 6 - bounds.phi(6, c["L"], c["gamma"])
        return c["sigma_c"] * (1 + c["sigma_A"] / c["mu"]) * gap / bounds.phi(6, c["mu"], c["gamma"])

    assert slip(1).unit == POINT
    with pytest.raises(ProblemError, match=r"a sum is of 1 and f/x\^2"):
        slip(0)
    with pytest.raises(ProblemError, match=r"a sum is of f\^2/x\^4 and f/x\^2"):
        slip(2)
    with pytest.raises(ProblemError, match=r"a comparison is of x and x\^3/f"):
        assert Quantity(F(1, 10), POINT) <= slip(1) / c["L"]


def test_a_rate_without_its_curvature_is_no_argument_of_a_filter() -> None:
    gamma = Quantity(F(1, 5), RATE)
    for theta in (Theta.sum(3), Theta.last(3), Theta(["1/2", 2])):
        with pytest.raises(ProblemError, match=r"of 1 and x\^2/f"):
            theta.ring(1 - gamma, 1)
        assert theta.ring(1 - gamma * Quantity(F(2), CURVATURE), 1).unit == NUMBER


UNIT_OF = {"p.lam": CURVATURE, "p.c": POINT, "gamma": RATE}


def quantity(name: str, q: F) -> Quantity:
    """A number of an instance, by its name."""
    return Quantity(q, UNIT_OF.get(name.partition("[")[0], NUMBER))


@pytest.mark.parametrize("name", ["OLR.T16", "OLR.T17", "OLR.C13"])
def test_both_sides_of_a_statement_have_one_unit(name: str) -> None:
    """Its sides on quantities, d = 1 and 2: displacements in x, spectra in f/x^2."""
    statement = registry.find(name)
    for discrete in [c for c in statement.domain.choices if c.get("d", 1) <= 2][:8]:
        m = statement.domain.size(discrete)
        u = np.array([[F(3 + (3 * j) % 7, 17) for j in range(m)]], dtype=object)
        instance = exact_instance(statement.domain, u, discrete)
        dimensioned = mapped(
            instance, lambda name, q: Quantity(q, UNIT_OF.get(name.partition("[")[0], NUMBER)), units(FRACTIONS)
        )
        for comparison in statement.printed.compare(dimensioned):
            a, b = (Quantity.of(np.ravel(side)[0]) for side in (comparison.lhs, comparison.rhs))
            assert None in (a.unit, b.unit) or a.unit == b.unit, comparison.label
            assert (a.unit or b.unit) in (POINT, CURVATURE, CURVATURE**2, NUMBER)


def test_zero_fits_every_unit() -> None:
    """The literal 0 and its products; what cancels keeps its unit."""
    x = Quantity(F(1, 3), POINT)
    assert (x + 0).unit == (0 + x).unit == POINT and x > 0 and x != 0
    assert (x * 0 + 1).unit == NUMBER and (x * 0 + x).unit == POINT
    with pytest.raises(ProblemError, match="of x and 1"):
        (x - x) + 1
    assert sum([x, x]).unit == POINT and numbers.maximum(x, 0).unit == POINT


def test_powers_of_units() -> None:
    """Products add, roots halve, quotients of one unit are numbers."""
    x, a = Quantity(F(9, 4), POINT), Quantity(F(2), CURVATURE)
    assert (a * x * x).unit == LOSS and (a * x).unit == GRADIENT and (1 / a).unit == RATE
    assert numbers.sqrt(x).unit == Unit(x=F(1, 2)) and numbers.sqrt(x).value == F(3, 2)
    assert numbers.sqrt(a * a).unit == CURVATURE and (x / x).unit == NUMBER and (x**3).unit == POINT**3
    assert str((a**3).unit) == "f^3/x^6" and repr(x) == "9/4 x" and float(x / x) == 1


@pytest.mark.parametrize("op", [operator.add, operator.sub, operator.lt, operator.le, operator.gt, operator.eq])
def test_unlike_units_do_not_meet(op: Callable[[Any, Any], Any]) -> None:
    x, a = Quantity(1.0, POINT), Quantity(2.0, CURVATURE)
    for pair in ((x, a), (x, 1.0)):
        with pytest.raises(ProblemError, match="two numbers of the same unit"):
            op(*pair)


def test_functions_without_units_refuse_them() -> None:
    x = Quantity(1.0, POINT)
    for ask in (numbers.log, numbers.exp, float):
        with pytest.raises(ProblemError, match="of x and 1"):
            ask(x)
    with pytest.raises(ProblemError, match="a maximum is of x and 1"):
        numbers.maximum(x, 1)
    assert numbers.exp(x / x).value == pytest.approx(np.e)


def test_arrays_of_quantities_add_and_multiply() -> None:
    """A c over a matrix and a vector, its norm, and the solution of A y = A c."""
    A = np.array([[Quantity(F(v), CURVATURE) for v in row] for row in ([2, 1], [1, 3])], dtype=object)
    c = np.array([Quantity(F(v), POINT) for v in (3, 4)], dtype=object)
    assert {entry.unit for entry in A @ c} == {GRADIENT}
    assert numbers.norm(c).value == 5 and numbers.norm(c).unit == POINT
    assert (units(FRACTIONS).solve(A, A @ c) == c).all()
    assert units(FRACTIONS).largest(c).value == 4 and units(FRACTIONS).opnorm(A).unit == CURVATURE
