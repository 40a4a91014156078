"""A method's settings as its formula wants them: checked by the method itself, numbers of the ring, one a client."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from surrogate import _differences, methods
from surrogate._types import Numbers, Scalar
from surrogate.dictionary.rings import Ring, is_exact
from surrogate.kit.errors import ProblemError, problem
from surrogate.methods.method import Method
from surrogate.methods.settings import listed, rates
from surrogate.numbers import Kind
from surrogate.theta import Theta

__all__ = ["Settings", "built", "settings_for"]

_NOT_NUMBERS = {"steps", "theta", "layers", "server", "optimizer"}
_COMPUTING = {"beta2", "eps", "inside", "initial", "record", "layers"}  # idle once the preconditioners are given
_PER_CLIENT = ("gamma", "steps", "theta")


class Settings:
    """The settings of one method as attributes; ``gamma``, ``steps`` and ``theta`` are tuples, one entry a client."""

    gamma: tuple[Scalar, ...]
    steps: tuple[int, ...]
    theta: tuple[Theta, ...]

    def __init__(self, method: Method, ring: Ring, ops: Kind) -> None:
        self.name, self.ops, self._n, self._d = method.name, ops, ring.n, ring.d
        self.__dict__.update(method.settings)
        for key in _PER_CLIENT:
            if method.settings.get(key) is not None:
                setattr(self, key, _spread(method.settings[key], key, ring.n))

    def __getattr__(self, key: str) -> Any:  # only for what the method does not have
        raise AttributeError(f"{self.name} has no setting {key!r}")

    def has(self, key: str) -> bool:
        """Is it a setting of this method that was given, or has a default other than None?"""
        return self.__dict__.get(key) is not None

    def replace(self, key: str, value: object) -> None:
        """Fix what the method leaves open."""
        self.__dict__[key] = value

    def inner(self, i: int) -> list[Scalar]:
        """gamma_i times the factor of each local step (only where inner_rates is set)."""
        steps = self.steps if self.has("steps") else tuple(t.steps for t in self.theta)
        return rates(self.gamma, steps, self.inner_rates, i)

    def magnified(self) -> tuple[Settings, float]:
        """Tiny rates gamma as gamma / s, beside A_i s and mu s: these products are all that D_i knows but for a factor.

        s is the ``unit`` of the largest rate: 1 where rates are not tiny.
        """
        s = _differences.unit(max(map(float, self.gamma))) if self.has("gamma") else 1.0
        if s == 1:
            return self, s
        other = self._copy()
        other.replace("gamma", tuple(float(gamma) / s for gamma in self.gamma))
        if self.has("mu"):
            other.replace("mu", self.mu * s)
        return other, s

    def unrounded(self, ring: Ring) -> Settings:
        """The factors of local steps in the numbers of another ring, so that gamma_i times a factor is its product."""
        other = self._copy()
        if self.has("inner_rates"):
            rows = [[ring.number(f) for f in row] if listed(row) else ring.number(row) for row in self.inner_rates]
            other.replace("inner_rates", rows)
        return other

    def _copy(self) -> Settings:
        other = Settings.__new__(Settings)
        other.__dict__.update(self.__dict__)
        return other

    def shared(self) -> bool:
        """Do all clients have the same settings?"""
        spread = [list(getattr(self, key)) for key in _PER_CLIENT if self.has(key)]
        if self.has("inner_rates"):
            spread.append([self.inner(i) for i in range(self._n)])
        if self.has("frozen"):
            spread.append([self.frozen_of(i).tolist() for i in range(self._n)])
        if self.has("P"):
            spread.append([np.asarray(P).tolist() for P in self.matrices()])
        return all(value == values[0] for values in spread for value in values)

    def frozen_of(self, i: int) -> Numbers:
        """Client i's frozen diagonal preconditioners (steps, d); FedLADA as printed takes one step less."""
        common = getattr(self.frozen, "ndim", 3) == 2
        if not common and len(self.frozen) != self._n:
            raise _wrong("frozen", f"{len(self.frozen)} arrays", f"one (K, d), or {self._n} (one a client)")
        own = np.asarray(self.frozen if common else self.frozen[i])
        steps = self.steps[i] - int(self.name == "fedlada" and self.as_printed)
        if own.shape != (steps, self._d):
            raise _wrong("frozen", f"of shape {own.shape} for client {i}", f"{(steps, self._d)}, (local steps, d)")
        return own

    def matrices(self) -> list[Numbers]:
        """The preconditioners P_i (d, d), one a client."""
        table = np.asarray(self.P)
        if table.shape[-2:] != (self._d, self._d):
            raise _wrong("P", f"of shape {table.shape[-2:]}", f"{(self._d, self._d)}")
        if table.ndim == 3 and len(table) != self._n:
            raise _wrong("P", f"{len(table)} matrices", f"one, or {self._n} (one a client)")
        return [table] * self._n if table.ndim == 2 else list(table)


def built(name: str, ring: Ring, settings: Mapping[str, object]) -> Method:
    """The method with its settings in the ring's numbers; unknown and idle settings are refused by the method."""
    return methods.build(name, ops=_ops(ring), **{key: _converted(key, value, ring) for key, value in settings.items()})


def settings_for(name: str, ring: Ring, settings: Mapping[str, object]) -> Settings:
    """The settings of ``name``; a server rate may be left out, for it moves no resting point.

    ``realised`` preconditioners are frozen ones: they stand for whatever would have computed them.
    """
    given: dict[str, Any] = dict(settings)
    known = methods.describe(name).settings
    realised = given.pop("realised", None)
    if realised is not None:
        if "record" not in known:
            raise problem(
                f"realised of {name}",
                "given",
                "a method with its own preconditioners on the clients (local-*, fedlocal, fedlada, fed-ams, fed-lamb)",
                "a method that is linear as it is",
                "leave it out",
            )
        realised = [np.array(list(map(np.asarray, rows))) for rows in realised]
        if "frozen" in known:
            given = {key: value for key, value in given.items() if key not in _COMPUTING} | {"frozen": realised}
    if "eta" in known:
        given.setdefault("eta", 1)
    chosen = Settings(built(name, ring, given), ring, _ops(ring))
    if realised is not None:
        chosen.replace("frozen", _converted("frozen", realised, ring))
    return chosen


def _ops(ring: Ring) -> Kind:
    return methods.RATIONALS if is_exact(ring.clients) else methods.FLOATS


def _converted(key: str, value: object, ring: Ring) -> Any:
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
            if key == "P" or (key == "frozen" and _is_table(value))
            else [_converted(key, v, ring) for v in value]
        )
    return ring.number(value) if not isinstance(value, int) else value


def _is_table(value: Sequence[object]) -> bool:
    """Rows of numbers, as files write what Python has as an array (K, d)?"""
    return all(isinstance(row, (list, tuple)) and not any(map(listed, row)) for row in value)


def _exact_theta(theta: object) -> object:
    """Float weights as the binary fractions that they are, which rationals can be multiplied with."""
    if isinstance(theta, (list, tuple)):
        return [_exact_theta(t) for t in theta]
    if isinstance(theta, Theta) and theta.kind == "weights":
        return Theta([Fraction(t) for t in theta.given], signed=True)
    return theta


def _spread(value: object, key: str, n: int) -> tuple[object, ...]:
    if not isinstance(value, (list, tuple, np.ndarray)):
        return (value,) * n
    if len(value) != n:
        raise _wrong(key, f"{len(value)} values", f"one, or {n} (one a client)")
    return tuple(value)


def _wrong(name: str, got: str, expected: str) -> ProblemError:
    return problem(name, got, expected, "settings for another problem", "give one for all clients, or one a client")
