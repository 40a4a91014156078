"""What settings mean, which values they take, and how a factory gets the ones it asks for and no others."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any, TypeGuard, cast, overload

from surrogate._types import Factors, Numbers, Rates, Scalar, Settings, Steps, Vector
from surrogate.kit.errors import problem, unknown
from surrogate.theta import Theta

__all__ = [
    "MEANING",
    "Frozen",
    "Thetas",
    "filled",
    "idle",
    "listed",
    "moves",
    "per_client",
    "positive",
    "rates",
    "scaled",
]

# The likely cause of an error, and what to do about it
_OTHER_CLIENTS = ("settings for another number of clients", "give one a client")
_OTHER_STEPS = ("a schedule for another K", "give one factor a local step, or one list a client where steps differ")

Thetas = Theta | Sequence[Theta]  # one for all clients, or one a client
Frozen = Vector | Sequence[Vector] | Sequence[Sequence[Vector]]  # preconditioners: (K, d), or one such array a client

MEANING = {
    "gamma": "client rate (one, or one a client)",
    "steps": "local steps K (one, or one a client)",
    "theta": "Theta, the weights of the local gradients (one, or one a client)",
    "eta": "server rate",
    "inner_rates": "factors of gamma, one a local step (or one list a client)",
    "beta": "weight of the old momentum",
    "dampened": "m = beta m + (1 - beta) g; False: heavy ball, m = beta m + g",
    "beta1": "weight of the old momentum",
    "beta2": "weight of the old second moment",
    "eps": "what keeps the root away from 0",
    "inside": "eps inside the root: 1 / sqrt(v + eps); False: 1 / (sqrt(v) + eps)",
    "initial": "second moment at the start",
    "bias_correction": "divide the moments by 1 - beta^t",
    "alpha": "weight of the client's own direction against the shared one (scaffold: size of the correction)",
    "mu": "weight of the proximal term mu/2 ||y - x||^2",
    "exact": "minimise the proximal objective exactly (client.prox) instead of taking steps",
    "P": "preconditioner matrix (d, d), or one a client (n, d, d)",
    "sends": "what clients send: updates (x - y) or gradients (sum of theta_k g_k)",
    "server": "server optimizer: a name, {name = ..., settings}, or an Optimizer",
    "optimizer": "the optimizer: a name, {name = ..., settings}, or an Optimizer",
    "states": "client optimizer states between rounds: restart, keep (each its own) or sync (averaged)",
    "correction": "LA's corrections: none, local, global or joint",
    "as_printed": "follow the printed listing where it differs from the text",
    "frozen": "preconditioners given, one a local step: (K, d), or one array a client",
    "record": "keep the realised preconditioners in the client's state under 'realised'",
    "momentum": "carried from round to round, or restarted at 0 each round",
    "option": "I: a gradient at x; II: the mean of the round's local gradients",
    "layers": "list of index arrays or slices, one a layer (None: one layer)",
    "decay": "lambda, weight decay in the layer-wise step",
    "order": "hessians (second order, client.hvp) or gradients (Theta_{2K+1}, the same on quadratics)",
    "minibatches": "of the Hessians: shared with the local steps, or independent of them",
    "report": "send the loss after the local steps, too",
    "window": "W, rounds over which the loss estimate is averaged",
    "patience": "P, rounds without progress before rates decay",
    "cooldown": "C, rounds after a decay (and at the start) without another",
    "threshold": "Delta, what counts as progress of the loss",
    "client_factor": "alpha, what the client rate is multiplied by when it decays",
    "server_factor": "beta, what the server rate is multiplied by when it decays",
    "a": "how far the old direction is forgotten a step (1: plain gradients)",
    "first": "direction at the start: survey (mean of full gradients) or zero",
    "dual_rate": "rate of the multipliers",
    "tolerance": "how far a client's loss may be above the mean",
}

_NOT_NEGATIVE = {"gamma", "eta", "inner_rates", "eps", "initial", "alpha", "mu", "decay"}
_NOT_NEGATIVE |= {"threshold", "client_factor", "server_factor", "a", "dual_rate", "tolerance"}
_SHARES = {"beta", "beta1", "beta2"}
_LISTS = {"gamma", "steps", "theta", "inner_rates", "P", "frozen", "layers"}  # may be one a client, or hold several
_FLAGS = {"dampened", "inside", "bias_correction", "exact", "record", "as_printed", "report"}
_COUNTS = {"steps": 1, "window": 1, "patience": 1, "cooldown": 0}  # the least of each
_WORDS = {
    "sends": ("updates", "gradients"),
    "states": ("restart", "keep", "sync"),
    "correction": ("none", "local", "global", "joint"),
    "momentum": ("carried", "restarted"),
    "option": ("I", "II"),
    "order": ("hessians", "gradients"),
    "minibatches": ("shared", "independent"),
    "first": ("survey", "zero"),
}


def listed(value: object) -> TypeGuard[Sequence[Any]]:
    """Whether ``value`` holds one entry a client (a list, a tuple, an array with axes)."""
    return isinstance(value, (list, tuple)) or getattr(value, "ndim", 0) > 0


@overload
def per_client(value: Numbers, i: int, name: str = ...) -> Numbers: ...
@overload
def per_client(value: Steps, i: int, name: str = ...) -> int: ...
@overload
def per_client(value: Rates, i: int, name: str = ...) -> Scalar: ...
@overload
def per_client(value: Thetas, i: int, name: str = ...) -> Theta: ...
@overload
def per_client(value: object, i: int, name: str = ...) -> Any: ...
def per_client(value: object, i: int, name: str = "the setting") -> Any:
    """Client i's value of a setting that is one for all or one a client.

    >>> per_client(3, 1), per_client([3, 5], 1)
    (3, 5)
    """
    if not listed(value):
        return value
    if i >= len(value):
        raise problem(
            name, f"of length {len(value)}", f"one value, or one a client (client {i} has none)", *_OTHER_CLIENTS
        )
    return value[i]


def positive(gamma: Rates, method: str, fix: str) -> None:
    """Refuse rates of 0, one or one a client, by which a method would have to divide."""
    for rate in gamma if listed(gamma) else [gamma]:
        if rate == 0:
            raise problem(f"gamma of {method}", 0, "a rate > 0", "clients that stand still", fix)


def moves(inner_rates: Factors, method: str, fix: str) -> None:
    """Refuse factors that are all 0, for all clients or for one: its rates are 0 then, whatever gamma is."""
    if inner_rates is None:
        return
    rows = inner_rates if listed(inner_rates[0]) else [inner_rates]
    for factors in cast("Sequence[Sequence[Scalar]]", rows):
        if len(factors) and all(factor == 0 for factor in factors):
            wanted = "a factor > 0 among those of each client"
            raise problem(f"inner_rates of {method}", "all 0", wanted, "clients that stand still", fix)


def rates(gamma: Rates, steps: Steps, inner_rates: Factors, i: int) -> list[Scalar]:
    """Client i's rate at each of its local steps: gamma_i, times inner_rates[k] where given.

    >>> rates([2, 3], 2, [1, 5], 1)
    [3, 15]
    """
    rate, count = per_client(gamma, i, "gamma"), per_client(steps, i, "steps")
    if inner_rates is None:
        return [rate] * count
    factors = cast("Sequence[Scalar]", inner_rates[i] if listed(inner_rates[0]) else inner_rates)
    if len(factors) != count:
        raise problem(
            "inner_rates", f"{len(factors)} factors for client {i}", f"one a local step, {count} in all", *_OTHER_STEPS
        )
    return [rate * factor for factor in factors]


def scaled(vector: Vector, weight: Scalar) -> Vector:
    """``weight * vector`` for a weight that may be a Fraction, whatever numbers the vector is made of."""
    if isinstance(weight, Fraction):
        return vector * weight.numerator / weight.denominator
    return vector * weight


def filled(
    what: str,
    factory: Callable[..., Any],
    given: Settings,
    number: Callable[[float], Scalar] = float,
    excludes: Mapping[str, Sequence[str]] | None = None,
) -> dict[str, object]:
    """All settings of ``factory``: those given, checked, and defaults for the rest, floats of these by ``number``."""
    defaults = {p.name: p.default for p in inspect.signature(factory).parameters.values() if p.kind is p.KEYWORD_ONLY}
    for name in given:
        if name not in defaults:
            setting, fix = f"the setting {name!r} of {what}", "drop or correct it"
            raise unknown(
                setting, name, defaults, "a setting of another method, which here would be ignored", fix, "unknown"
            )
    values = {}
    for name, default in defaults.items():
        if name not in given and default is inspect.Parameter.empty:
            raise problem(
                f"{name} of {what}",
                "missing",
                MEANING.get(name, "a value"),
                "a setting without a default left out",
                f"pass {name}=...",
            )
        values[name] = _value(name, given.get(name, default), default, number)
    for chosen in excludes or {}:
        if ignored := [name for name in idle(values, {chosen: (excludes or {})[chosen]}) if name in given]:
            raise problem(
                f"{', '.join(ignored)} of {what}",
                "given",
                f"left out when {chosen} is chosen",
                f"with {chosen} it would be ignored",
                f"drop {', '.join(ignored)}, or drop {chosen.partition('=')[0]}",
            )
    return values


def idle(values: Settings, excludes: Mapping[str, Sequence[str]]) -> list[str]:
    """The settings that others make idle: ``excludes`` maps a setting, or setting=word, to what it leaves unused."""
    found: list[str] = []
    for chosen, names in excludes.items():
        name, _, word = chosen.partition("=")
        value = values[name]
        active = isinstance(value, str) and value == word if word else not (value is None or value is False)
        found += names if active else []
    return found


def _value(name: str, value: object, default: object, number: Callable[[float], Scalar]) -> object:
    if value is default:
        return number(value) if isinstance(value, float) else value
    return _checked(name, value)


def _checked(name: str, value: object) -> object:
    if name == "inner_rates" and value is not None and not (listed(value) and len(value)):
        wanted = "a list of factors, one a local step"
        raise problem(name, repr(value), wanted, "one factor for all steps", "put it into gamma, or give a list")
    if isinstance(value, (list, tuple)) and name in MEANING and name not in _LISTS:
        raise problem(
            name, repr(value), "one value", "values to be tried one after the other, which are a sweep's",
            f"give one, or put the list into a sweep's grid; {name}: {MEANING[name]}",
        )  # fmt: skip
    for entry in value if listed(value) and name not in ("P", "frozen", "layers") else [value]:
        for number in entry if name == "inner_rates" and listed(entry) else [entry]:
            complaint = _complaint(name, number)
            if complaint:
                raise problem(
                    name,
                    repr(number),
                    complaint,
                    "a slip, or a setting of another kind",
                    f"correct it; {name}: {MEANING[name]}",
                )
    return value


def _complaint(name: str, value: Any) -> str | None:
    """What ``value`` should have been, or None when it will do."""
    if name in _WORDS:
        return None if isinstance(value, str) and value in _WORDS[name] else f"one of {', '.join(_WORDS[name])}"
    if name in _FLAGS:
        return None if isinstance(value, bool) else "True or False"
    if name == "theta":
        return None if isinstance(value, Theta) else "a Theta, such as Theta.sum(3) or Theta([1, 0, 2])"
    if name in _COUNTS:
        whole = not isinstance(value, bool) and hasattr(value, "__index__") and value >= _COUNTS[name]
        return None if whole else f"a whole number >= {_COUNTS[name]}"
    if name in _NOT_NEGATIVE or name in _SHARES:
        return _number_complaint(value, name in _SHARES)
    return None


def _number_complaint(value: Any, share: bool) -> str | None:
    wanted = "a number >= 0 and < 1" if share else "a number >= 0"
    if isinstance(value, (str, bytes, bool)) or value is None:
        return wanted
    try:
        return wanted if value < 0 or value != value or (share and value >= 1) else None
    except TypeError:  # a symbol, which has no sign
        return None
