"""A method's settings as its formula wants them: checked by the method itself, numbers of the ring, one a client."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import numpy as np

from surrogate import methods
from surrogate.dictionary.rings import Ring, is_exact
from surrogate.errors import problem
from surrogate.methods.method import Method
from surrogate.methods.ops import Ops
from surrogate.theta import Theta

__all__ = ["Settings", "built", "settings_for"]

_NOT_NUMBERS = {"steps", "theta", "layers", "server", "optimizer"}
_PER_CLIENT = ("gamma", "steps", "theta")


class Settings:
    """The settings of one method as attributes; ``gamma``, ``steps`` and ``theta`` are tuples, one entry a client."""

    def __init__(self, method: Method, n: int, ops: Ops) -> None:
        self.name, self.ops = method.name, ops
        self.__dict__.update(method.settings)
        for key in _PER_CLIENT:
            if key in method.settings:
                setattr(self, key, _spread(method.settings[key], key, n))

    def __getattr__(self, key: str) -> Any:  # only for what the method does not have
        raise AttributeError(f"{self.name} has no setting {key!r}")

    def has(self, key: str) -> bool:
        """Is it a setting of this method that was given, or has a default other than None?"""
        return self.__dict__.get(key) is not None

    def inner(self, i: int) -> list[Any]:
        """gamma_i times the factor of each local step (only where inner_rates is set)."""
        factors = self.inner_rates
        own = factors[i] if np.ndim(factors[0]) or isinstance(factors[0], (list, tuple)) else factors
        return [self.gamma[i] * factor for factor in own]


def built(name: str, ring: Ring, settings: Mapping[str, Any]) -> Method:
    """The method with its settings in the ring's numbers; unknown and idle settings are refused by the method."""
    return methods.build(name, ops=_ops(ring), **{key: _converted(key, value, ring) for key, value in settings.items()})


def settings_for(name: str, ring: Ring, settings: Mapping[str, Any]) -> Settings:
    """The settings of ``name``; a server rate may be left out, for it moves no resting point."""
    given = dict(settings)
    if methods.describe(name).settings.get("eta") == "required":
        given.setdefault("eta", 1)
    return Settings(built(name, ring, given), ring.n, _ops(ring))


def _ops(ring: Ring) -> Ops:
    return methods.RATIONALS if is_exact(ring.clients) else methods.FLOATS


def _converted(key: str, value: Any, ring: Ring) -> Any:
    if isinstance(value, Mapping):
        return {name: _converted(name, part, ring) for name, part in value.items()}
    if key == "theta" and is_exact(ring.clients):
        return _exact_theta(value)
    if key in _NOT_NUMBERS or value is None or isinstance(value, (bool, Theta)):
        return value
    if isinstance(value, str):
        return ring.number(value) if value[:1].isdigit() or value[:1] in "+-." else value
    if isinstance(value, np.ndarray):
        table = np.empty(value.shape, dtype=object if is_exact(ring.clients) else float)
        for where, entry in np.ndenumerate(value):
            table[where] = ring.number(entry)
        return table
    if isinstance(value, (list, tuple)):
        return (
            _converted(key, np.array(value, dtype=object), ring)
            if key == "P"
            else [_converted(key, v, ring) for v in value]
        )
    return ring.number(value) if not isinstance(value, int) else value


def _exact_theta(theta: Any) -> Any:
    """Float weights as the binary fractions that they are, which rationals can be multiplied with."""
    if isinstance(theta, (list, tuple)):
        return [_exact_theta(t) for t in theta]
    if isinstance(theta, Theta) and theta.kind == "weights":
        return Theta([Fraction(t) for t in theta.given], signed=True)
    return theta


def _spread(value: Any, key: str, n: int) -> tuple[Any, ...]:
    if not isinstance(value, (list, tuple, np.ndarray)):
        return (value,) * n
    if len(value) != n:
        raise problem(
            key,
            f"{len(value)} values",
            f"one, or {n} (one a client)",
            "settings for another number of clients",
            "give one a client",
        )
    return tuple(value)
