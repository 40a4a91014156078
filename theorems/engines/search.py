"""Look for a violation, and for the tightest instance: vectorised draws, corners, and evolution of the ratio lhs / rhs.

Floats only ever point at instances. What they find is confirmed by ``certify`` or forgotten.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
from typing import Any
from zlib import crc32

import numpy as np

from surrogate._types import Numbers
from surrogate.numbers import FLOATS
from theorems.domain import Domain
from theorems.instances import arrays
from theorems.statement import Claim, Comparison

__all__ = ["Find", "SearchReport", "search"]

ROUNDING = 1e-9  # relative; float finds below it are not worth confirming
_MILLIONTH = 1e-6
_GENERATIONS, _PARENTS, _CHILDREN = 25, 8, 24


@dataclass(frozen=True)
class Find:
    """A float instance: where it is, which comparison, and how far lhs / rhs goes."""

    u: Any
    discrete: Mapping[str, Any]
    label: str
    score: float


@dataclass
class SearchReport:
    """What a search saw: instances evaluated, violations, and the tightest instance of each comparison."""

    examples: int = 0
    adversarial: int = 0
    violations: list[Find] = field(default_factory=list)
    tightest: dict[str, Find] = field(default_factory=dict)
    equations: set[str] = field(default_factory=set)  # comparisons that a ratio says nothing about


def search(claim: Claim, domain: Domain, examples: int, seed: int = 0, adversarial: bool = True) -> SearchReport:
    """Draw ``examples`` instances over all discrete settings, then evolve the most promising ones."""
    report = SearchReport()
    rng = np.random.default_rng(seed)
    share = max(4, -(-examples // len(domain.choices)))
    pools: list[tuple[float, Mapping[str, Any], Any, str]] = []
    for discrete in domain.choices:
        m = domain.size(discrete)
        # a domain without coordinates (a table's numbers) is a single instance
        u = np.concatenate([corners(m, max(1, share // 4)), draws(rng, share, m)]) if m else np.zeros((1, 0))
        for label, score in scores(claim, domain, u, discrete):
            order = np.argsort(-score)[:_PARENTS]
            _note(report, u, discrete, label, score)
            if m:
                pools.append((float(score[order[0]]), discrete, u[order], label))
        report.examples += len(u)
        with np.errstate(all="ignore"):
            asked = claim.compare(domain.instance(FLOATS, u[:1], discrete)) if claim.compare else ()
        report.equations |= {comparison.label for comparison in asked if comparison.relation == "=="}
    if adversarial:
        pools.sort(key=lambda pool: -pool[0])
        for _, discrete, parents, label in _diverse(pools):
            _evolve(report, claim, domain, discrete, parents, label, rng)
    return report


def scores(claim: Claim, domain: Domain, u: Any, discrete: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """(label, score) of each comparison at the rows of u; a score above 1 is a violation, nan becomes -inf.

    ``<=``: lhs / rhs where both are positive, else 1 + (lhs - rhs) / scale. ``==``: 1 + the relative gap.
    """
    assert claim.compare is not None
    with np.errstate(all="ignore"):
        nudged: list[Comparison] = []
        instance = domain.instance(FLOATS, u, discrete)
        for k, comparison in enumerate(claim.compare(instance)):
            score = np.broadcast_to(_score(comparison), (len(u),)).astype(float)
            if comparison.relation not in ("<", ">") and np.any(score > 1):
                nudged = nudged or list(claim.compare(arrays(instance, _nudge, FLOATS)))
                score = np.where((score > 1) & _rounded(comparison, nudged[k]), -np.inf, score)
            yield comparison.label, np.where(np.isfinite(score), score, -np.inf)


def _nudge(name: str, array: Numbers) -> Any:
    """The array with every entry changed by a millionth of itself, up or down."""
    change = np.random.default_rng(crc32(name.encode())).uniform(-1, 1, size=array.shape)
    return np.asarray(array, dtype=float) * (1 + _MILLIONTH * change)


def _rounded(comparison: Comparison, nudged: Comparison) -> Any:
    """Is the gap between the sides no more than the rounding of what cancels in them?

    A side that a change of the instance by a millionth moves by s is a sum of terms of about the size s * 10^6.
    """
    gap = np.abs(np.asarray(comparison.lhs, dtype=float) - np.asarray(comparison.rhs, dtype=float))
    lhs, rhs = (np.abs(np.asarray(b, dtype=float) - a) for a, b in zip(comparison[1::2], nudged[1::2], strict=True))
    return gap <= ROUNDING / _MILLIONTH * np.maximum(lhs, rhs)


def _score(comparison: Comparison) -> Any:
    _, lhs, relation, rhs = comparison
    lhs, rhs = np.asarray(lhs, dtype=float), np.asarray(rhs, dtype=float)
    if relation in (">=", ">"):
        lhs, rhs, relation = rhs, lhs, "<=" if relation == ">=" else "<"
    scale = np.maximum(np.maximum(np.abs(lhs), np.abs(rhs)), 1e-300)
    if relation == "==":
        return 1 + np.abs(lhs - rhs) / np.maximum(scale, 1e-12) - ROUNDING
    gap = 1 + (lhs - rhs) / scale
    ratio = np.where((lhs > 0) & (rhs > 0), lhs / np.where(rhs > 0, rhs, 1.0), gap)
    strict = relation == "<"  # broken by equality
    return np.where(scale < 1e-12, (lhs >= rhs) if strict else 0.0, ratio) - (-1e-13 if strict else ROUNDING)


def draws(rng: np.random.Generator, count: int, m: int) -> Any:
    """Uniform, near the ends on a log scale, simple fractions, and mixtures of them coordinate by coordinate."""
    uniform = rng.uniform(size=(count, m))
    small = 10.0 ** rng.uniform(-8, 0, size=(count, m))
    simple = rng.choice([0.0, 0.1, 0.2, 0.25, 1 / 3, 0.5, 2 / 3, 0.75, 0.9, 1.0], size=(count, m))
    kind = rng.choice(4, size=(count, m), p=[0.4, 0.2, 0.15, 0.25])
    return np.select([kind == 0, kind == 1, kind == 2], [uniform, small, 1 - small], simple)


def corners(m: int, most: int) -> Any:
    """All of {0, 1/2, 1}^m while they are few, else a spread of them."""
    if 3**m <= most:
        return np.array(list(product((0.0, 0.5, 1.0), repeat=m))).reshape(-1, m)
    rng = np.random.default_rng(m)
    return np.concatenate([np.zeros((1, m)), np.ones((1, m)), rng.choice([0.0, 0.5, 1.0], size=(most, m))])


def _note(report: SearchReport, u: Any, discrete: Mapping[str, Any], label: str, score: Numbers) -> None:
    best = int(np.argmax(score))
    find = Find(u[best], discrete, label, float(score[best]))
    if find.score > 1:
        report.violations.append(find)
    kept = np.where(score > 1, -np.inf, score)  # what rounding puts above 1 measures nothing
    tight = int(np.argmax(kept))
    if label not in report.tightest or kept[tight] > report.tightest[label].score:
        report.tightest[label] = Find(u[tight], discrete, label, float(kept[tight]))


def _diverse(pools: Sequence[tuple[float, Any, Any, str]]) -> list[tuple[float, Any, Any, str]]:
    """The best settings of each comparison: three a label."""
    taken: dict[str, int] = {}
    chosen = []
    for pool in pools:
        if taken.get(pool[3], 0) < 3:
            taken[pool[3]] = taken.get(pool[3], 0) + 1
            chosen.append(pool)
    return chosen


def _evolve(
    report: SearchReport,
    claim: Claim,
    domain: Domain,
    discrete: Mapping[str, Any],
    parents: Numbers,
    label: str,
    rng: np.random.Generator,
) -> None:
    """Mutate and cross the best instances; step lengths span decades, so that ends of [0, 1] are reached."""
    pick: Callable[[Any], Any] = lambda u: dict(scores(claim, domain, u, discrete))[label]  # noqa: E731
    for _ in range(_GENERATIONS):
        mates = parents[rng.integers(len(parents), size=(len(parents), _CHILDREN))]
        base = np.where(rng.uniform(size=mates.shape) < 0.8, parents[:, None, :], mates)
        step = rng.normal(size=base.shape) * 10.0 ** rng.uniform(-6, 0, size=(*base.shape[:2], 1))
        moved = np.where(rng.uniform(size=base.shape) < 0.5, base + step, base)
        shrunk = base * 10.0 ** -rng.uniform(0, 1, size=base.shape)
        moved = np.where(rng.uniform(size=base.shape) < 0.1, shrunk, moved)
        moved = np.where(rng.uniform(size=base.shape) < 0.05, np.round(moved), moved)
        family = np.concatenate([parents, np.clip(moved, 0, 1).reshape(-1, parents.shape[1])])
        score = pick(family)
        parents = family[np.argsort(-score)[:_PARENTS]]
        report.adversarial += len(family)
    _note(report, parents, discrete, label, pick(parents))
