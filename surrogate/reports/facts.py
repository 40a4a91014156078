"""Everything a report says, as numbers (floats, or rationals and balls), before it is shown."""

from __future__ import annotations

import math
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import numpy as np

from surrogate import numbers
from surrogate.kit.errors import ProblemError, problem
from surrogate.problems import Problem
from surrogate.reports import arithmetic, bounds
from surrogate.reports.request import Request, shown

__all__ = ["report"]

_MOST_BITS = 700_000  # of the fractions that an exact report handles within seconds
_MOST_PLAYED = 300_000  # client steps that reading off a round map may cost


def report(asked: Problem, request: Request) -> dict[str, Any]:
    """The facts: a dictionary of plain values, whose numbers are floats, or ``fmpq`` and ``arb``."""
    clients = asked.clients
    if arithmetic.is_exact(clients):
        _check_size(clients, request.settings)
    notes = list(request.notes)
    before, rest = arithmetic.undistorted(clients), _rest(clients, request)
    moved = rest.displacement
    eta = _rate(request)
    after, settling = _moving(rest, request, eta, notes)
    facts = {
        "problem": _problem(asked),
        "method": _method(request),
        "minimizer": clients.minimizer,
        "resting_point": rest.resting_point,
        "displacement": moved,
        "distance": numbers.norm(moved),
        "has_loss": {metric: after.has_loss(metric) for metric in ("euclidean", "any")},
        "ill_behaved": list(after.ill_behaved),
        "condition_number": {
            "before": arithmetic.condition_number(before),
            "after": arithmetic.condition_number(after),
        },
        "contraction": {
            "eta": eta,
            "before": _speed(before, eta, best=True),
            "after": settling,
        },
    }
    facts["bounds"] = bounds.beside_truth(clients, request, facts["distance"])
    facts["notes"] = notes
    facts["exact"] = arithmetic.is_exact(clients)
    return facts


def _problem(asked: Problem) -> dict[str, Any]:
    clients = asked.clients
    weights = list(clients.weights)
    return {
        "source": asked.source,
        "clients": clients.n,
        "dimension": clients.d,
        "weights": "equal" if all(w == weights[0] for w in weights) else weights,
        "mu": clients.mu,
        "L": clients.L,
        "sigma_A": clients.sigma_A,
        "sigma_c": _or_none(clients, "sigma_c"),
        "mean_client_minimizer": _or_none(clients, "mean_minimizer"),
    }


def _or_none(clients: Any, name: str) -> Any:
    """None where a singular client has no minimizer of its own."""
    try:
        return getattr(clients, name)
    except ProblemError:
        return None


def _method(request: Request) -> dict[str, Any]:
    from surrogate import dictionary

    entry = dictionary.entry(request.method)
    settings = dict(request.settings) | ({} if request.eta is None else {"eta": request.eta})
    return {
        "name": request.method,
        "paper": entry.paper,
        "formula": entry.formula,
        "rests_at_minimizer": entry.equals_minimizer,
        "settings": {key: shown(value) for key, value in settings.items()},
    }


def _is_plain(request: Request) -> bool:
    """LocalUpdate with nothing else set: the surrogate loss itself, whatever K costs."""
    return request.method == "local-update" and set(request.settings) <= {"gamma", "theta"}


def _rest(clients: Any, request: Request) -> Any:
    """The field that vanishes where the method rests."""
    if _is_plain(request):
        return arithmetic.core(clients).Surrogate(clients, request.settings["gamma"], request.settings["theta"])
    from surrogate import dictionary

    found = dictionary.field(request.method, clients, **request.settings)
    return arithmetic.core(clients).Field(clients, found.distortion) if arithmetic.is_exact(clients) else found


def _rate(request: Request) -> Any:
    """The server rate to show: the one given, or the method's default where that is a number."""
    from surrogate import methods

    default = methods.describe(request.method).settings.get("eta")
    usual = Fraction(default) if isinstance(default, (int, float)) else None
    return usual if request.eta is None else request.eta


def _moving(rest: Any, request: Request, eta: Any, notes: list[str]) -> tuple[Any, dict[str, Any] | None]:
    """The field that the server really follows, and how fast it settles.

    A field is known at rest up to a common factor G: x+ = x - eta G F(x) rests where F vanishes. LocalUpdate is its own
    field; for other methods without state the round map x+ = x - eta J (x - x~) tells J, and G = J J_rest^-1.
    """
    if _is_plain(request):
        return rest, _speed(rest, eta, best=True)
    try:
        with np.errstate(all="ignore"):  # an adaptive server divides by zero when played from zero: it is not affine
            J, settling = _played(rest.clients, request, eta, notes)
    except (ProblemError, ZeroDivisionError) as error:
        why = str(error).partition(", expected")[0].splitlines()[0]
        notes.append(f"no contraction factor: {why if isinstance(error, ProblemError) else 'the round is not affine'}")
        J, settling = None, None
    if J is None:
        notes.append("condition number, loss and ill-behaved clients are those of the sum above, as written")
        return rest, settling
    after = arithmetic.scaled(rest, J)
    return after, _speed(after, eta, best=True)


def _speed(field: Any, eta: Any, best: bool) -> dict[str, Any]:
    """Norm and radius of I - eta J at the given rate, and at the best one."""
    found: dict[str, Any] = {"at_eta": None, "contracts": None, "best_eta": None, "at_best_eta": None}
    if eta is not None:
        rate = eta if arithmetic.is_exact(field.clients) else float(eta)
        found["at_eta"] = dict(field.contraction(rate)._asdict())
    return found | (arithmetic.at_best_eta(field) if best else {})


def _played(clients: Any, request: Request, eta: Any, notes: list[str]) -> tuple[Any, dict[str, Any] | None]:
    """From the round map of the method's own code: J where the method keeps no state, else how fast it settles."""
    from surrogate import dictionary, methods

    known = methods.describe(request.method).settings
    if _cost(clients, request.settings) > _MOST_PLAYED:
        notes.append("no contraction factor: playing the method's own rounds would take too long for so many steps")
        return None, None
    rate = {"eta": 1} if "eta" in known else {}
    one = dictionary.round_map(request.method, clients, **request.settings, **rate)
    if set(one.names) == {"x"}:  # at eta = 1 the matrix is I - J
        return arithmetic.identity(clients) - one.matrix, None
    if eta is None and rate:
        notes.append(f"{request.method} keeps a state between rounds: give --eta to see how fast it settles")
        return None, None
    given = {"eta": eta} if rate else {}
    floats = clients.to_float() if arithmetic.is_exact(clients) else clients
    found = dictionary.round_map(request.method, floats, **request.settings, **given)
    notes.append(f"the contraction of {request.method} is that of the point and its state together (in float64)")
    at_eta = {"norm": None, "radius": found.radius}
    return None, {"at_eta": at_eta, "contracts": None, "best_eta": None, "at_best_eta": None}


def _most_steps(settings: Mapping[str, Any]) -> int:
    steps = settings.get("steps", settings.get("theta", 1))
    each: list[Any] = steps if isinstance(steps, list) else [steps]
    return max(int(getattr(k, "steps", k)) for k in each)


def _check_size(clients: Any, settings: Mapping[str, Any]) -> None:
    """A step multiplies by gamma A_i, so that K steps of n clients pile up K times the digits of their denominators."""
    rates = settings.get("gamma", Fraction(1))
    rate = max(int(Fraction(g).denominator) for g in (rates if isinstance(rates, list) else [rates]))
    each = (math.lcm(*(int(entry.q) for entry in A.flat)) * rate for A in clients.A)
    bits = _most_steps(settings) * clients.d * sum(denominator.bit_length() for denominator in each)
    limit = _MOST_BITS * (1 if clients.d > 1 else 10)
    if bits > limit:
        raise problem(
            "--steps",
            _most_steps(settings),
            f"at most about {_most_steps(settings) * limit // bits} with --exact on this problem",
            f"fractions of about {bits * 3 // 10:,} digits",
            "leave --exact out (float64 handles a million steps), or take fewer steps",
        )


def _cost(clients: Any, settings: Mapping[str, Any]) -> int:
    return _most_steps(settings) * int(clients.n) * int(clients.d)
