"""Units of a claim: its instances as numbers that carry powers of x and f, and copies in other units of x and f.

What the letters of a paper mean stands in ``theorems/<paper>/units.py``. A claim that compares sides of two units has
lost a factor, and so has a domain that hides it by setting L or gamma to 1: such claims are listed there with a reason.
"""

from __future__ import annotations

import importlib
import re
import traceback
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from surrogate._types import Numbers
from surrogate.kit.errors import ProblemError, problem
from surrogate.numbers import FLOATS
from surrogate.numbers.units import NUMBER, Quantity, Unit, units
from theorems.domain import Domain
from theorems.instances import arrays, mapped
from theorems.statement import Claim, Comparison, Statement

__all__ = ["Sheet", "claims", "mixed", "moved", "rescaled", "sheet"]

Compare = Callable[[Any], Sequence[Comparison]]
Units = Mapping[str, Unit]
_INDEX = re.compile(r"\[\d+\]")
NORMALISED: dict[str, Callable[[Unit], Unit]] = {
    "L = 1": lambda u: Unit(x=u.x + 2 * u.f),  # f is x^2, so that curvatures and rates have no unit
    "G = 1": lambda u: Unit(x=u.x + u.f),  # gradients have no unit
    "x = 1": lambda u: Unit(f=u.f),
    "": lambda u: u,
}


@dataclass(frozen=True)
class Sheet:
    """What one paper's letters are; entries are found by "ID which" ("OLR.T29 step 2"), then by "ID"."""

    units: Units
    own: Mapping[str, Units] = field(default_factory=dict)  # where a letter means something else
    normalised: Mapping[str, str] = field(default_factory=dict)  # "L = 1": the domain leaves this factor out
    numbers: Mapping[str, str] = field(default_factory=dict)  # claims about pure numbers: why they have no units
    ranges: Mapping[str, Mapping[str, str]] = field(default_factory=dict)  # hypotheses that are a domain's range: why
    mixed: Mapping[str, str] = field(default_factory=dict)  # claims that compare two units: why that is so

    def of(self, name: str, which: str) -> Callable[[str], Unit]:
        """The unit of a field of the claim."""
        if self._found(self.numbers, name, which):
            return lambda _: NUMBER
        table = {**self.units, **self.own.get(name, {}), **self.own.get(f"{name} {which}", {})}
        reduced = NORMALISED[self._found(self.normalised, name, which)]

        def unit(number: str) -> Unit:
            letter = _INDEX.sub("", number)
            if letter not in table:
                raise problem(
                    f"{name}, {which}: {letter}",
                    "a letter without a unit",
                    "a unit in theorems/<paper>/units.py",
                    "a field that is new",
                    "say there what it is",
                )
            return reduced(table[letter])

        return unit

    def reason(self, name: str, which: str) -> str:
        """Why the claim may compare two units; empty where it may not."""
        return self._found(self.mixed, name, which)

    def number(self, name: str, which: str) -> str:
        """Why the claim is about pure numbers; empty where it is not."""
        return self._found(self.numbers, name, which)

    @staticmethod
    def _found(table: Mapping[str, str], name: str, which: str) -> str:
        return table.get(f"{name} {which}", table.get(name, ""))


def sheet(paper: str) -> Sheet:
    """The declarations of a paper's folder."""
    found: Sheet = importlib.import_module(f"theorems.{paper}.units").SHEET
    return found


def claims(statement: Statement) -> Iterator[tuple[str, Claim]]:
    """(which, claim) of every claim with comparisons, but for those about the numbers of a table."""
    listed: list[tuple[str, Claim | None]] = [("printed", statement.printed), ("corrected", statement.corrected)]
    listed += [(f"step {k}", step.claim) for k, step in enumerate(statement.steps)]
    for which, claim in listed:
        if claim is not None and claim.compare is not None:
            domain = statement.where(claim)
            if any(domain.size(discrete) for discrete in domain.choices):
                yield which, claim


def mixed(statement: Statement, which: str, declared: Sheet | None = None) -> str:
    """The first comparison of the claim, or of a hypothesis, whose sides have two units; empty where all agree."""
    declared = declared or sheet(statement.paper)
    claim, of = dict(claims(statement))[which], declared.of(statement.id, which)
    domain = statement.where(claim)
    for discrete in _some(domain):
        instance = domain.instance(FLOATS, _rows(domain, discrete, 1), discrete)
        inside = mapped(instance, lambda name, x: Quantity(np.float64(x), of(name)), units(FLOATS))
        for title, compare in _asked(statement, claim, declared):
            try:
                with np.errstate(all="ignore"):
                    found = list(compare(inside))
                for label, lhs, _, rhs in found:
                    one, other = Quantity.of(_first(lhs)), Quantity.of(_first(rhs))
                    if None not in (one.unit, other.unit) and one.unit != other.unit:
                        return f"{title or which}: {label}: {one.unit} against {other.unit}"
            except ProblemError as error:
                return f"{title or which}: {str(error).splitlines()[0]}{_line(error)}"
    return ""


def moved(statement: Statement, which: str, f: float, x: float, declared: Sheet | None = None) -> list[str]:
    """Comparisons whose ratio lhs / rhs, or truth, is another on copies of instances with f and x in other units."""
    declared = declared or sheet(statement.paper)
    claim, of = dict(claims(statement))[which], declared.of(statement.id, which)
    domain, found = statement.where(claim), []
    for discrete in _some(domain):
        instance = domain.instance(FLOATS, _rows(domain, discrete, 5), discrete)
        copy = rescaled(instance, of, f, x)
        with np.errstate(all="ignore"):
            for title, compare in _asked(statement, claim, declared):
                for before, after in zip(compare(instance), compare(copy), strict=True):
                    if not np.all(_alike(before, after)):
                        found.append(f"{title or which}: {before.label} at {dict(discrete)}")
    return found


def rescaled(instance: Any, of: Callable[[str], Unit], f: float, x: float) -> Any:
    """The instance of floats in other units: losses times ``f``, points times ``x``, and what follows."""

    def times(name: str, array: Numbers) -> Any:
        unit = of(name)
        return array * (f ** float(unit.f) * x ** float(unit.x))

    return arrays(instance, times, FLOATS)


def _asked(statement: Statement, claim: Claim, declared: Sheet) -> list[tuple[str, Compare]]:
    """The claim's comparisons and those of its hypotheses, but for those that are a range of the domain."""
    assert claim.compare is not None
    ranges = declared.ranges.get(statement.id, {})
    return [("", claim.compare), *((h.name, h.holds) for h in statement.assumed(claim) if h.name not in ranges)]


def _some(domain: Domain) -> list[Mapping[str, Any]]:
    """The smallest setting, one in the middle and the largest."""
    choices = domain.choices
    return list({id(d): d for d in (choices[0], choices[len(choices) // 2], choices[-1])}.values())


def _rows(domain: Domain, discrete: Mapping[str, Any], count: int) -> Any:
    return np.random.default_rng(7).uniform(0.15, 0.85, size=(count, domain.size(discrete)))


def _first(side: Any) -> Any:
    return side.reshape(-1)[0] if isinstance(side, np.ndarray) else side


def _alike(before: Comparison, after: Comparison) -> Any:
    """Entry by entry: the sides' ratio did not move, nor the truth; sides that are rounding alone say nothing."""
    (a, b), (c, d) = before[1::2], after[1::2]
    a, b, c, d = (np.asarray(side, dtype=float) for side in (a, b, c, d))
    size, later = np.maximum(np.abs(a), np.abs(b)), np.maximum(np.abs(c), np.abs(d))
    same = np.maximum(np.abs(a / size - c / later), np.abs(b / size - d / later)) < 1e-6
    return same | ~np.isfinite(a / size + c / later + b / size + d / later) | (size < 1e-12)


def _line(error: ProblemError) -> str:
    """Where in a statement file the sum or the comparison stands."""
    frames = [f for f in traceback.extract_tb(error.__traceback__) if "/theorems/" in f.filename]
    last = next((f for f in reversed(frames) if "/engines/" not in f.filename), None)
    return f" ({'/'.join(last.filename.split('/')[-2:])}:{last.lineno})" if last else ""
