"""Slips that a hand makes in a closed form of the dictionary: each turns an entry's distortions into others.

A slip that moves no resting point is none (K - 1 where K = 1, swapped clients where all D_i are one matrix): whether it
moves one is asked of other populations and settings than the proofs look at.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from copy import copy
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np

from surrogate import Theta, dictionary
from surrogate.dictionary.algebra import Rational
from surrogate.dictionary.entries import TABLE, Entry
from surrogate.dictionary.settings import Settings
from tests.helpers.surrogate.dictionary_cases import EVERY
from tests.helpers.surrogate.dictionary_populations import fixed

__all__ = ["SLIPS", "moves_a_rest", "slipped"]

Distortions = Sequence[Any]
CLIENTS = fixed()


def _with(settings: Any, **changes: Any) -> Any:
    other = Settings.__new__(Settings)
    other.__dict__.update(settings.__dict__ | changes)
    return other


def _gamma_squared(known: Entry, ring: Any, s: Any) -> Distortions:
    if s.has("gamma"):
        s = _with(s, gamma=tuple(gamma * gamma for gamma in s.gamma))
    return known.distortions(ring, s)


def _gamma_dropped(known: Entry, ring: Any, s: Any) -> Distortions:
    """The factor in front, as if gradients were sent."""
    found = known.distortions(ring, s)
    if not s.has("gamma") or any(gamma == 0 for gamma in s.gamma):
        return found
    return [D * (1 / gamma) for D, gamma in zip(found, s.gamma, strict=True)]


def _one_step_less(known: Entry, ring: Any, s: Any) -> Distortions:
    changes: dict[str, Any] = {}
    if s.has("inner_rates"):  # as many as steps: the slip would be refused
        return known.distortions(ring, s)
    if s.has("steps") and min(s.steps) > 1:
        changes["steps"] = tuple(K - 1 for K in s.steps)
        if s.has("frozen"):
            shared = getattr(s.frozen, "ndim", 3) == 2
            changes["frozen"] = s.frozen[:-1] if shared else [np.asarray(P)[:-1] for P in s.frozen]
    if s.has("theta") and min(theta.steps for theta in s.theta) > 1:
        changes["theta"] = tuple(map(_shorter, s.theta))
    if any(len(P) == 0 for P in changes.get("frozen", ())):
        return known.distortions(ring, s)
    return known.distortions(ring, _with(s, **changes))


def _shorter(theta: Theta) -> Theta:
    if theta.kind == "weights":
        return Theta(theta.given[:-1], signed=True)
    return Theta.sum(theta.steps - 1) if theta.kind == "sum" else Theta.last(theta.steps - 1)


def _weights_dropped(known: Entry, ring: Any, s: Any) -> Distortions:
    """From the sum that vanishes at rest."""
    return [D * (1 / w) for D, w in zip(known.distortions(ring, s), ring.weights, strict=True)]


def _plain_mean(known: Entry, ring: Any, s: Any) -> Distortions:
    """A mean over clients without their weights, inside the formula."""
    other = copy(ring)
    other.weights = [ring.number(Fraction(1, ring.n))] * ring.n
    return known.distortions(other, s)


def _swapped_clients(known: Entry, ring: Any, s: Any) -> Distortions:
    return list(reversed(known.distortions(ring, s)))


def _transposed(known: Entry, ring: Any, s: Any) -> Distortions:
    """All products in the other order, for A_i and P are symmetric."""
    found = known.distortions(ring, s)
    return [Rational(D.value.transpose()) if isinstance(D, Rational) else D for D in found]


def _wrong_side(known: Entry, ring: Any, s: Any) -> Distortions:
    """P_i behind the sum that it stands in front of."""
    found = known.distortions(ring, s)
    if not s.has("P"):
        return found
    P = [ring.matrix(p) for p in s.matrices()]
    return [p.inverse() * D * p for p, D in zip(P, found, strict=True)]


SLIPS: dict[str, Callable[[Entry, Any, Any], Distortions]] = {
    "gamma squared": _gamma_squared,
    "gamma dropped": _gamma_dropped,
    "one step less": _one_step_less,
    "weights dropped": _weights_dropped,
    "plain mean": _plain_mean,
    "swapped clients": _swapped_clients,
    "transposed": _transposed,
    "P on the wrong side": _wrong_side,
}


def slipped(name: str, slip: str) -> Entry:
    """The entry with the slip in its distortions."""
    known = TABLE[name]
    return replace(known, distortions=lambda ring, settings: SLIPS[slip](known, ring, settings))


def moves_a_rest(name: str, wrong: Entry, monkeypatch: Any) -> bool:
    """Does the wrong entry give another resting point at some settings?"""
    cases = [case for known, case in EVERY if known == name]
    right = [dictionary.resting_point(name, CLIENTS, **case) for case in cases]
    with monkeypatch.context() as patched:
        patched.setitem(TABLE, name, wrong)
        found = [dictionary.resting_point(name, CLIENTS, **case) for case in cases]
    return any((a != b).any() for a, b in zip(right, found, strict=True))
