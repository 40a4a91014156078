"""How close the sides of a claim come: the largest lhs / rhs that a search met, and the same ratio replayed."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from surrogate.numbers import FLOATS
from surrogate.numbers.balls import BALLS
from theorems.domain import Domain
from theorems.engines.certify import exact_instance, single, to_ball
from theorems.engines.refute import setting
from theorems.engines.search import ROUNDING, Find, SearchReport, scores
from theorems.engines.traced import encoded
from theorems.instances import describe, mapped
from theorems.record import Tightness
from theorems.statement import Claim

__all__ = ["CLOSE", "replayed", "tightest"]

CLOSE = 1e-9  # a recorded ratio and the ratio at its point differ by no more
_SAME = 1e-6


def tightest(domain: Domain, claim: Claim, report: SearchReport) -> Tightness | None:
    """The largest lhs / rhs seen over the declared box, comparison by comparison.

    In balls where floats are too coarse (somewhere rounding put a ratio above 1), and where both agree.
    """
    coarse = {find.label for find in report.violations}
    ratios = {
        label: _ratio(domain, claim, find, label in coarse)
        for label, find in report.tightest.items()
        if label not in report.equations
    }
    bounds = {label: ratio for label, ratio in ratios.items() if 1e-6 < ratio <= 1}  # x > 0 has no ratio
    if not bounds:
        return None
    label, ratio = max(bounds.items(), key=lambda item: item[1])
    return _tightness(domain, report.tightest[label], ratio)


def replayed(domain: Domain, claim: Claim, recorded: Tightness) -> list[Tightness]:
    """What the recorded point gives: by floats, and by balls where they say something."""
    discrete = setting(domain, recorded)
    if discrete is None:
        return []
    u = np.array([float(v) for v in recorded["u"]])
    score = dict(scores(claim, domain, u.reshape(1, -1), discrete)).get(recorded["label"])
    if score is None:
        return []
    find = Find(u, discrete, recorded["label"], float(score[0]))
    ratios = [_in_floats(find), _in_balls(domain, claim, find)]
    return [_tightness(domain, find, ratio) for ratio in ratios if ratio is not None]


def _ratio(domain: Domain, claim: Claim, find: Find, coarse: bool) -> float:
    """Exact instances are not clipped to the box: balls replace what floats say only where both say the same."""
    exact, rounded = _in_balls(domain, claim, find), _in_floats(find)
    if coarse:
        return 0.0 if exact is None else exact
    return rounded if exact is None or abs(exact - rounded) > _SAME else min(1.0, exact)


def _in_floats(find: Find) -> float:
    return min(1.0, find.score + ROUNDING)


def _in_balls(domain: Domain, claim: Claim, find: Find) -> float | None:
    """lhs / rhs where the coordinates are the rationals that their floats are; None where balls do not say."""
    import flint

    row = np.array([[Fraction(float(v)) for v in find.u]], dtype=object)
    try:
        instance = exact_instance(domain, row, find.discrete)
        with flint.ctx.workprec(512):
            sides = {c.label: c for c in claim.compare(mapped(instance, to_ball, BALLS))} if claim.compare else {}
            _, lhs, relation, rhs = sides[find.label]
            ratio = single(lhs) / single(rhs)
            ratio = 1 / ratio if relation in (">=", ">") else ratio
            return float(ratio) if ratio.is_finite() and ratio.rad() < 1e-9 else None
    except (ArithmeticError, KeyError, ValueError):
        return None


def _tightness(domain: Domain, find: Find, ratio: float) -> Tightness:
    return {
        "label": find.label,
        "ratio": ratio,
        "status": "attained up to rounding" if ratio >= 1 - _SAME else "largest found",
        "at": _place(domain, find),
        "u": [repr(float(v)) for v in find.u],
        "discrete": encoded(find.discrete),
    }


def _place(domain: Domain, find: Find) -> dict[str, str]:
    """The float instance of a find, named as counterexamples are, to six digits."""
    u = np.asarray(find.u, dtype=float).reshape(1, -1)
    return {name: _short(value) for name, value in describe(domain.instance(FLOATS, u, find.discrete)).items()}


def _short(value: str) -> str:
    try:
        return f"{float(value):.6g}"
    except ValueError:
        return value
