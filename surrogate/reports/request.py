"""The request behind a report: a method and its settings, from the command line and from a file's [run] table."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, TypedDict

from surrogate._types import Settings
from surrogate.kit.errors import ProblemError, problem
from surrogate.problems import Problem, entries
from surrogate.reports import arithmetic
from surrogate.theta import Theta

__all__ = ["Options", "Request", "resolve"]

# The likely cause of an error, and what to do about it
_OTHER_METHOD = (
    "a setting of another method, which here would be ignored",
    "leave it out, or choose another --method (`surrogate methods` lists them)",
)
_NO_STEP = (
    "no local step at all, or a rate in the place of a count",
    "write --steps 2; one step is one gradient, and moves no resting point",
)
_OTHER_NUMBER = ("a list for another number of clients", "give one for all clients, or one a client")

_OPTIONS = ("gamma", "steps", "theta", "eta")
_NAMED_THETAS = {"sum": Theta.sum, "last": Theta.last, "maml": Theta.maml}


class Options(TypedDict, total=False):
    """What the command line gives, as texts; None, or no entry, where an option is left out."""

    method: str | None
    gamma: str | None
    steps: str | None
    theta: str | None
    eta: str | None
    set: Sequence[str] | None  # each key=value


@dataclass(frozen=True)
class Request:
    """A ``method`` and its own ``settings``, numbers as Fractions; ``eta``, None where not given, apart; ``notes``."""

    method: str
    settings: dict[str, Any]
    eta: Fraction | None = None
    notes: list[str] = field(default_factory=list)


def resolve(given: Options, problem_: Problem) -> Request:
    """The method and its settings, from the options ``given`` and the [run] table of the problem's file.

    What the command line leaves out comes from the file's [run] table; what the method would ignore is refused.
    """
    run = dict(problem_.settings)
    from_file = run.pop("method", None)
    method = given.get("method") or from_file or "local-update"
    known = _known_settings(method)
    options = _options(given)
    for key in options:
        if not _takes(key, known):
            raise _ignored(key, method, known, "given")
    further = _extra(run.pop("set", {}))
    defaults, notes = run | further, []
    idle = [key for key in defaults if key not in options and not _takes(key, known)]
    if idle and not given.get("method"):
        raise _ignored(idle[0], method, known, "in the file's [run] table")
    if idle:
        notes.append(f"{', '.join(idle)} of the file's [run] table left out: {method} has no such setting")
    settings = {key: value for key, value in defaults.items() if key not in idle} | options
    _check_lengths(settings, options, problem_.clients.n)
    if "theta" in known:
        settings["theta"] = _theta(settings.pop("theta", None), settings.pop("steps", None), options)
    eta = settings.pop("eta", None)
    if isinstance(eta, list) or (eta is not None and eta < 0):
        expected = "one number" if isinstance(eta, list) else "a rate >= 0"
        raise problem(
            "eta", as_text(eta), expected, "a sign slip, or a client's rate: there is one server", "write --eta 1"
        )
    _check_complete(settings, known, method)
    if not arithmetic.is_exact(problem_.clients):
        for key, value in {**settings, "eta": eta}.items():
            _check_range(key, value)
    return Request(method, settings, eta, notes)


def _known_settings(method: str) -> Settings:
    from surrogate import dictionary, methods

    settings = methods.describe(method).settings  # an unknown name is refused here, with near ones
    dictionary.entry(method)  # and a method without a closed form here
    return settings


def _takes(key: str, known: Settings) -> bool:
    return key in known or (key == "steps" and "theta" in known)


def _ignored(key: str, method: str, known: Settings, where: str) -> ProblemError:
    return problem(f"{key} for {method}", where, f"one of its settings: {', '.join(known)}", *_OTHER_METHOD)


def _options(given: Options) -> dict[str, object]:
    """The settings that the command line gives."""
    found: dict[str, object] = {}
    for key in ("gamma", "eta"):
        if (text := given.get(key)) is not None:
            found[key] = _numbers(str(text), f"--{key}")
    if (text := given.get("steps")) is not None:
        found["steps"] = _steps(text)
    if (text := given.get("theta")) is not None:
        found["theta"] = text
    for text in given.get("set") or ():
        key, equals, value = text.partition("=")
        if not equals or not key:
            raise problem("--set", repr(text), "key=value", "no equals sign", "write --set beta=9/10")
        if key in _OPTIONS:
            raise problem("--set", repr(text), "a setting without an option of its own", "two ways", f"write --{key}")
        if key in found:
            raise problem("--set", f"{key} given twice", "each setting once", "a copied option", "drop one")
        found[key] = _value(value)
    return found


def _extra(table: Settings) -> dict[str, object]:
    return {key: _value(v) if isinstance(v, str) else v for key, v in table.items()}


def _numbers(text: str, where: str) -> Fraction | list[Fraction]:
    """A number, or one a client: "1/2" or "1/2,1/4"."""
    if "," in text:
        return [entries.number(part.strip(), f"{where} (client {i})") for i, part in enumerate(text.split(","))]
    return entries.number(text, where)


def _steps(text: str) -> int | list[int]:
    parts = [part.strip() for part in text.split(",")]
    if not all(part.isascii() and part.isdigit() and int(part) >= 1 for part in parts):
        raise problem("--steps", repr(text), "a whole number >= 1, or one a client: 2,5", *_NO_STEP)
    return int(parts[0]) if len(parts) == 1 else [int(part) for part in parts]


def _value(text: str) -> object:
    """A setting's value: a number, true, false, none, a list or matrix in brackets, or a word."""
    if text.lower() in ("true", "false", "none"):
        return {"true": True, "false": False, "none": None}[text.lower()]
    if text.startswith("["):
        try:
            quoted = re.sub(r'(?<!["\d])-?\d+/\d+(?!["\d])', r'"\g<0>"', text)
            return entries.nested(json.loads(quoted, parse_float=entries.written_float), "--set")
        except ValueError as error:
            if isinstance(error, ProblemError):
                raise
            raise problem(
                "--set", repr(text), "a list such as [1, 0.5]", str(error), "write [[1, 0], [0, 1/2]]"
            ) from None
    try:
        number = entries.written(text)
    except (ValueError, ZeroDivisionError):
        return text
    return int(number) if number.denominator == 1 and "." not in text else number


def _theta(theta: Any, steps: Any, options: Settings) -> Theta | list[Theta]:
    """The Theta of all clients, or one a client where steps are."""
    if isinstance(theta, str) and theta not in _NAMED_THETAS:
        if theta.strip("0123456789.,/ +-eE"):
            raise problem(
                "--theta", repr(theta), "sum, last, maml, or a list of weights", "a slip", "write --theta 1,0,1/2"
            )
        theta = [entries.number(part.strip(), f"--theta (weight {k})") for k, part in enumerate(theta.split(","), 1)]
    if isinstance(theta, Sequence) and not isinstance(theta, str):
        if steps is not None and "steps" in options:
            raise problem(
                "--steps", steps, "left out beside a list --theta", "the list already says how many steps", "drop one"
            )
        return Theta(theta)
    if steps is None:
        raise problem("--steps", "missing", "the number of local steps", "an option left out", "write --steps 2")
    make = _NAMED_THETAS[theta or "sum"]
    return [make(k) for k in steps] if isinstance(steps, list) else make(steps)


def _check_lengths(settings: Settings, options: Settings, n: int) -> None:
    """A rate or a step count a client, for as many clients as there are."""
    for key in ("gamma", "steps"):
        value = settings.get(key)
        if isinstance(value, list) and len(value) != n:
            raise problem(
                f"--{key}" if key in options else f"{key} in the file's [run] table",
                f"{len(value)} numbers ({as_text(value)})",
                f"one number, or {n} (one a client)",
                *_OTHER_NUMBER,
            )


def _check_range(key: str, value: Any) -> None:
    """Refuse what float64 cannot hold, wherever it stands in the value."""
    if isinstance(value, list):
        for part in value:
            _check_range(key, part)
    elif isinstance(value, (int, Fraction)) and not -sys.float_info.max <= value <= sys.float_info.max:
        raise problem(
            key, "a number past float64's range", "at most 1.8e308", "a slip", "correct it, or compute with --exact"
        )


def _check_complete(settings: Settings, known: Settings, method: str) -> None:
    from surrogate.methods.settings import MEANING

    for key, default in known.items():
        if isinstance(default, str) and default == "required" and key not in settings and key != "eta":
            option = f"--{key} ..." if key in _OPTIONS else f"--set {key}=..."
            raise problem(
                f"{key} for {method}",
                "missing",
                MEANING.get(key, "a value"),
                "an option left out",
                f"add {option}, or put it in the file's [run] table",
            )


def as_text(value: object) -> str:
    """A setting as people write it."""
    if isinstance(value, Theta):
        return (
            f"{value.kind} of {value.steps} step{'s' * (value.steps > 1)}"
            if value.kind != "weights"
            else ", ".join(map(str, value.given))
        )
    if isinstance(value, (list, tuple)):
        return ", ".join(as_text(v) for v in value)
    return str(Fraction(value)) if isinstance(value, Fraction) else str(value)
