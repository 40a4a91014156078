"""Derivations: a proof carried out line by line on instances, each line a fact that follows from facts before it.

A line is a *leaf* (an inequality or identity for all reals, whose certificate ``surrogate verify`` re-checks, taken at
the instance's quantities) or crosses a *bridge* (a standard fact of ``theorems.bridges``). On each instance, in balls,
the premises of a line must be facts already: the same two numbers, compared the same way. Facts at the start are the
hypotheses, and what weights and extreme eigenvalues are. At the end the claim's comparisons must be facts.

Values alone cannot tell |x| from x where x > 0, nor max(x, y) from y: "0 <= |y - x|" would be "x <= y" on an instance
where it holds. So every derivation is carried out again where roots are the negative ones, where maxima are minima, and
where both are: all that algebra says of roots and maxima is true there, and each premise has to be a fact there, too.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from types import SimpleNamespace
from typing import Any, Literal

import numpy as np

from surrogate import Theta
from surrogate.numbers.balls import BALLS, Balls
from theorems.bridges.bridge import BRIDGES, Bridge
from theorems.engines.certify import decide, entries, exact_instance
from theorems.engines.flips import BY_VALUE, FLIPS, everywhere
from theorems.engines.prove import Leaf as Proved
from theorems.engines.prove import proving, smt
from theorems.engines.terms import Formula, Relation, Term
from theorems.instances import mapped
from theorems.population import Population
from theorems.statement import Claim, Comparison, Hypothesis, Statement

__all__ = ["Derivation", "Derived", "Line", "derived"]

BITS = 512
CLOSE = 1e-40  # relative: two balls this narrow that overlap are one number
SETTINGS = 10  # most discrete settings that a derivation is carried out at
BY_HAND = "say in a line why they are equal, or name the statement in theorems.engines.flips.BY_VALUE"
LARGEST = 8  # whole settings (K, tau, T) above this are left to the search: lines treat all alike


@dataclass(frozen=True)
class Line:
    """What a line of a derivation says, and by what it follows: a leaf's hash, a bridge's name, or "definition"."""

    says: str
    kind: Literal["leaf", "bridge", "definition", "setting"]
    by: str
    certified: bool = True  # of a leaf: a certificate of it was re-checked


@dataclass(frozen=True)
class Derived:
    """A derivation that went through: its lines, and whether a stored certificate backs every leaf."""

    lines: tuple[Line, ...]
    settings: int

    @property
    def certified(self) -> bool:
        """Is every leaf backed by a certificate that was re-checked?"""
        return all(line.certified for line in self.lines)

    @property
    def bridges(self) -> list[str]:
        """Names of the bridges crossed, each once, in order."""
        return list(dict.fromkeys(line.by for line in self.lines if line.kind == "bridge"))

    @property
    def leaves(self) -> list[str]:
        """Hashes of the leaves used, each once, in order."""
        return list(dict.fromkeys(line.by for line in self.lines if line.kind == "leaf"))


@dataclass
class _Facts:
    """Comparisons known on one instance, number by number, found by their rounded sides."""

    known: dict[tuple[str, str], list[tuple[Any, str, Any]]] = field(default_factory=dict)

    def add(self, lhs: Any, relation: str, rhs: Any) -> None:
        for a, b, how in _turned(lhs, relation, rhs):
            for key in _keys(a, b):
                self.known.setdefault(key, []).append((a, how, b))

    def has(self, lhs: Any, relation: str, rhs: Any) -> bool:
        a, b, how = next(iter(_turned(lhs, relation, rhs)))
        enough = {"<=": ("<=", "<", "=="), "<": ("<",), "==": ("==",)}[how]
        close = self.known.get(_key(a, b), [])
        return any(known in enough and _same(a, x) and _same(b, y) for x, known, y in close)


class Derivation:
    """One derivation on one instance: what is known so far, and the lines that led there."""

    def __init__(self, given: Sequence[Comparison], flipped: bool = False) -> None:
        self.lines: list[Line] = []
        self.flipped = flipped  # with other roots or maxima facts are no longer true, but follow from each other
        self._facts = _Facts()
        self._defined = _Facts()
        for comparison in given:
            self._learn(comparison)

    def leaf(self, says: str, hypotheses: list[Relation], conclusion: Relation, **values: Any) -> None:
        """Conclude what holds for all reals, at these values of the leaf's variables."""
        for side in (side for relation in (*hypotheses, conclusion) for side in (relation.lhs, relation.rhs)):
            if used := _operations(side) & {"sqrt", "max", "min", "abs"}:
                raise AssertionError(f"{says}: {used.pop()} in a leaf: give its value a name, cross a bridge to it")
        if lists := [name for name, value in values.items() if isinstance(value, (list, tuple, str))]:
            raise AssertionError(f"{says}: {lists[0]} is neither a number nor an array")
        for premise in hypotheses:
            self._premise(says, _at(premise, values))
        leaf = _shown(tuple(hypotheses), conclusion)
        self.lines.append(Line(says, "leaf", leaf.hash, leaf.certified))
        self._learn(_at(conclusion, values))

    def cross(self, bridge: Bridge, says: str = "", **quantities: Any) -> None:
        """Conclude what a bridge says of these quantities."""
        if BRIDGES.get(bridge.name) is not bridge:
            raise AssertionError(f"'{bridge.name}' is not on the list of bridges")
        if not isinstance(quantities.get("nb", BALLS), Balls):
            raise AssertionError(f"{bridge.name}: balls are wanted, not {quantities['nb']}")
        for p in _populations(list(quantities.values())):
            _framed(p)
        try:
            premises, conclusions = bridge(**quantities)
        except ValueError as error:
            raise AssertionError(f"{bridge.name}: {says}: {error}") from None
        for premise in premises:
            self._premise(f"{bridge.name}: {says}", premise)
        self.lines.append(Line(says or bridge.says, "bridge", bridge.name))
        for conclusion in conclusions:
            self._learn(conclusion)

    def define(self, says: str, lhs: Any, rhs: Any) -> None:
        """Two ways to write one quantity, equal by the definition of both; it never closes a claim by itself."""
        comparison = Comparison(says, lhs, "==", rhs)
        for a, _, b in _numbers(comparison):
            if not _same(a, b):
                raise AssertionError(f"not equal by definition: {says}: {a} and {b}")
            self._defined.add(a, "==", b)
        self.lines.append(Line(says, "definition", "definition"))
        self._learn(comparison)

    def setting(self, says: str, value: int, least: int) -> None:
        """A whole setting is at least 0, 1 or 2, by what it counts."""
        if not isinstance(value, int) or value < least or least > 2:
            raise AssertionError(f"no setting: {says} ({value} >= {least})")
        self.lines.append(Line(says, "setting", "setting"))
        self._learn(Comparison(says, BALLS.number(value), ">=", BALLS.number(least)))

    def _knows(self, lhs: Any, relation: str, rhs: Any) -> bool:
        """Derived before, or 0 <= 0."""
        trivial = relation in ("<=", ">=") and lhs.is_exact() and rhs.is_exact() and lhs == rhs
        return trivial or self._facts.has(lhs, relation, rhs)

    def concludes(self, claim: Sequence[Comparison]) -> None:
        """Raise unless each comparison of the claim has been derived."""
        if not claim or not all(np.size(c.lhs) and np.size(c.rhs) for c in claim):
            raise AssertionError("the claim compares nothing: nothing would be derived")
        for comparison in claim:
            for lhs, relation, rhs in _numbers(comparison):
                if not self._knows(lhs, relation, rhs) or self._defined.has(lhs, relation, rhs):
                    raise AssertionError(f"the claim '{comparison.label}' is not derived: {lhs} {relation} {rhs}")

    def _premise(self, says: str, comparison: Comparison) -> None:
        for lhs, relation, rhs in _numbers(comparison):
            if not self._knows(lhs, relation, rhs):
                raise AssertionError(f"{says}: a premise is not known: {comparison.label} {lhs} {relation} {rhs}")

    def _learn(self, comparison: Comparison) -> None:
        for lhs, relation, rhs in _numbers(comparison):
            if not (lhs.is_finite() and rhs.is_finite()):
                raise AssertionError(f"a fact is undefined on an instance: {comparison.label} {lhs} {relation} {rhs}")
            if not self.flipped and decide(Comparison("", lhs, relation, rhs)) is False:  # type: ignore[arg-type]
                raise AssertionError(f"a fact is false on an instance: {comparison.label} {lhs} {relation} {rhs}")
            self._facts.add(lhs, relation, rhs)


def derived(statement: Statement, claim: Claim) -> Derived:
    """Carry out the claim's derivation at every small setting of its domain; AssertionError where a line fails."""
    small = _small(statement.where(claim).choices)
    taken = [_carried_out(statement, claim, index, discrete, BALLS) for index, discrete in enumerate(small)]
    for what, nb in FLIPS.items():
        if not set(what.split()) & set(BY_VALUE.get(statement.id, "").split()):
            _carried_out_everywhere(statement, claim, small, what, nb)
    lines = max(taken, key=len)
    for other in taken:
        if not set(other) <= set(lines):
            raise AssertionError(f"{statement.id}: the derivation goes different ways at different settings")
    return Derived(lines, len(taken))


def _carried_out_everywhere(statement: Statement, claim: Claim, small: Sequence[Any], what: str, nb: Balls) -> None:
    for index, discrete in enumerate(small):
        try:
            _carried_out(statement, claim, index, discrete, nb)
        except AssertionError as error:
            raise AssertionError(f"{statement.id} joins lines by the value of {what} ({BY_HAND}): {error}") from None


def _carried_out(
    statement: Statement, claim: Claim, index: int, discrete: Mapping[str, Any], nb: Balls
) -> tuple[Line, ...]:
    """The lines of the derivation at one setting, in balls with the usual or with other roots and maxima."""
    import flint

    assert claim.derive is not None and claim.compare is not None
    domain, rng = statement.where(claim), np.random.default_rng(index)
    u = np.array([[_fraction(rng) for _ in range(domain.size(discrete))]], dtype=object).reshape(1, -1)
    with flint.ctx.workprec(BITS), everywhere(nb):
        instance = mapped(exact_instance(domain, u, discrete), lambda _, q: BALLS.number(q), nb)
        if nb is not BALLS:
            instance = _renewed(instance, statement.assumed(claim))
        given = [c for h in statement.assumed(claim) for c in h.holds(instance)]
        proof = Derivation([*given, *_definitions(instance)], flipped=nb is not BALLS)
        claim.derive(proof, instance)
        proof.concludes(claim.compare(instance))
    return tuple(dict.fromkeys(proof.lines))


def _renewed(instance: Any, hypotheses: Sequence[Hypothesis]) -> Any:
    """Equals for equals: what a hypothesis says a number kept in the instance is, in these balls, takes its place."""
    kept = {id(value): name for name, value in vars(instance).items() if isinstance(value, np.ndarray)}
    says = [c for h in hypotheses for c in h.holds(instance) if c.relation == "==" and id(c.lhs) in kept]
    return type(instance)(**{**vars(instance), **{kept[id(c.lhs)]: c.rhs for c in says}})


@cache
def _shown(hypotheses: tuple[Formula, ...], conclusion: Formula) -> Proved:
    """The leaf, shown once a process."""
    with proving() as used:
        smt(list(hypotheses), conclusion)
    return used[0]


def _small(choices: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """A spread of the settings whose whole numbers are small; the largest of them is among them."""
    small = [choice for choice in choices if all(_whole(v) <= LARGEST for v in choice.values())]
    kept = small or list(choices[:1])
    spread = range(len(kept)) if len(kept) <= SETTINGS else np.linspace(0, len(kept) - 1, SETTINGS).round()
    return [kept[int(k)] for k in spread]


def _whole(value: Any) -> int:
    """How many steps, clients or dimensions a setting means."""
    return value.steps if isinstance(value, Theta) else value if isinstance(value, int) else 0


def _fraction(rng: np.random.Generator) -> Any:
    """A rational of [0.05, 0.95] without a pattern, so that different quantities differ."""
    from fractions import Fraction

    return Fraction(int(rng.integers(5_000, 95_000)), 99_991)


def _definitions(instance: Any) -> Iterator[Comparison]:
    """What holds of any population: weights of at least 0 that sum to 1, and the extremes of its spectra."""
    for p in _populations(instance):
        yield Comparison("weights", p.w, ">=", p.w * 0)
        yield Comparison("weights", p.w.sum(axis=-1), "==", p.w[..., 0] * 0 + 1)
        yield Comparison("mu", p.mu[..., None, None], "<=", p.lam)
        yield Comparison("L", p.lam, "<=", p.L[..., None, None])


def _populations(value: Any) -> Iterator[Population]:
    if isinstance(value, Population):
        yield value
    elif isinstance(value, SimpleNamespace):
        for each in vars(value).values():
            yield from _populations(each)
    elif isinstance(value, (list, tuple)):
        for each in value:
            yield from _populations(each)


def _framed(p: Population) -> None:
    """Raise unless the population's frames turn vectors without stretching them, and there is a weight for each."""
    turned = p.R @ np.swapaxes(p.R, -1, -2)
    for a, _, b in _numbers(Comparison("", turned, "==", np.eye(p.d, dtype=int) + turned * 0)):
        if not a.overlaps(b):
            raise AssertionError(f"a population's frames are no rotations: {turned}")
    if p.w.shape[-1] != p.n:
        raise AssertionError(f"{p.w.shape[-1]} weights of {p.n} clients")


def _operations(term: Any) -> set[str]:
    """The operations in a term."""
    return {term.op}.union(*(_operations(arg) for arg in term.args if isinstance(arg, Term)))


def _at(leaf: Relation, values: Mapping[str, Any]) -> Comparison:
    lhs, rhs = leaf.at(values)
    return Comparison(str(leaf), lhs, leaf.relation, rhs)  # type: ignore[arg-type]


def _numbers(comparison: Comparison) -> Iterator[tuple[Any, str, Any]]:
    """The comparison number by number."""
    for each in entries(comparison):
        yield BALLS.number(each.lhs), each.relation, BALLS.number(each.rhs)


def _turned(lhs: Any, relation: str, rhs: Any) -> list[tuple[Any, Any, str]]:
    """The comparison with < or <= alone; equations both ways round."""
    if relation in (">=", ">"):
        return [(rhs, lhs, "<=" if relation == ">=" else "<")]
    return [(lhs, rhs, relation), (rhs, lhs, relation)] if relation == "==" else [(lhs, rhs, relation)]


def _same(a: Any, b: Any) -> bool:
    """Narrow balls that overlap."""
    scale = abs(float(a.mid())) + CLOSE
    return bool(a.overlaps(b)) and max(float(a.rad()), float(b.rad())) <= CLOSE * scale


def _key(a: Any, b: Any) -> tuple[str, str]:
    return _rounded(float(a.mid())), _rounded(float(b.mid()))


def _keys(a: Any, b: Any) -> set[tuple[str, str]]:
    """Keys of the sides and of their close neighbours, so that rounding never parts two equal numbers."""
    return {
        (_rounded(float(a.mid()) * (1 + e)), _rounded(float(b.mid()) * (1 + f)))
        for e in (-1e-9, 1e-9)
        for f in (-1e-9, 1e-9)
    }


def _rounded(x: float) -> str:
    return f"{x:.6e}" if abs(x) > CLOSE else "0"
