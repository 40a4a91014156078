"""The explorer's table of numbers: resting point, displacement, spectrum, server rate and contraction."""

from __future__ import annotations

import contextlib
import math
from typing import Any

import numpy as np

from figures.explorer import motion
from figures.explorer.state import State
from surrogate.kit.errors import ProblemError
from surrogate.reports import arithmetic
from surrogate.reports.digits import number, vector

__all__ = ["table"]

Row = tuple[str, str, Any]


def table(s: State, notes: list[str]) -> list[Row]:
    """Rows (label, as people read it, as it is), those that make sense here."""
    rows = [*_problem(s), *_rest(s), *_speed(s)]
    moving = motion.server_field(s)
    if moving is None:
        notes.append(
            f"{s.method}: the loss and the ill-behaved clients are those of the field as the dictionary has it."
        )
    return rows


def _row(label: str, value: Any) -> Row:
    if isinstance(value, np.ndarray):
        return label, ", ".join(vector(value.tolist())), value
    return label, number(value) if isinstance(value, float) else str(value), value


def _problem(s: State) -> list[Row]:
    c = s.clients
    rows = [_row("mu, least curvature", c.mu), _row("L, most curvature", c.L), _row("gamma L", s.gamma * c.L)]
    rows.append(_row("sigma_A", c.sigma_A))
    with contextlib.suppress(ProblemError):  # a client without a minimizer
        rows += [_row("sigma_c", c.sigma_c), _row("mean of client minimizers", np.asarray(c.mean_minimizer))]
    return [*rows, _row("minimizer x*", c.minimizer)]


def _rest(s: State) -> list[Row]:
    try:
        moved, field = s.field.displacement, motion.server_field(s) or s.field
    except (ProblemError, np.linalg.LinAlgError):
        return []
    after = arithmetic.condition_number(field)
    ill = ", ".join(map(str, field.ill_behaved)) or "none"
    loss = "yes" if field.has_loss() else "in another metric" if field.has_loss("any") else "no"
    return [
        _row("resting point", s.clients.minimizer + moved),
        _row("displacement", moved),
        _row("distance to x*", math.hypot(*moved)),
        _row("condition number of f", float(np.linalg.cond(s.clients.hessian))),
        _row("condition number of what is descended", after if after is None else float(after)),
        _row("descends a loss", loss),
        _row("ill-behaved clients", ill),
    ]


def _speed(s: State) -> list[Row]:
    eta, _ = motion.rate(s)
    rows = [_row("server rate eta", eta)]
    try:
        speed = motion.speed(s)
    except (ProblemError, np.linalg.LinAlgError):
        return rows
    if speed.norm is not None:
        rows.append(_row("contraction (norm)", speed.norm))
    rows.append(_row("contraction (radius)", speed.radius))
    try:
        moving = motion.server_field(s)
        return rows if moving is None else [*rows, _row("best server rate", moving.best_eta)]
    except ProblemError:
        return [*rows, _row("best server rate", "none contracts")]
