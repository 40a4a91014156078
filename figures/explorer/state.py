"""`State`: the clients, the method with its settings and the run that the explorer shows; frozen and validated."""

from __future__ import annotations

import difflib
import math
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from typing import Any

import numpy as np

from figures.explorer import menu
from figures.explorer.population import Population
from surrogate import Field, Preconditioned, Quadratics, Surrogate, Theta, dictionary
from surrogate.kit.errors import problem

__all__ = ["MOST_ROUNDS", "MOST_STEPS", "State"]

MOST_STEPS, MOST_ROUNDS = 1_000_000, 1000
_THETAS = {"sum": Theta.sum, "last": Theta.last, "maml": Theta.maml}
_SAMPLING = ("iid", "uniform")


@dataclass(frozen=True)
class State:
    """One view of the explorer. Equal states show the same numbers.

    ``theta``: sum, last, maml (with ``steps``), or weights by hand (local-update alone). ``eta``: the server rate;
    "best" contracts most; None averages the clients' models plainly: gamma for local-update, which sends gradients,
    and 1 for others. ``settings``: further numbers of the method. ``P`` (n, d): diagonal preconditioners, and LA's
    ``correction`` of them. ``per_round`` clients a round, ``batch`` examples a step: None for all. ``start``: x_0.

    >>> State().resting_point.round(4).tolist()
    [0.7109]
    """

    problem: Population = field(default_factory=lambda: Population.of({"preset": "two-clients"}))
    method: str = menu.LOCAL_UPDATE
    gamma: float = 0.1
    steps: int = 10
    theta: str | tuple[float, ...] = "sum"
    eta: float | str | None = None
    settings: tuple[tuple[str, float], ...] = ()
    P: tuple[tuple[float, ...], ...] | None = None
    correction: str = "none"
    per_round: int | None = None
    sampling: str = "iid"
    batch: int | None = None
    start: tuple[float, ...] | None = None
    rounds: int = 30

    def __post_init__(self) -> None:
        for check in (_method, _rates, _counts, _theta, _matrix, _noise, _start):
            check(self)

    @classmethod
    def of(cls, plain: Mapping[str, Any]) -> State:
        """From plain data (JSON), as `plain` writes it; what is left out has its default."""
        known = [each.name for each in fields(cls)]
        for key in plain:
            if key not in known:
                near = difflib.get_close_matches(key, known, n=1)
                raise problem(
                    f"the key {key!r} of a state",
                    "unknown",
                    f"one of {', '.join(known)}",
                    f"a slip for {near[0]}" if near else "a link or file of another version",
                    "drop or correct it",
                )
        values = {key: _frozen(value) for key, value in plain.items() if key not in ("problem", "settings")}
        if "problem" in plain:
            values["problem"] = Population.of(plain["problem"])
        if "settings" in plain:
            usual = menu.choices()[values.get("method", cls.method)].scalars if _known(values) else {}
            values["settings"] = tuple(sorted((k, v) for k, v in plain["settings"].items() if usual.get(k) != v))
        if values.get("P") is not None and all(p == 1 for row in values["P"] for p in row):
            values["P"] = None  # the identity, which need not be said
        return cls(**values)

    def plain(self) -> dict[str, Any]:
        """Plain data that `of` reads back as an equal state; only what is not the default."""
        usual = State()
        table: dict[str, Any] = {"problem": self.problem.plain()}
        for each in fields(self):
            value = getattr(self, each.name)
            if each.name not in ("problem", "settings") and value != getattr(usual, each.name):
                table[each.name] = value
        return table | ({"settings": dict(self.settings)} if self.settings else {})

    def at(self, gamma: float) -> State:
        """The same with another client rate."""
        return replace(self, gamma=gamma)

    @property
    def clients(self) -> Quadratics:
        """The clients."""
        return self.problem.clients

    @property
    def choice(self) -> menu.Choice:
        """The method's entry in the menu."""
        return menu.choices()[self.method]

    @property
    def weights(self) -> Theta:
        """Theta of local-update."""
        return _THETAS[self.theta](self.steps) if isinstance(self.theta, str) else Theta(self.theta)

    @property
    def preconditioners(self) -> Any:
        """P_i (n, d, d): as given, or the identity."""
        n, d = self.clients.n, self.clients.d
        return np.stack([np.diag(row) for row in self.P or np.ones((n, d))])

    @cached_property
    def asked(self) -> tuple[str, dict[str, Any]]:
        """The method's name in the dictionary, and all of its settings but eta.

        Corrected preconditioned clients are adaptive ones whose preconditioners are given: local-adagrad, frozen.
        """
        takes: dict[str, Any] = {key: getattr(self, key) for key in ("gamma", "steps") if key in self.choice.takes}
        if self.method == menu.LOCAL_UPDATE:
            return self.method, {"gamma": self.gamma, "theta": self.weights}
        if self.method != menu.PRECONDITIONED:
            return self.method, takes | dict(self.choice.scalars) | dict(self.settings)
        if self.correction == "none":
            return self.method, takes | {"P": self.preconditioners}
        diagonals = self.P or np.ones(self.clients.b.shape)
        frozen = np.repeat(np.array(diagonals, dtype=float)[:, None, :], self.steps, axis=1)
        return "local-adagrad", takes | {"beta1": 0, "frozen": frozen, "correction": self.correction}

    @cached_property
    def field(self) -> Field:
        """The field that vanishes where the method rests. For local-update and preconditioned clients its size, too,
        is what they send."""
        if self.method == menu.LOCAL_UPDATE:
            return Surrogate(self.clients, self.gamma, self.weights)
        if self.method == menu.PRECONDITIONED:
            corrected = self.correction in ("local", "joint")
            return Preconditioned(self.clients, self.gamma, self.steps, self.preconditioners, corrected)
        name, settings = self.asked
        answer: Any = dictionary.field(name, self.clients, **settings)
        return answer  # type: ignore[no-any-return]

    @property
    def sends_field(self) -> bool:
        """Does the server move by ``x - eta field.gradient(x)``?"""
        return self.method == menu.LOCAL_UPDATE or (
            self.method == menu.PRECONDITIONED and self.correction in ("none", "local")
        )

    @property
    def plain_eta(self) -> float:
        """The server rate that averages the clients' models."""
        return self.gamma if self.method == menu.LOCAL_UPDATE else 1.0

    @property
    def resting_point(self) -> Any:
        """Where the method rests, (d,)."""
        return self.field.resting_point

    @property
    def x0(self) -> Any:
        """Where the run starts: as given, or a little outside of the clients' minimizers."""
        if self.start is not None:
            return np.array(self.start)
        points = self.problem.minimizers
        if points is None:
            return np.asarray(self.clients.minimizer + 1.0)
        least, most = np.min(points, axis=0), np.max(points, axis=0)
        return np.asarray(np.round(least - 0.25 * (most - least) - 0.1 * (most == least), 3))


def _frozen(value: Any) -> Any:
    return tuple(_frozen(v) for v in value) if isinstance(value, (list, tuple)) else value


def _known(values: Mapping[str, Any]) -> bool:
    return values.get("method", State.method) in menu.choices()


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value)


def _method(s: State) -> None:
    if s.method not in menu.choices():
        near = difflib.get_close_matches(str(s.method), menu.choices(), n=2)
        raise problem(
            "method",
            repr(s.method),
            f"one of {', '.join(menu.choices())}",
            f"a slip for {' or '.join(near)}" if near else "a method that rests where no formula in gamma alone says",
            "choose one of these; `surrogate toy` takes realised preconditioners, too",
        )
    scalars = s.choice.scalars
    for key, value in s.settings:
        if key not in scalars or not _is_number(value):
            raise problem(
                f"the setting {key!r} of {s.method}",
                repr(value),
                f"a number for one of {', '.join(scalars) or 'none'}",
                "a setting of another method, or no number",
                "drop or correct it",
            )
    if s.correction not in menu.CORRECTIONS:
        raise problem("correction", repr(s.correction), f"one of {', '.join(menu.CORRECTIONS)}", "a slip", "correct it")
    for key, unused in (("P", None), ("correction", "none")):
        if s.method != menu.PRECONDITIONED and getattr(s, key) != unused:
            raise _ignored(key, s.method)
    if s.method != menu.LOCAL_UPDATE and s.theta != "sum":
        raise _ignored("theta", s.method)


def _ignored(key: str, method: str) -> Exception:
    return problem(
        key, f"given for {method}", "left out", "a setting of another method, which here would be ignored", "drop it"
    )


def _rates(s: State) -> None:
    if not _is_number(s.gamma) or s.gamma <= 0:
        raise problem("gamma", repr(s.gamma), "a client rate > 0", "a sign slip or an empty field", "give a rate")
    if s.eta not in (None, "best") and (not _is_number(s.eta) or float(s.eta) < 0):
        raise problem("eta", repr(s.eta), 'a server rate >= 0, "best" or none', "a sign slip", "correct it")


def _counts(s: State) -> None:
    for key, least, most in (("steps", 1, MOST_STEPS), ("rounds", 0, MOST_ROUNDS)):
        value = getattr(s, key)
        if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
            raise problem(key, repr(value), f"a whole number from {least} to {most}", "a slip", "correct it")


def _theta(s: State) -> None:
    if isinstance(s.theta, str) and s.theta not in _THETAS:
        raise problem("theta", repr(s.theta), "sum, last, maml or a list of weights", "a slip", "correct it")
    s.weights  # noqa: B018  (refuses weights that are none)


def _matrix(s: State) -> None:
    shape = s.clients.b.shape
    if s.P is not None and (np.shape(s.P) != shape or not all(_is_number(p) and p > 0 for row in s.P for p in row)):
        raise problem(
            "P",
            f"{s.P!r}"[:80],
            f"{shape[0]} rows of {shape[1]} positive numbers, the diagonal of each client's preconditioner",
            "preconditioners for another problem, or one that is not positive",
            "give each client a positive diagonal",
        )


def _noise(s: State) -> None:
    if s.sampling not in _SAMPLING:
        raise problem("sampling", repr(s.sampling), f"one of {', '.join(_SAMPLING)}", "a slip", "correct it")
    for key in ("per_round", "batch"):
        value = getattr(s, key)
        if value is None:
            continue
        if s.method != menu.LOCAL_UPDATE:
            raise problem(
                key,
                f"{value} for {s.method}",
                "none: exact moments are known of local-update",
                "noise in a method that keeps a state, or whose moments have no closed form here",
                "choose local-update (FedAvg and Reptile are its Theta = sum, FOMAML last, MAML maml), or take all "
                "clients and full gradients",
            )
        most = s.clients.n if key == "per_round" and s.sampling == "uniform" else 10_000
        if not isinstance(value, int) or isinstance(value, bool) or not 1 <= value <= most:
            raise problem(key, repr(value), f"a whole number from 1 to {most}", "a slip", "correct it")
    if s.batch is not None and s.clients.examples is None:
        raise problem(
            "batch", s.batch, "none for clients without examples", "plain clients", "give them a spread, or examples"
        )


def _start(s: State) -> None:
    d = s.clients.d
    if s.start is not None and (len(s.start) != d or not all(map(_is_number, s.start))):
        raise problem("start", repr(s.start), f"{d} numbers", "a point of another problem", "give a number each")
