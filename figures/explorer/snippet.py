"""A few lines of Python that give the explorer's numbers without the explorer."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from figures.explorer import menu, motion
from figures.explorer.state import State

__all__ = ["snippet"]

_PRESETS = {"two-clients": "two_clients", "density": "density_problem", "plane": "plane"}


def snippet(s: State) -> str:
    """A script that prints x*, where the method rests, how far apart they are, and E ||x_T - x*||^2.

    >>> print(snippet(State(gamma=0.5, steps=2)).splitlines()[-1])
    print("E ||x_T - x*||^2", m.squared_distance(clients.minimizer)[-1])
    """
    lines = ["import numpy as np", f"from surrogate import {', '.join(_names(s))}", "", *_clients(s), *_field(s)]
    lines += [
        'print("x*", clients.minimizer)',
        'print("rests at", field.resting_point)',
        'print("distance to x*", np.linalg.norm(field.displacement))',
        *_run(s),
    ]
    return "\n".join(lines) + "\n"


def _names(s: State) -> list[str]:
    names = {"toys"} if _is_preset(s) else {"Quadratics"}
    if s.method == menu.LOCAL_UPDATE:
        names |= {"Surrogate", "Theta", "moments"}
    else:
        names |= {"Preconditioned"} if s.method == menu.PRECONDITIONED else {"dictionary"}
    return sorted(names, key=lambda name: (name.islower(), name))


def _is_preset(s: State) -> bool:
    return s.problem.preset is not None and not s.problem.spread


def _clients(s: State) -> Iterator[str]:
    """The clients, number by number."""
    if _is_preset(s):
        yield f"clients = toys.{_PRESETS[str(s.problem.preset)]}()"
        return
    clients = s.clients
    if clients.examples is not None:
        A, c, owner = clients.examples
        yield from (f"A = {A.tolist()}", f"c = {c.tolist()}", f"owner = {owner.tolist()}")
        yield "clients = Quadratics.from_examples(A, c, owner)"
        return
    build = "Quadratics" if s.problem.kind == "c" else "Quadratics.from_linear"
    yield f"A = {clients.A.tolist()}"
    yield f"{s.problem.kind} = {[list(v) for v in s.problem.v]}"
    weights = "" if s.problem.weights is None else f", {list(s.problem.weights)}"
    yield f"clients = {build}(A, {s.problem.kind}{weights})"


def _field(s: State) -> Iterator[str]:
    if s.method == menu.LOCAL_UPDATE:
        theta = f"Theta.{s.theta}({s.steps})" if isinstance(s.theta, str) else f"Theta({list(s.theta)})"
        yield f"theta = {theta}"
        yield f"field = Surrogate(clients, {s.gamma!r}, theta)"
    elif s.method == menu.PRECONDITIONED:
        yield f"P = [np.diag(p) for p in {[list(row) for row in s.P or s.clients.b * 0 + 1]}]"
        corrected = ", corrected=True" if s.correction in ("local", "joint") else ""
        yield f"field = Preconditioned(clients, {s.gamma!r}, {s.steps}, P{corrected})"
    else:
        name, settings = s.asked
        written = "".join(f", {key}={value!r}" for key, value in settings.items())
        yield f'field = dictionary.field("{name}", clients{written})'


def _run(s: State) -> Iterator[str]:
    if s.method != menu.LOCAL_UPDATE:
        return
    noise: dict[str, Any] = {"batch": s.batch, "clients_per_round": s.per_round}
    written = "".join(f", {key}={value}" for key, value in noise.items() if value is not None)
    written += f', sampling="{s.sampling}"' if s.per_round is not None else ""
    eta = motion.rate(s)[0]
    yield f"x0 = {s.x0.tolist()}"
    yield f"m = moments.trajectory(clients, x0, {s.rounds}, {s.gamma!r}, {eta!r}, theta{written})"
    yield 'print("E ||x_T - x*||^2", m.squared_distance(clients.minimizer)[-1])'
