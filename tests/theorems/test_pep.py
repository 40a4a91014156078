"""Worst cases by semidefinite programming: they agree with exact instances, bounds and certificates."""

from __future__ import annotations

import ast
import json
import sys
from copy import deepcopy
from fractions import Fraction

import pytest

from surrogate import Theta, bounds
from surrogate.kit.errors import ProblemError
from tests.helpers.tree import ROOT
from theorems import pep, worst_case
from theorems.pep import quantities
from theorems.pep.solve import solve

GRID = [(mu, gamma, K) for mu in ("1/100", "1/10", "1/2") for gamma in ("1/100", "1/2", "99/100") for K in (2, 3, 5)]


@pytest.mark.parametrize("mu, gamma, K", GRID)
def test_fedavg_is_nowhere_further_off_than_on_a_line(mu: str, gamma: str, K: int) -> None:
    """The value, what two clients in d = 1 attain, and what the population found attains by the exact core."""
    worst = pep.displacement(mu, gamma, K)
    assert worst.value == pytest.approx(worst.line, rel=1e-4) == pytest.approx(worst.attained, rel=1e-3)
    assert worst.clients.mu >= float(Fraction(mu)) and worst.clients.L <= 1


@pytest.mark.parametrize(
    "mu, low, high, K", [("1/10", "1/10", "1/2", 2), ("1/3", 0, "9/10", 4), ("1/50", "1/2", "3/4", 3)]
)
def test_two_rates_are_nowhere_further_apart_than_on_a_line(mu: str, low: str, high: str, K: int) -> None:
    worst = pep.distance(mu, low, high, K)
    assert worst.value == pytest.approx(worst.line, rel=1e-4) == pytest.approx(worst.attained, rel=1e-3)


@pytest.mark.parametrize("theta", [Theta.last(3), Theta([1, 0, 2]), Theta([2, -1], signed=True)])
def test_other_thetas_attain_their_worst_cases(theta: Theta) -> None:
    worst = pep.displacement("1/5", "1/4", theta)
    assert worst.attained == pytest.approx(worst.value, rel=1e-3)


def test_last_of_many_gradients_is_further_off_than_two_clients_with_extreme_hessians() -> None:
    """Beyond gamma = 1/(K L) phi of Theta_K is not monotone, and Hessians between mu and L are worse."""
    worst = pep.displacement("1/10", "4/5", Theta.last(6))
    assert worst.line is not None and worst.attained > 1.1 * worst.line


@pytest.mark.parametrize("weights", [(1, 1), (1, 3), (1, 1, 1)])
def test_mirroring_two_clients_is_the_worst_of_any_number(weights: tuple[int, ...]) -> None:
    """One Gram matrix of all clients, with given weights, has the same optimum."""
    w = [Fraction(k, sum(weights)) for k in weights]
    whole = quantities.displacement_of(w, Fraction(1, 10), Fraction(1), Fraction(1, 2), [Fraction(1)] * 2)
    assert solve(whole).value ** 0.5 == pytest.approx(pep.displacement("1/10", "1/2", 2).value, rel=1e-4)


@pytest.mark.parametrize("gamma, K", [("1/2", 1), (0, 3)])
def test_one_local_step_or_none_moves_nothing(gamma: str, K: int) -> None:
    assert pep.displacement("1/10", gamma, K).value < 1e-3


def test_scaling_the_losses_changes_nothing() -> None:
    values = [pep.displacement(Fraction(s, 10), Fraction(1, 2 * s), 3, L=s).value for s in (1, 7)]
    assert values[0] == pytest.approx(values[1], rel=1e-5)


@pytest.mark.parametrize("eta", ["1/10", "1/2", "6/5"])
def test_a_round_contracts_as_corollary_13_says(eta: str) -> None:
    """The largest of |1 - eta lambda| at the ends of the spectrum, for clients that do not commute, too."""
    worst, ends = pep.contraction("1/10", "1/2", 2, eta), bounds.corollary_13(0.1, 1.0, 0.5, 2)
    expected = max(abs(1 - float(Fraction(eta)) * end) for end in (ends.smoothness, ends.strong_convexity))
    assert worst.value == pytest.approx(expected, rel=1e-5) == pytest.approx(worst.attained, rel=1e-4)


@pytest.mark.parametrize("mu, gamma, K", [("1/10", "1/2", 2), ("1/10", "1/2", 4), ("1/2", "9/10", 3)])
def test_certificates_prove_our_sharper_bounds_for_every_population(mu: str, gamma: str, K: int) -> None:
    """Exactly: certified bound^2 <= (Theorem 17b)^2, and so Theorem 17's, even without its factor with sigma_A."""
    worst, at = pep.displacement(mu, gamma, K), (Fraction(mu), Fraction(1), Fraction(1), Fraction(gamma))
    bound = pep.check(json.loads(json.dumps(worst.certificate())))
    assert worst.squared <= bound <= (1 + Fraction(1, 1000)) * worst.squared
    assert bound <= Fraction(bounds.theorem_17b(*map(float, at), K)) ** 2
    assert bound <= bounds.theorem_17(*at[:2], 0, *at[2:], K) ** 2


def test_certificates_of_two_rates_and_of_a_round() -> None:
    apart = pep.check(pep.distance("1/10", "1/4", "1/2", 2).certificate())
    assert apart <= Fraction(bounds.theorem_21b(0.1, 1.0, 1.0, 0.25, 0.5, 2)) ** 2
    assert pep.check(pep.contraction("1/10", "1/2", 2, "1/2").certificate()) < Fraction(8146, 10_000)


def test_an_altered_certificate_is_refused() -> None:
    certificate = pep.displacement("1/10", "1/2", 2).certificate()
    assert pep.check(certificate) > 0
    altered = [deepcopy(certificate) for _ in range(6)]
    altered[0]["bound"] = str(Fraction(certificate["bound"]) * Fraction(999, 1000))
    altered[1]["numbers"]["gamma"] = "51/100"
    altered[2]["multipliers"][0] = str(Fraction(certificate["multipliers"][0]) + 1)
    altered[3]["factors"][0][0][0] = "7"
    altered[4]["numbers"]["mu"] = "-1/10"
    altered[5]["quantity"] = "displacement_of"
    for each in altered:
        with pytest.raises(ValueError, match="certificate"):
            pep.check(each)


def test_certificates_are_checked_by_the_standard_library_alone() -> None:
    for name in ("certificate", "model", "quantities"):
        tree = ast.parse((ROOT / "theorems" / "pep" / f"{name}.py").read_text(encoding="utf-8"))
        names = {node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
        assert {each for each in names if not each.startswith("theorems.pep")} <= sys.stdlib_module_names | {
            "collections.abc"
        }


@pytest.mark.parametrize(
    "numbers, words",
    [(dict(mu=2, gamma="1/2", theta=2), "mu is 2"), (dict(mu="1/2", gamma=-1, theta=2), "gamma is -1")],
)
def test_numbers_out_of_range_are_refused(numbers: dict[str, object], words: str) -> None:
    with pytest.raises(ProblemError, match=words):
        worst_case("displacement", **numbers)


def test_an_unknown_quantity_is_refused() -> None:
    with pytest.raises(ProblemError, match="displacement"):
        worst_case("displacment")  # type: ignore[arg-type]


def test_without_the_solver_the_error_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "clarabel", None)
    with pytest.raises(ProblemError, match=r"quadratic-surrogates\[pep\]"):
        pep.displacement("1/10", "1/2", 2)
