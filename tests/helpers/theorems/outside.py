"""Instances outside of a domain that meet every declared hypothesis, where a claim that was judged to hold fails.

Letter by letter an instance of the domain is moved (three times, thirty times, negative, ...): what a domain builds
in and no hypothesis says shows as a claim that fails there. Floats point; rationals and balls decide.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np

from surrogate.kit.errors import ProblemError
from surrogate.numbers import FLOATS
from theorems.domain import Domain
from theorems.engines.certify import certain, certify, exact_instance
from theorems.engines.search import _score, draws
from theorems.engines.units import claims
from theorems.instances import arrays
from theorems.statement import Claim, Comparison, Hypothesis, Statement

__all__ = ["broken", "held", "moved", "outside"]

TRIED = 6  # instances of a setting that are tried in rationals
FEW = 3  # settings that every domain is asked for; one more where it is searched over as many
NO_INSTANCE = (
    ArithmeticError,
    AssertionError,
    AttributeError,
    IndexError,
    KeyError,
    ProblemError,
    TypeError,
    ValueError,
)
Move = Callable[[Any], Any]


def held(statement: Statement, record: Mapping[str, Any]) -> Iterator[tuple[str, Claim]]:
    """(which, claim) of what is recorded as holding."""
    for which, claim in claims(statement):
        steps = record["steps"]
        found = {"printed": record, "corrected": record["correction"]}.get(which) if which[0] in "pc" else (
            steps[int(which.split()[1])] if len(steps) > int(which.split()[1]) else None
        )  # fmt: skip
        if found and found["verdict"] == "holds":
            yield which, claim


def outside(statement: Statement, claim: Claim) -> dict[str, str]:
    """The letters and settings whose move breaks the claim, and no hypothesis: each with how, and the comparison."""
    domain = statement.where(claim)
    found: dict[str, str] = {}
    for discrete in _some(domain):
        names: list[str] = []
        half = np.full((1, domain.size(discrete)), 0.5)
        arrays(domain.instance(FLOATS, half, discrete), lambda name, a: (names.append(name), a)[1], FLOATS)  # noqa: B023
        for name in names:
            letter = re.sub(r"\[\d+\]", "", name)
            for title, move in _moves(statement, name).items() if letter not in found else ():
                if label := _fails(
                    statement, claim, discrete, _inside(domain, discrete), partial(moved, name=name, move=move)
                ):
                    found[letter] = f"{title}: {label}"
                    break
    for letter, discrete in _other_settings(domain):
        if letter not in found and (label := _fails(statement, claim, discrete, _anywhere(domain, discrete))):
            found[letter] = f"{letter} = {discrete[letter]}: {label}"
    return found


def _other_settings(domain: Domain) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Settings that the domain is not searched over: up to four clients, steps, dimensions, one more than searched."""
    seen = set()
    for first in domain.choices[:3]:
        for name, value in first.items():
            if isinstance(value, bool) or not isinstance(value, int):
                continue
            searched = {choice.get(name) for choice in domain.choices}
            for other in range(1, min(max(FEW, max(filter(None, searched), default=0) + 1), FEW + 1) + 1):
                discrete = {**first, name: other}
                if other not in searched and str(discrete) not in seen:
                    seen.add(str(discrete))
                    yield name, discrete


def moved(instance: Any, name: str, move: Move) -> Any:
    """The instance with one letter moved."""
    nb = getattr(instance, "nb", None) or instance.p.nb
    return arrays(instance, lambda each, array: move(array) if each == name else array, nb)


def broken(comparisons: list[Comparison], count: int) -> dict[str, Any]:
    """Which of the instances break each comparison, as floats have it, by more than rounding."""
    found = {}
    for comparison in comparisons:
        score = np.asarray(_score(comparison))
        score = np.broadcast_to(score, (count,)) if score.ndim == 0 else score.reshape(count, -1).max(axis=1)
        found[comparison.label] = (score > 1 + 1e-6) & np.isfinite(score)
    return found


def _inside(domain: Domain, discrete: Mapping[str, Any]) -> Any:
    """Forty points away from the ends of [0, 1]."""
    u = np.random.default_rng(5).integers(3, 94, size=(40, domain.size(discrete)))
    return np.array([[Fraction(int(v), 97) for v in row] for row in u], dtype=object).reshape(u.shape)


def _anywhere(domain: Domain, discrete: Mapping[str, Any]) -> Any:
    """Points as the search draws them, to four digits; none where the domain has no such setting."""
    try:
        u = np.round(10_000 * draws(np.random.default_rng(5), 150, domain.size(discrete)))
    except NO_INSTANCE:
        return np.zeros((0, 0))
    return np.array([[Fraction(int(v), 10_000) for v in row] for row in u], dtype=object).reshape(u.shape)


def _fails(
    statement: Statement,
    claim: Claim,
    discrete: Mapping[str, Any],
    u: Any,
    change: Callable[[Any], Any] = lambda s: s,
) -> str:
    """The comparison that certainly fails where every hypothesis certainly holds; empty where there is none."""
    domain, assumed = statement.where(claim), _declared(statement, claim)
    try:
        with np.errstate(all="ignore"):
            other = change(domain.instance(FLOATS, u.astype(float), discrete))
            met = np.all([np.ones(len(u), bool), *(_met(h, other, len(u)) for h in assumed)], axis=0)
            wrong = broken(list(claim.compare(other)), len(u)) if met.any() else {}
    except NO_INSTANCE:
        return ""  # the claim is about other settings
    for label, rows in wrong.items():
        for row in u[np.flatnonzero(rows & met)[:TRIED]]:
            try:
                exact = change(exact_instance(domain, row[None], discrete))
                if all(_certain(h, exact) for h in assumed) and certify(claim, exact, label) is False:
                    return label or "the comparison"
            except NO_INSTANCE:
                continue
    return ""


def _declared(statement: Statement, claim: Claim) -> list[Hypothesis]:
    """What a reader is told: the statement's hypotheses, and those given for a domain of the claim's own."""
    given = list(statement.assumed(claim))
    return given + [h for h in statement.hypotheses if h.name not in {each.name for each in given}]


def _met(hypothesis: Hypothesis, instance: Any, count: int) -> Any:
    """On which instances of floats a hypothesis holds; one about letters that there are not says nothing."""
    try:
        found = hypothesis.holds(instance)
    except (AttributeError, IndexError, KeyError):
        return np.ones(count, bool)
    met = np.ones(count, bool)
    for _, lhs, relation, rhs in found:
        a, b = np.asarray(lhs, float), np.asarray(rhs, float)
        close = np.isclose(a, b, rtol=1e-9, atol=1e-12)
        holds = {"<=": a <= b, "<": a < b, "==": close, ">=": a >= b, ">": a > b}[relation]
        met &= holds if holds.ndim == 0 else holds.reshape(count, -1).all(axis=1)
    return met


def _certain(hypothesis: Hypothesis, instance: Any) -> bool:
    try:
        return certain(hypothesis.holds, instance)
    except (AttributeError, IndexError, KeyError):
        return True


def _some(domain: Domain) -> list[Mapping[str, Any]]:
    """The smallest setting, and two of the first half."""
    choices = domain.choices
    return list({id(d): d for d in (choices[0], choices[len(choices) // 2], choices[len(choices) // 4])}.values())


def _moves(statement: Statement, name: str) -> dict[str, Move]:
    """Ways to move a letter that leave it what it is: weights sum to 1, rotations are rotations."""
    last = name.rpartition(".")[2]
    if last == "w" or (last == "p" and statement.paper == "fedda"):
        return {"other weights": lambda a: _share(_spread(a)), "one client": lambda a: _share(_first(a))}
    if last == "R" and name != last:
        return {"turned": _turned}
    times: dict[str, Move] = {f"{k} times": lambda a, k=k: a * k for k in (3, 30)}
    return {
        **times, "a thirtieth": lambda a: a / 30, "negative": lambda a: -a, "one more": lambda a: a + 1,
        "nothing": lambda a: a * 0, "spread": _spread,
    }  # fmt: skip


def _spread(a: Any) -> Any:
    return a * ((np.arange(a.size).reshape(a.shape) * 7) % 5 + 1) / 2


def _share(a: Any) -> Any:
    return a / a.sum(axis=-1)[..., None]


def _first(a: Any) -> Any:
    return np.concatenate([a[..., :1], a[..., 1:] * 0], -1)


def _turned(a: Any) -> Any:
    """All frames turned, the first once, the others twice: Hessians that commute do so no more."""
    if a.shape[-1] < 2:
        return a
    cos, sin = (Fraction(3, 5), Fraction(4, 5)) if a.dtype == object else (0.6, 0.8)
    turn, result = np.array([[cos, -sin], [sin, cos]], dtype=a.dtype), a.copy()
    result[..., :, :2] = a[..., :, :2] @ turn
    if a.ndim > 3:
        result[:, 1:, :, :2] = result[:, 1:, :, :2] @ turn
    return result
