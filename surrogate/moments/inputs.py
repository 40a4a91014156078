"""What callers pass to the moments, checked, with errors that say which value and what to do."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from surrogate._types import Numbers
from surrogate.kit import checks
from surrogate.kit.errors import problem
from surrogate.linear import FLOAT64
from surrogate.moments.population import Population
from surrogate.moments.round_law import RoundLaw
from surrogate.moments.sampling import coefficients
from surrogate.numbers import is_exact, kind
from surrogate.theta import Theta

__all__ = ["batch_size", "finite", "one_theta_each", "point", "rates", "round_law", "schedule", "whole"]

# The likely cause of an error, and what to do about it
_OTHER_PROBLEM = ("a point of another problem", "pass one number a coordinate")
_BARE_WEIGHTS = ("bare weights", "pass Theta([...]), Theta.sum(K), Theta.last(K) or Theta.maml(K)")
_A_SHARE = (
    "a share of the examples in the place of a count",
    "pass the number of examples drawn, with replacement, for each local step",
)
_NO_EXAMPLES = (
    "a client given as one quadratic has nothing to draw a minibatch from",
    "build them with Quadratics.from_examples or Quadratics.least_squares, or leave batch out",
)


def round_law(
    clients: Population, gamma: Numbers, theta: object, batch: object, clients_per_round: int | None, sampling: str
) -> RoundLaw:
    """The law of one round; gamma (n,), or one rate in an array."""
    gamma = np.broadcast_to(gamma, (clients.n,))
    weights = coefficients(clients, clients_per_round, sampling)
    return RoundLaw(
        clients, gamma, one_theta_each(theta, clients.n), batch_size(batch, clients.scatter is not None), weights
    )


def rates(clients: Population, value: object, name: str, shapes: str, allowed: Sequence[tuple[int, ...]]) -> Numbers:
    """Rates >= 0 of one of the allowed shapes."""
    try:
        given = clients.numbers(value, name)
    except (TypeError, ValueError):
        raise problem(name, repr(value), shapes, "text, or ragged rows", "pass numbers") from None
    if given.shape not in allowed:
        raise problem(name, f"of shape {given.shape}", shapes, "a schedule of the wrong length", "pass one of these")
    for rate in given.ravel():
        if not (clients.is_exact or np.isfinite(rate)) or rate < 0:
            raise problem(name, rate, "finite rates >= 0", "a sign slip, or a schedule that ran away", "correct it")
    return given


def schedule(clients: Population, value: object, name: str, rounds: int, per_client: bool) -> Numbers:
    """(T, n) or (T, 1): a rate, one a round, or (``per_client``) an array (T, n)."""
    allowed: list[tuple[int, ...]] = [(), (rounds,)]
    shapes = f"one number, or {rounds} (one a round)"
    if per_client:
        allowed.append((rounds, clients.n))
        shapes += f", or shape {(rounds, clients.n)} (one a round and client)"
    given = rates(clients, value, name, shapes, allowed)
    if given.ndim < 2:
        given = given.reshape(-1, 1)
    return np.broadcast_to(given, (rounds, given.shape[1]))


def point(origin: Numbers, x: object, name: str) -> Numbers:
    """A point of R^d as an offset from the origin."""
    if not is_exact(origin):
        return np.asarray(FLOAT64.vector(x, name, len(origin)) - origin)
    given = kind(origin).array(x, name)
    if given.shape != origin.shape:
        raise problem(name, f"of shape {given.shape}", f"shape {origin.shape}", *_OTHER_PROBLEM)
    return np.asarray(given - origin)


def finite(what: str, *arrays: Numbers) -> None:
    """Refuse float64 results that overflowed; exact ones cannot."""
    if not all(is_exact(a) or np.isfinite(a).all() for a in arrays):
        fix = "lower eta or gamma (moments.stationary names the largest eta), or ask for fewer rounds or steps"
        raise problem(what, "beyond float64", "a number below 1e308", "rates with which the iterates diverge", fix)


def whole(value: object, name: str) -> int:
    """A whole number >= 0."""
    return checks.whole(value, name, 0, "a whole number >= 0", "a float, or a sign slip", f"pass {name} as an int")


def one_theta_each(theta: object, n: int) -> Theta | list[Theta]:
    """One Theta for all, or a list of n."""
    if isinstance(theta, Theta):
        return theta
    if isinstance(theta, Sequence) and len(theta) == n and all(isinstance(t, Theta) for t in theta):
        return list(theta)
    raise problem("theta", repr(theta), f"a Theta, or a list of {n} (one a client)", *_BARE_WEIGHTS)


def batch_size(batch: object, has_examples: bool) -> int | None:
    """A number of examples, for clients that have some; None for full gradients."""
    if batch is None:
        return None
    size = checks.whole(batch, "batch", 1, "a whole number >= 1, or None for full gradients", *_A_SHARE)
    if not has_examples:
        raise problem("batch", batch, "None for these clients, which have no examples", *_NO_EXAMPLES)
    return size
