"""Instances outside of a domain that meet every declared hypothesis, where a claim that was judged to hold fails.

Letter by letter an instance of the domain is moved (three times, thirty times, negative, ...): what a domain builds
in and no hypothesis says shows as a claim that fails there. Floats point; rationals and balls decide.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from typing import Any

import numpy as np

from surrogate.numbers import FLOATS
from theorems.domain import Domain
from theorems.engines.certify import certain, certify, exact_instance
from theorems.engines.search import _score
from theorems.engines.units import claims
from theorems.instances import arrays
from theorems.statement import Claim, Comparison, Hypothesis, Statement

__all__ = ["broken", "held", "moved", "outside"]

ROWS, OVER, TRIED = 40, 97, 6  # instances of a setting, their denominator, those tried in rationals
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
    """The letters whose move breaks the claim, and no hypothesis: each with the move and the comparison."""
    domain, found = statement.where(claim), {}
    for discrete in _some(domain):
        u = np.random.default_rng(5).integers(3, OVER - 3, size=(ROWS, domain.size(discrete)))
        instance = domain.instance(FLOATS, u / OVER, discrete)
        names: list[str] = []
        arrays(instance, lambda name, array: (names.append(name), array)[1], FLOATS)  # noqa: B023
        for name in names:
            letter = re.sub(r"\[\d+\]", "", name)
            for title, move in _moves(statement, name).items():
                if (
                    letter not in found
                    and (label := _fails(statement, claim, discrete, u, instance, name, move)) is not None
                ):
                    found[letter] = f"{title}: {label}"
    return found


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


def _fails(
    statement: Statement, claim: Claim, discrete: Mapping[str, Any], u: Any, instance: Any, name: str, move: Move
) -> str | None:
    """The comparison that certainly fails where every hypothesis certainly holds."""
    assumed = _declared(statement, claim)
    with np.errstate(all="ignore"):
        other = moved(instance, name, move)
        met = np.all([_met(h, other, len(u)) for h in assumed], axis=0) if assumed else np.ones(len(u), bool)
        wrong = broken(list(claim.compare(other)), len(u)) if met.any() else {}
    domain = statement.where(claim)
    for label, rows in wrong.items():
        for k in np.flatnonzero(rows & met)[:TRIED]:
            row = np.array([[Fraction(int(v), OVER) for v in u[k]]], dtype=object).reshape(1, -1)
            exact = moved(exact_instance(domain, row, discrete), name, move)
            if all(_certain(h, exact) for h in assumed) and certify(claim, exact, label) is False:
                return label
    return None


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
