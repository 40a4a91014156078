"""Derivations: every bridge holds on random instances, every line is needed, and a fault in any of them is noticed."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from functools import cache
from typing import Any

import numpy as np
import pytest

from surrogate.kit.errors import ProblemError
from surrogate.numbers import FLOATS, dispatch
from surrogate.numbers.balls import BALLS, working
from theorems import registry
from theorems.bridges import BRIDGES, Bridge, averages, extremes, inverse, larger, lengths, powers, sums
from theorems.engines import derive, flips
from theorems.engines.derive import Derivation, Line, derived
from theorems.engines.terms import absolute, maximum, minimum, reals, sqrt
from theorems.population import Population
from theorems.statement import Claim, Comparison, Statement

PHI = ["1 - gamma y >= 0", "K x - phi_x <= K y - phi_y", "K x - phi_x >= 0"]  # of phi_bounds, where phi is enough
RELATIONS = {"<=": np.less_equal, "<": np.less, "==": np.equal, ">=": np.greater_equal, ">": np.greater}


def met(comparisons: Any, slack: float) -> bool:
    """Do all comparisons hold, up to rounding?"""
    for _, lhs, relation, rhs in comparisons:
        scale = slack * (np.abs(lhs) + np.abs(rhs) + 1)
        close = np.abs(lhs - rhs) <= scale
        if not np.all(RELATIONS[relation](lhs, rhs) | close):
            return False
    return True


@pytest.mark.parametrize("name", sorted(BRIDGES))
def test_a_bridge_holds_on_random_instances(name: str) -> None:
    rng, bridge = np.random.default_rng(5), BRIDGES[name]
    for _ in range(200):
        premises, conclusions = bridge(**bridge.draw(rng))
        assert met(premises, 1e-9), f"{name}: drawn against its premises"
        assert conclusions
        assert met(conclusions, 1e-9), f"{name}: a conclusion fails"


def twisted(rng: np.random.Generator, value: Any) -> Any:
    """Zeros, equal entries, whole numbers, other signs, large numbers; weights still sum to 1."""
    if isinstance(value, Population):
        w = np.abs(twisted(rng, value.w))
        weights = w / w.sum() if w.sum() else value.w
        return replace(value, lam=twisted(rng, value.lam), c=twisted(rng, value.c), w=weights)
    if isinstance(value, list):
        return [twisted(rng, each) for each in value]
    if not isinstance(value, np.ndarray) or rng.uniform() < 0.4:
        return value
    zeros = value * (rng.uniform(size=value.shape) < 0.6)
    others = [value * 0, np.round(value), zeros, -value, value * 0 + value.flat[0], value * 1e3]
    return others[rng.integers(len(others))]


@pytest.mark.parametrize("name", sorted(BRIDGES))
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_a_bridge_holds_wherever_its_premises_do(name: str) -> None:
    """On degenerate quantities a bridge refuses them, lacks a premise, is undefined, or holds."""
    rng, bridge = np.random.default_rng(6), BRIDGES[name]
    for _ in range(150):
        try:
            premises, conclusions = bridge(**{k: twisted(rng, v) for k, v in bridge.draw(rng).items()})
        except (ValueError, np.linalg.LinAlgError):
            continue
        sides = [np.asarray(side, dtype=float) for c in conclusions for side in (c.lhs, c.rhs)]
        if all(np.isfinite(side).all() and (abs(side) < 1e9).all() for side in sides) and exactly(premises):
            assert met(conclusions, 1e-6), f"{name}: a conclusion fails"


def exactly(premises: Any) -> bool:
    """Do all premises hold, equations up to rounding?"""
    return all(
        np.all(RELATIONS[relation](lhs, rhs)) or (relation == "==" and np.allclose(lhs, rhs, 1e-12, 1e-12))
        for _, lhs, relation, rhs in premises
    )


@pytest.mark.parametrize("name", sorted(BRIDGES))
def test_a_bridge_says_what_it_is_and_where_it_stands(name: str) -> None:
    bridge = BRIDGES[name]
    assert bridge.says.endswith(".")
    assert bridge.reference


@cache
def all_derived() -> list[tuple[Statement, Claim]]:
    return [
        (statement, claim)
        for statement in registry.all_statements().values()
        for claim in (statement.printed, statement.corrected, *(step.claim for step in statement.steps))
        if claim is not None and claim.derive is not None
    ]


def test_a_derivation_fails_where_the_claim_is_any_stronger() -> None:
    """Bounds cut by a millionth, or put below 0 where they are 0, are not derived."""
    cut, below = BALLS.number(Fraction(999_999, 1_000_000)), BALLS.number(Fraction(1, 1_000_000))
    less = np.frompyfunc(lambda x: x * cut - (below if BALLS.number(x).contains(0) else 0), 1, 1)
    for statement, claim in all_derived():
        compare = claim.compare
        assert compare is not None
        stronger = lambda s, compare=compare: [c._replace(rhs=less(c.rhs)) for c in compare(s)]  # noqa: E731
        with pytest.raises(AssertionError, match="is not derived"):
            derived(statement, replace(claim, compare=stronger))


def test_a_derivation_fails_without_a_hypothesis() -> None:
    """Each hypothesis of a derived claim is used, or the statement says in ``needs`` that it is not."""
    statement = registry.find("OLR.T17")
    for hypothesis in statement.hypotheses:
        others = tuple(h for h in statement.hypotheses if h is not hypothesis)
        with pytest.raises(AssertionError, match="premise is not known"):
            derived(replace(statement, hypotheses=others), statement.printed)


# Lines that may be left out, of each claim: facts that others repeat (where mu or L is some client's eigenvalue), and
# lines that put equals for equals, which are one number to the lines after them.
SPARE = {
    "OLR.T17 printed": ["1 - gamma y >= 0", "gap >= 0"],
    "DA.D2 printed": ["L > 0", "e^(t eta lambda) is the power of e^(h lambda)"],
    "OLR.C19 printed": ["e^x e^-x = 1"],
    "OLR.L18 printed": ["e^x e^-x = 1"],
    "OLR.L23 corrected": [],
    "OLR.L33 printed": [],
    "OLR.L25 corrected": [*PHI, "L_gamma > 0", "B >= 1", "u >= 0", "v >= 0"],
    "DA.E5 corrected": [],
    "DA.E8 printed": ["the mean is gradient descent's a step on"],
    "DA.E9 corrected": ["sum p_i m = m", "the mean is gradient descent's a step on"],
    "DA.E19 printed": [],
    "DA.E20 corrected": ["sum p_i m = m", "the mean momentum a step on", "the mean model a step on"],
    "DA.E27 corrected": ["sum p_i m = m", "the mean momentum is the global one a step on"],
    "DA.E30 corrected": [],
    "DA.E39 printed": ["sum p_i m = m", "the mean momentum is the global one a step on"],
    "DA.E43 printed": [],
    **{f"DA.{name} corrected": [] for name in ("E10", "E33", "E41", "E44", "E48")},
    "DA.E49 printed": [],
    "DA.E56 printed": [],
    "DA.I1 corrected": ["sum p_i m = m", "the mean is gradient descent's a step on"],
    "DA.E23 printed": ["the mean momentum is the global one a step on"],
    "DA.E28 printed": [
        "sum p_i m = m",
        "the mean momentum is the global one a step on",
        "P sums one momentum more",
        "W moves by alpha eta P",
    ],
    "DA.E35 corrected": [
        "sum p_i m = m",
        "the mean momentum is the global one a step on",
        "P sums one momentum more",
        "G of one step",
        "the momentum of one step",
    ],
    "LA.A1 corrected": [],
    "LA.A2 printed": ["|N_s|", "the drawn clients stand for all"],
    "LA.D1 corrected": [],
    "LA.E54 printed": [],
    "LA.E65 printed": [
        "1 >= 0",
        "1 <= 1",
        "what is kept",
        "what is kept is not negative",
        "1 >= 0",
        "x = x W^2 / W^2",
        "a round of the second half",
        "T <= 2 rounds + 1",
        "2 * 4 = 8",
        "rho^(T/2) >= 0",
    ],
    "LA.T1 corrected": [
        "the rate 1",
        "1 <= 1",
        "j >= 0",
        "1 - alpha + alpha = 1",
        "x~ is a fixed point",
        "1 >= 0",
        "x = x W^2 / W^2",
        "a round of the second half",
        "T <= 2 rounds + 1",
        "2 * 4 = 8",
    ],
    "LA.T2 corrected": [
        "sum w (I - K_i)(x - x_i*) at x~",
        "the mean change",
        "sum w J_i (x~ - x_i*)",
        "sum w (I - K_i)(x~ - x_i*)",
        "J (x~ - lim) = sum w E_i (x~ - x_i*)",
        "sum w P_i (x* - x_i*)",
        "sum w M_i grad F_i(x*)",
    ],
    **{f"LADA.{name} printed": [] for name in ("B1", "B2", "B3", "B4", "B5", "E18", "E23", "E24", "E25")},
    "LADA.B7 printed": [],
    "LADA.B8 printed": ["the last move"],
    "LADA.Delta printed": ["v-hat_K is the last", "roots grow", "against the gradient"],
    "LADA.E4 printed": ["the first update", "one update more"],
    "LADA.E5 printed": ["since its start"],
    "LADA.E21 printed": ["the left side"],
    "LADA.R3 printed": ["v-hat_K is the last", "roots grow", "square of a change"],
    "LADA.W printed": ["the variance", "last equality"],
    "LADA.T35 corrected": [
        "d >= 1",
        "drift >= 0",
        "clients",
        "v-hat <= G_g^2",
        "momenta are linear",
        "there is a vector",
        "v-hat_K is the last",
        "noise of step j has the weight 1 - beta1^(K-j+1)",
        "m >= 1",
        "E a_S = a",
        "E noise^2",
        "mean over sets of clients",
        "z moves by what is sent",
        "v >= 0",
        "T >= 1",
    ],
    "LA.T3 printed": [
        *("L > 0", "A_k >= 0", "eigenvalues of A_k", "|A_k| > 0", "Lambda > 0", "E <= D/(q T)", "1 <= 1"),
        "|I| <= 1",  # in d = 1 norms are eigenvalues: other roots and maxima miss these lines
    ],
    **{f"LAMB.{name}": [] for name in ("E7 printed", "E10 corrected", "E11 corrected", "E12 printed", "E13 corrected")},
    "LAMB.E8 corrected": ["the second line", "the third line"],  # two ways to write one number
    "LAMB.L2 corrected": [],
    "LAMB.L1 corrected": ["T steps are at most T alpha phi long"],
}


@pytest.mark.parametrize("name", SPARE)
def test_a_line_left_out_is_missed(name: str, monkeypatch) -> None:
    """All but those that say again what is known, in other words."""
    monkeypatch.setattr(derive, "FLIPS", {})  # for speed
    statement = registry.find(name.split()[0])
    claim = getattr(statement, name.split()[1])
    spare = []
    for line in derived(statement, claim).lines:
        try:
            derived(statement, replace(claim, derive=without(claim, line)))
        except AssertionError:
            continue
        spare.append(line.says)
    assert spare == SPARE[name]


def without(claim: Claim, line: Line) -> Any:
    """The claim's derivation, deaf to what this line concludes."""

    def derivation(proof: Derivation, s: Any) -> None:
        assert claim.derive is not None
        learn = proof._learn
        proof._learn = lambda comparison: None if proof.lines[-1] == line else learn(comparison)  # type: ignore[method-assign]
        claim.derive(proof, s)

    return derivation


def test_a_false_leaf_a_false_definition_and_a_false_fact_are_refused(monkeypatch) -> None:
    a, b = reals("a b")
    one, two = BALLS.number(1), BALLS.number(2)
    proof = Derivation([Comparison("", one, "<=", two)])
    with pytest.raises(AssertionError, match="counterexample"):
        proof.leaf("squares", [a <= b], a * a <= b * b, a=one, b=two)
    with pytest.raises(AssertionError, match="not equal by definition"):
        proof.define("one is two", one, two)
    false = Bridge("false", "Bigger is smaller.", "none", lambda x, y: ([], [Comparison("", y, "<=", x)]), dict)
    with pytest.raises(AssertionError, match="not on the list"):
        proof.cross(false, x=one, y=two)
    monkeypatch.setitem(BRIDGES, "false", false)
    with pytest.raises(AssertionError, match="false on an instance"):
        proof.cross(false, x=one, y=two)


def test_a_definition_closes_no_claim() -> None:
    with working(512):
        third, again = BALLS.number(Fraction(1, 3)), 1 / BALLS.number(3)
        proof = Derivation([])
        proof.define("a third", third, again)
        with pytest.raises(AssertionError, match="is not derived"):
            proof.concludes([Comparison("", third, "==", again)])


def test_unlike_lines_at_different_settings_are_refused() -> None:
    statement = registry.find("OLR.T17")

    def partly(proof: Derivation, s: Any) -> None:
        assert statement.printed.derive is not None
        statement.printed.derive(proof, s)
        proof.define(f"K is {s.K}", s.gamma, s.gamma)

    with pytest.raises(AssertionError, match="different ways"):
        derived(statement, replace(statement.printed, derive=partly))


def by_larger(proof: Derivation, nb: Any, low: Any, high: Any) -> None:
    """low <= max(low, high), which has the value of high."""
    proof.cross(larger, nb=nb, x=low, y=high)


def by_extremes(proof: Derivation, nb: Any, low: Any, high: Any) -> None:
    """The least of both has the value of low."""
    proof.cross(extremes, nb=nb, x=np.stack([low, high], axis=-1))


def by_length(proof: Derivation, nb: Any, low: Any, high: Any) -> None:
    """|high - low| has the value of high - low."""
    a, b = reals("a b")
    proof.cross(lengths, nb=nb, v=(high - low)[..., None])
    proof.leaf("order", [0 <= b - a], a <= b, a=low, b=high)


def by_definition(proof: Derivation, nb: Any, low: Any, high: Any) -> None:
    """max(low, high) = high is no definition."""
    a, b, top = reals("a b top")
    proof.cross(larger, nb=nb, x=low, y=high)
    proof.define("the larger", nb.maximum(low, high), high)
    proof.leaf("order", [a <= top, top == b], a <= b, a=low, b=high, top=nb.maximum(low, high))


@pytest.mark.parametrize("trick", [by_larger, by_extremes, by_length, by_definition])
def test_the_value_of_a_root_or_a_maximum_derives_nothing(trick: Any) -> None:
    """Each of these would derive any inequality that holds on the instances; with other roots and maxima it stops."""
    statement = registry.find("OLR.T17")

    def smuggled(proof: Derivation, s: Any) -> None:
        for _, low, _, high in statement.printed.compare(s):
            trick(proof, s.p.nb, low, high)

    with pytest.raises(AssertionError, match=r"by the value of|is not derived"):
        derived(statement, replace(statement.printed, derive=smuggled))


def test_a_statement_that_joins_lines_by_value_is_named_once_and_needs_it(monkeypatch) -> None:
    """What ``BY_VALUE`` names fails without being named there."""
    named = dict(flips.BY_VALUE)
    monkeypatch.setattr(derive, "BY_VALUE", {})
    for name in named:
        statement = registry.find(name)
        found = [c for s, c in all_derived() if s is statement]
        with pytest.raises(AssertionError, match="by the value of"):
            for claim in found:
                derived(statement, claim)


def test_functions_that_look_a_kind_up_are_flipped_too() -> None:
    """The roots and maxima of ``surrogate.bounds``, and only inside."""
    four, nine = BALLS.number(4), BALLS.number(9)
    with flips.everywhere(flips.FLIPS["roots maxima"]):
        assert dispatch.sqrt(four) == -2
        assert dispatch.maximum(four, nine) == 4
    assert dispatch.sqrt(four) == 2
    assert dispatch.maximum(four, nine) == 9


def test_a_claim_that_compares_nothing_is_not_derived() -> None:
    one = BALLS.number(np.ones((1,), dtype=object))
    for claim in ([], [Comparison("", one[:0], "<=", one[:0])]):
        with pytest.raises(AssertionError, match="compares nothing"):
            Derivation([]).concludes(claim)


def test_leaves_have_numbers_and_no_roots() -> None:
    a, b = reals("a b")
    one = BALLS.number(1)
    proof = Derivation([])
    for conclusion in (maximum(a, b) >= a, minimum(a, b) <= a, absolute(a) >= 0, 0 * sqrt(a) <= a):
        with pytest.raises(AssertionError, match="in a leaf"):
            proof.leaf("by value", [], conclusion, a=one, b=one)
    with pytest.raises(AssertionError, match="neither a number nor an array"):
        proof.leaf("lists are joined, not added", [], a + b == b + a, a=[one], b=[one])
    with pytest.raises(AssertionError, match="undefined"):
        proof.leaf("a division by 0", [], a / b == a / b, a=one, b=one - one)
    with pytest.raises(ProblemError, match="a name"):
        reals("x 1")


def test_bridges_refuse_what_their_facts_do_not_cover() -> None:
    def ball(values: Any) -> Any:
        return BALLS.number(np.array(values, dtype=object))

    one, proof = ball([1]), Derivation([])
    stretched = Population(BALLS, ball([[[1]]]), ball([[[[2]]]]), ball([[[0]]]), ball([[1]]))
    lonely = Population(BALLS, ball([[[1], [1]]]), ball([[[[1]], [[1]]]]), ball([[[0], [0]]]), ball([[1]]))
    skew = ball([[[1, 0], [100, 1]]])
    for bridge, quantities, said in (
        (averages, {"p": stretched, "values": ball([[[1]]]), "low": one, "high": one}, "no rotations"),
        (averages, {"p": lonely, "values": ball([[[1], [1]]]), "low": one, "high": one}, "1 weights of 2"),
        (inverse, {"nb": BALLS, "M": skew, "v": ball([[0, 1]]), "low": one}, "not symmetric"),
        (sums, {"low": ball([[-1]]), "high": ball([[2, 2]])}, "unlike length"),
        (powers, {"low": one, "high": one, "exponents": [-1]}, "natural"),
        (larger, {"nb": FLOATS, "x": one, "y": one}, "balls are wanted"),
    ):
        with pytest.raises(AssertionError, match=said):
            proof.cross(bridge, **quantities)
