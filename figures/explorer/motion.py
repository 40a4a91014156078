"""How the server moves: its rate, contraction, the run from x_0, and exact second moments under sampling."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

import numpy as np

from figures.explorer import menu
from figures.explorer.state import State
from surrogate import dictionary, methods, moments
from surrogate.kit.errors import ProblemError
from surrogate.reports import arithmetic

__all__ = ["AFFORDABLE", "Run", "Speed", "cost", "given_eta", "rate", "run", "server_field", "speed"]

AFFORDABLE = 8_000  # client steps to be played for one view: some tens of milliseconds
_NOISY = 60_000  # examples times local steps times rounds of exact moments with minibatches
_FAR = 1e6  # times the distance at the start: a run this far out has left the picture


@dataclass(frozen=True)
class Speed:
    """Contraction at the server's rate: ``norm`` where a plain field moves the server, ``radius`` always."""

    eta: float
    norm: float | None
    radius: float


@dataclass(frozen=True)
class Run:
    """``points`` (T+1, d): mean iterates; ``distance2``: E ||x_t - x*||^2; ``bias2``: ||E x_t - x*||^2;
    ``covariance`` (d, d) of the last."""

    points: list[list[float]]
    distance2: list[float]
    bias2: list[float]
    covariance: list[list[float]] | None = None
    notes: list[str] = field(default_factory=list)


def cost(s: State) -> int:
    """Client steps of one round map, where the method's own code has to be played; 0 where the field says all."""
    if s.sends_field:
        return 0
    per_client = 2 if s.method in ("scaffold", "fedlin", "mfl") else 1  # vectors kept beside x: an estimate
    n, d = int(s.clients.n), int(s.clients.d)
    kept = n if s.method == "scaffold" else per_client
    return (d * (1 + kept) + 2) * n * (s.steps if "steps" in s.choice.takes else 1)


def server_field(s: State) -> arithmetic.AnyField | None:
    """The field that moves the server, ``x+ = x - eta F(x)``; None for methods that keep a state, or are too dear.

    A resting field is known up to a common factor G. A round without state, x+ = x - eta J (x - x~), tells J, and
    G = J J_rest^-1.
    """
    if s.sends_field:
        return s.field
    round_map = _round_map(s, 1.0)
    if round_map is None or set(round_map.names) != {"x"}:
        return None
    return arithmetic.scaled(s.field, np.eye(s.clients.d) - round_map.matrix)


@lru_cache(maxsize=128)
def _round_map(s: State, eta: float) -> Any:
    if cost(s) > AFFORDABLE:
        return None
    name, settings = s.asked
    try:
        return dictionary.round_map(name, s.clients, **settings, **({"eta": eta} if "eta" in s.choice.takes else {}))
    except ProblemError:  # an adaptive server is not affine
        return None


def speed(s: State) -> Speed:
    """How fast the server gets to rest, at its rate or at the best one; an error where it is unknown."""
    moving = server_field(s)
    if moving is not None:
        eta = moving.best_eta if s.eta == "best" else given_eta(s)
        return Speed(eta, *moving.contraction(eta))
    eta = s.plain_eta if s.eta == "best" else given_eta(s)
    round_map = _round_map(s, eta)
    if round_map is None:
        raise ProblemError("no contraction factor: the round is not affine, or dear to play")
    return Speed(eta, None, round_map.radius)


def given_eta(s: State) -> float:
    """The rate as given, or that of plain averaging."""
    return s.plain_eta if s.eta is None else float(s.eta)


def rate(s: State) -> tuple[float, list[str]]:
    """The server rate of the run, and a note on it."""
    if s.eta != "best":
        return given_eta(s), []
    try:
        return speed(s).eta, []
    except (ProblemError, np.linalg.LinAlgError):
        return s.plain_eta, ["No best server rate is known here: the run is shown with plain averaging."]


def run(s: State, eta: float) -> Run:
    """x_0, x_1, ...: exact moments of local-update; of other methods the run without noise."""
    if s.method == menu.LOCAL_UPDATE:
        return _moments(s, eta)
    return _without_noise(s, _field_steps(s, eta) if s.sends_field else _played(s, eta))


def _moments(s: State, eta: float) -> Run:
    rounds, notes = s.rounds, []
    if s.batch is not None and s.clients.examples is not None:
        affordable = _NOISY // (len(s.clients.examples.A) * s.weights.steps)
        if affordable < rounds:
            rounds = affordable
            notes.append(f"Minibatches in so many local steps are dear: {rounds} rounds are shown.")
    star = s.clients.minimizer
    while True:
        try:
            law = moments.trajectory(s.clients, s.x0, rounds, s.gamma, eta, s.weights, s.batch, s.per_round, s.sampling)
            distance2 = law.squared_distance(star)
            break
        except ProblemError:
            if rounds == 0:
                raise
            rounds //= 2  # beyond float64: show the part before
            notes = [f"The run diverges: {rounds} rounds are shown."]
    gap = law.mean - star
    noisy = s.batch is not None or s.per_round is not None
    return Run(
        law.mean.tolist(),
        distance2.tolist(),
        (gap * gap).sum(axis=1).tolist(),
        law.covariance[-1].tolist() if noisy else None,
        notes,
    )


def _without_noise(s: State, walk: tuple[list[Any], list[str]]) -> Run:
    points, notes = walk
    star = s.clients.minimizer
    distances = [float((x - star) @ (x - star)) for x in points]
    return Run([x.tolist() for x in points], distances, distances, None, notes)


def _field_steps(s: State, eta: float) -> tuple[list[Any], list[str]]:
    points, moving = [s.x0], s.field
    for _ in range(s.rounds):
        points.append(points[-1] - eta * moving.gradient(points[-1]))
        if _gone(points):
            return points[:-1], [f"The run diverges: {len(points) - 2} rounds are shown."]
    return points, []


def _played(s: State, eta: float) -> tuple[list[Any], list[str]]:
    """The method's own rounds."""
    name, settings = s.asked
    method = dictionary.method(name, s.clients, **settings, **({"eta": eta} if "eta" in s.choice.takes else {}))
    steps = s.clients.n * (s.steps if "steps" in s.choice.takes else 1)
    rounds = min(s.rounds, AFFORDABLE // steps)
    notes = [f"So many local steps are dear to play: {rounds} rounds are shown."] if rounds < s.rounds else []
    players = methods.quadratic_clients(s.clients)
    state, points = method.start(s.x0), [s.x0]
    states: dict[int, methods.State] = {}
    for _ in range(rounds):
        with np.errstate(all="ignore"):
            state, states = methods.play(method, state, states, players, list(s.clients.weights))
        points.append(np.asarray(state["x"]))
        if _gone(points):
            return points[:-1], [f"The run diverges: {len(points) - 2} rounds are shown."]
    return points, notes


def _gone(points: list[Any]) -> bool:
    """Has the run left the picture for good?"""
    far = _FAR * (1 + float(np.abs(points[0]).max()))
    return not all(math.isfinite(x) and abs(x) < far for x in points[-1])
