"""What is drawn of a state, as plain arrays and numbers for the browser and for matplotlib.

A quadratic is sent as its Hessian and its center: its level sets are ellipses that the drawing code writes down.
"""

from __future__ import annotations

import math
from typing import Any, TypeAlias

import numpy as np

from figures.explorer import motion, numbers, rates
from figures.explorer.state import State
from figures.explorer.truth import bounds
from surrogate.kit.errors import ProblemError

__all__ = ["scene"]

Scene: TypeAlias = dict[str, Any]  # lists, dictionaries, strings and finite numbers, as JSON holds them


def scene(s: State) -> Scene:
    """Everything the explorer shows of a state; JSON-ready, with None for what is not finite.

    ``loss``: f. ``surrogate``: the loss that the method descends, or None where there is none (then ``residual`` has
    the levels of ||F||, and the Jacobian of F for arrows). ``path``, ``marks``: over the client rate. ``bounds``: truth
    against the theorems. ``run``: the iterates and E ||x_t - x*||^2. ``table``: label, value, plain number.

    >>> shown = scene(State(gamma=0.5, steps=2))
    >>> [round(x, 6) for x in shown["rest"]], round(shown["distance"], 6), shown["loss"]["hessian"]
    ([0.714286], 0.047619, [[1.5]])
    """
    clients, notes = s.clients, []
    eta, said = motion.rate(s)
    notes += said
    rest = _rest(s, notes)
    walk = _walk(s, eta, notes)
    states = rates.along(s)
    mark = rates.indefinite(s, states)
    message = {
        "d": clients.d,
        "n": clients.n,
        "clients": _clients(s),
        "loss": {"center": clients.minimizer, "hessian": clients.hessian},
        "mean": _mean(s),
        "eta": eta,
        "start": s.x0,
        "run": walk,
        "path": rates.path(s, states),
        "span": rates.span(s),
        "marks": {"L": 1 / clients.L, "indefinite": None if mark is None else {"gamma": mark.gamma, "i": mark.client}},
        **rest,
    }
    message["bounds"] = bounds(s, message["path"]["gammas"], rest["distance"])
    message["table"] = numbers.table(s, notes)
    return _plain(message | {"notes": notes})  # type: ignore[no-any-return]


def _rest(s: State, notes: list[str]) -> Scene:
    """Where the method rests, and the loss or the field that leads there."""
    rest: Scene = {"rest": None, "distance": None, "surrogate": None, "residual": None}
    try:
        moved = s.field.displacement
    except (ProblemError, np.linalg.LinAlgError) as error:
        notes.append(str(error).splitlines()[0])
        return rest
    center, J = s.clients.minimizer + moved, _scaled_jacobian(s)
    rest |= {"rest": center, "distance": math.hypot(*moved)}
    if s.field.has_loss() and np.linalg.eigvalsh((J + J.T) / 2)[0] > 0:
        return rest | {"surrogate": {"center": center, "hessian": (J + J.T) / 2}}
    if s.field.has_loss():
        notes.append("The surrogate is not bounded below at this rate: the size of the field is shown in its place.")
    return rest | {"residual": {"center": center, "jacobian": J, "square": J.T @ J}}


def _scaled_jacobian(s: State) -> Any:
    """J, divided by the mean size of the distortions, so that it compares with the Hessian of f."""
    scale = float(s.clients.weights @ np.abs(np.trace(s.field.distortion, axis1=1, axis2=2))) / s.clients.d
    return s.field.jacobian / (scale or 1.0)


def _walk(s: State, eta: float, notes: list[str]) -> Scene | None:
    try:
        walk = motion.run(s, eta)
    except (ProblemError, ZeroDivisionError) as error:
        notes.append(str(error).splitlines()[0])
        return None
    notes += walk.notes
    return {"points": walk.points, "distance2": walk.distance2, "bias2": walk.bias2, "covariance": walk.covariance}


def _clients(s: State) -> list[Scene]:
    points = s.problem.minimizers
    return [
        {"c": None if points is None else points[i], "A": s.clients.A[i], "w": s.clients.weights[i]}
        for i in range(s.clients.n)
    ]


def _mean(s: State) -> Any:
    try:
        return s.clients.mean_minimizer
    except ProblemError:
        return None


def _plain(value: Any) -> Any:
    """Lists, dictionaries, strings and finite numbers."""
    if isinstance(value, dict):
        return {key: _plain(v) for key, v in value.items()}
    if hasattr(value, "tolist"):
        value = value.tolist()
    if isinstance(value, (list, tuple)):
        return [_plain(v) for v in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value
