"""From a float find to the smallest exact counterexample, written down as a certificate that stands alone."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import numpy as np

from theorems import verify
from theorems.domain import Domain
from theorems.engines.certify import certain, certify, exact_instance
from theorems.engines.search import Find, scores, search
from theorems.engines.traced import encoded, expression, program
from theorems.instances import describe
from theorems.record import Certificate, Counterexample, Point
from theorems.records import digest
from theorems.statement import Claim, Hypothesis, Statement

__all__ = ["Refutation", "again", "refute", "setting", "written"]

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


def again(claim: Claim, domain: Domain, recorded: Counterexample, assumed: Assumed = ()) -> Refutation | None:
    """What is at a recorded point, if every hypothesis is certain there and the comparison certainly false."""
    discrete = setting(domain, recorded)
    if discrete is None:
        return None
    row = tuple(Fraction(v) for v in recorded["u"])
    return _Confirmer(claim, domain, discrete, recorded["label"], tuple(assumed))(row)


def setting(domain: Domain, recorded: Point) -> Mapping[str, Any] | None:
    """The discrete setting of a recorded point; None where the point is none of the domain's."""
    found = next((choice for choice in domain.choices if encoded(choice) == recorded.get("discrete")), None)
    u = [Fraction(v) for v in recorded.get("u", [])]
    return found if found is not None and len(u) == domain.size(found) and all(0 <= v <= 1 for v in u) else None


def written(
    statement: Statement, claim: Claim, found: Refutation, which: str, assumed: Assumed
) -> tuple[Counterexample, Certificate]:
    """The instance with both sides, and the program that computes them; checked before it is returned."""
    nodes, hypotheses, claimed = program(claim, assumed, found.label, found.instance)
    values = verify.evaluate(nodes)
    counterexample: Counterexample = {
        "label": found.label,
        "relation": claimed["relation"],
        "instance": describe(found.instance),
        "sides": {"lhs": values[claimed["lhs"]].text(), "rhs": values[claimed["rhs"]].text()},
        "u": [str(v) for v in found.u],
        "discrete": encoded(found.discrete),
    }
    certificate: Certificate = {
        "id": statement.id,
        "claim_checked": which,
        "expression": expression(statement, claim),
        "point": digest(counterexample),
        "program": nodes,
        "hypotheses": hypotheses,
        "claim": claimed,
    }
    sound, why = verify.check_certificate(dict(certificate))
    if not sound:
        raise AssertionError(f"{statement.id}: a fresh certificate does not verify: {why}")
    return counterexample, certificate
