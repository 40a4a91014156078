"""From a float find to the smallest exact counterexample, written down as a certificate that stands alone."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import numpy as np

from surrogate._types import Numbers
from surrogate.numbers.traces import Trace
from theorems import verify
from theorems.domain import Domain
from theorems.engines.certify import certain, certify, exact_instance
from theorems.engines.search import Find, scores, search
from theorems.instances import describe, mapped
from theorems.record import Certificate, Traced
from theorems.statement import Claim, Hypothesis, Statement

__all__ = ["Refutation", "certificate", "refute"]

DENOMINATORS = (1, 2, 3, 4, 5, 10, 20, 100, 1000, 10**4, 10**6, 10**9)
SIMPLE = tuple(sorted({Fraction(p, q) for q in range(1, 11) for p in range(q + 1)}, key=lambda f: (f.denominator, f)))
SMALL = (  # and what small rates need
    *SIMPLE,
    *(Fraction(p, q) for q in (20, 50, 100, 1000, 10**4) for p in (1, 2, 3, 7, 9)),
)
_TRIES = 6000
_CONFIRMED = 300
_LATER = 5

Assumed = Iterable[Hypothesis]


@dataclass(frozen=True)
class Refutation:
    """An exact instance on which a comparison certainly fails."""

    u: tuple[Fraction, ...]
    discrete: Mapping[str, Any]
    label: str
    instance: Any


def refute(claim: Claim, domain: Domain, finds: Iterable[Find], assumed: Assumed = ()) -> Refutation | None:
    """The smallest exact counterexample near the finds: smallest discrete setting first, then simplest fractions.

    ``assumed``: the hypotheses that must be certain on the instance.
    """
    finds = sorted(finds, key=lambda f: -f.score)
    labels = list(dict.fromkeys(f.label for f in finds))
    # Choices run from small to large: nothing simpler than the first one with a find is worth more than a look.
    order = {id(d): k for k, d in enumerate(domain.choices)}
    # Finds that are rounding alone must not hide the ones behind them: a few later settings with finds are tried, too,
    # and the ones with the clearest finds.
    found_at = sorted({order[id(f.discrete)] for f in finds})
    clear = list(dict.fromkeys(order[id(f.discrete)] for f in finds))  # the clearest first
    tried = {*range(found_at[0] + 1), *found_at[1:_LATER], *clear[:_LATER]} if found_at else set()
    for discrete in (domain.choices[k] for k in sorted(tried)):
        near = [f for f in finds if f.discrete is discrete]
        for label in labels:
            nearby = [f for f in near if f.label == label] or _focused(claim, domain, discrete, label)
            confirm = _Confirmer(claim, domain, discrete, label, tuple(assumed))
            found = _simple(confirm) or _rounded(confirm, nearby)
            if found is not None:
                return _simplified(confirm, found)
    return None


@dataclass(frozen=True)
class _Confirmer:
    """Confirms rational rows of u: every hypothesis certain, the comparison certainly false."""

    claim: Claim
    domain: Domain
    discrete: Mapping[str, Any]
    label: str
    assumed: tuple[Hypothesis, ...]

    def __call__(self, row: tuple[Fraction, ...]) -> Refutation | None:
        try:
            instance = exact_instance(self.domain, np.array([row], dtype=object).reshape(1, -1), self.discrete)
            if not all(certain(h.holds, instance) for h in self.assumed):
                return None
            if certify(self.claim, instance, self.label) is False:
                return Refutation(row, self.discrete, self.label, instance)
        except (ZeroDivisionError, ArithmeticError, ValueError):
            return None  # the instance is not one: a singular average, a root of a negative number
        return None


def _focused(claim: Claim, domain: Domain, discrete: Mapping[str, Any], label: str) -> list[Find]:
    """Violations of one comparison at one discrete setting, by a search of its own."""
    report = search(claim, replace(domain, choices=(discrete,)), examples=500)
    return [find for find in report.violations if find.label == label]


def _simple(confirm: _Confirmer) -> Refutation | None:
    """Draw instances from one-digit fractions, and confirm the clearest violation."""
    m = confirm.domain.size(confirm.discrete)
    digits = np.random.default_rng(0).integers(len(SIMPLE), size=(_TRIES if m else 1, m))
    values = np.array([float(f) for f in SIMPLE])
    score = dict(scores(confirm.claim, confirm.domain, values[digits], confirm.discrete)).get(confirm.label)
    if score is None:
        return None
    for k in np.argsort(-score)[:_CONFIRMED]:  # the worst ones often sit on an end that a strict hypothesis forbids
        if score[k] <= 1:
            break
        if found := confirm(tuple(SIMPLE[j] for j in digits[k])):
            return found
    return None


def _rounded(confirm: _Confirmer, finds: list[Find]) -> Refutation | None:
    for find in finds[:3]:
        for q in DENOMINATORS:
            row = tuple(min(Fraction(round(float(v) * q), q), Fraction(1)) for v in find.u)
            inside = tuple(min(max(v, Fraction(1, 10 * q)), 1 - Fraction(1, 10 * q)) for v in row)
            if found := confirm(row) or confirm(inside):
                return found
    return None


def _simplified(confirm: _Confirmer, found: Refutation) -> Refutation:
    """Replace coordinate after coordinate by the simplest fraction that keeps the violation certain."""
    changed = True
    while changed:
        changed = False
        for k in range(len(found.u)):
            for simpler in SMALL:
                if (simpler.denominator, simpler) >= (found.u[k].denominator, found.u[k]):
                    break
                better = confirm((*found.u[:k], simpler, *found.u[k + 1 :]))
                if better is not None:
                    found, changed = better, True
                    break
    return found


def certificate(statement: Statement, claim: Claim, found: Refutation, which: str) -> Certificate:
    """The instance, the traced hypotheses and the traced comparison; checked before it is returned."""
    trace = Trace()
    traced = mapped(found.instance, trace.input, trace.kind)
    hypotheses = [
        [f"{h.name}: {c.label}" if c.label else h.name, c.relation, _node(trace, c.lhs), _node(trace, c.rhs)]
        for h in statement.assumed(claim)
        for c in h.holds(traced)
    ]
    comparison = next(c for c in claim.compare(traced) if c.label == found.label)  # type: ignore[misc]
    claimed: Traced = {
        "relation": comparison.relation,
        "lhs": _node(trace, comparison.lhs),
        "rhs": _node(trace, comparison.rhs),
    }
    record: Certificate = {
        "id": statement.id,
        "claim_checked": which,
        "label": found.label,
        "instance": describe(found.instance),
        "program": trace.nodes,
        "hypotheses": hypotheses,
        "claim": claimed,
    }
    sound, why = verify.check_certificate(dict(record))
    if not sound:
        raise AssertionError(f"{statement.id}: a fresh certificate does not verify: {why}")
    values = verify.evaluate(trace.nodes)
    record["sides"] = {"lhs": _readable(values[claimed["lhs"]]), "rhs": _readable(values[claimed["rhs"]])}
    return record


def _node(trace: Trace, side: Numbers) -> int:
    value = side.reshape(-1)[0] if hasattr(side, "reshape") else side
    return trace.lift(value).id


def _readable(interval: verify.Interval) -> str:
    if interval.lo == interval.hi and len(str(interval.lo)) <= 60:
        return str(interval.lo)
    return f"in [{float(interval.lo):.12g}, {float(interval.hi):.12g}]"
