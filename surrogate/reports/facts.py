"""Everything a report says, as numbers (floats, or rationals and balls), before it is shown."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from surrogate.errors import ProblemError
from surrogate.problems import Problem
from surrogate.reports import arithmetic, bounds
from surrogate.reports.request import Request, shown

__all__ = ["report"]

_MOST_PLAYED = 300_000  # client steps that reading off a round map may cost


def report(problem: Problem, request: Request) -> dict[str, Any]:
    """The facts: a dictionary of plain values, whose numbers are floats, or ``fmpq`` and ``arb``."""
    clients = problem.clients
    before, after = arithmetic.undistorted(clients), _after(clients, request)
    moved = after.displacement
    notes = list(request.notes)
    facts = {
        "problem": _problem(problem),
        "method": _method(request),
        "minimizer": clients.minimizer,
        "resting_point": after.resting_point,
        "displacement": moved,
        "distance": arithmetic.norm(moved),
        "has_loss": {metric: after.has_loss(metric) for metric in ("euclidean", "any")},
        "ill_behaved": list(after.ill_behaved),
        "condition_number": {
            "before": arithmetic.condition_number(before),
            "after": arithmetic.condition_number(after),
        },
        "contraction": _contraction(before, after, request, notes),
    }
    facts["bounds"] = bounds.beside_truth(clients, request, facts["distance"])
    facts["notes"] = notes
    facts["exact"] = arithmetic.is_exact(clients)
    return facts


def _problem(problem: Problem) -> dict[str, Any]:
    clients = problem.clients
    weights = list(clients.weights)
    return {
        "source": problem.source,
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


def _after(clients: Any, request: Request) -> Any:
    """The field that vanishes where the method rests."""
    if _is_plain(request):
        return arithmetic.surrogate(clients, request.settings["gamma"], request.settings["theta"])
    from surrogate import dictionary

    found = dictionary.field(request.method, clients, **request.settings)
    return arithmetic.field(clients, found.distortion) if arithmetic.is_exact(clients) else found


def _contraction(before: Any, after: Any, request: Request, notes: list[str]) -> dict[str, Any]:
    """What one round does to the distance to rest, for f and for the method, at eta and at the best eta."""
    found: dict[str, Any] = {"eta": request.eta, "before": _speed(before, request.eta, best=True)}
    if _is_plain(request):
        return found | {"after": _speed(after, request.eta, best=True)}
    try:
        return found | {"after": _played(after.clients, request, notes)}
    except ProblemError as error:
        notes.append(f"no contraction factor: {str(error).splitlines()[0]}")
        return found | {"after": None}


def _speed(field: Any, eta: Any, best: bool) -> dict[str, Any]:
    """Norm and radius of I - eta J at the given rate, and at the best one."""
    found: dict[str, Any] = {"at_eta": None, "best_eta": None, "at_best_eta": None}
    if eta is not None:
        rate = eta if arithmetic.is_exact(field.clients) else float(eta)
        found["at_eta"] = dict(field.contraction(rate)._asdict())
    return found | (arithmetic.at_best_eta(field) if best else {})


def _played(clients: Any, request: Request, notes: list[str]) -> dict[str, Any] | None:
    """The same from the exact round map of the method's own code."""
    from surrogate import dictionary, methods

    known = methods.describe(request.method).settings
    if _cost(clients, request.settings) > _MOST_PLAYED:
        notes.append(
            "no contraction factor: reading it off the method's own rounds would take too long for so many steps"
        )
        return None
    rate = {"eta": 1} if "eta" in known else {}
    one = dictionary.round_map(request.method, clients, **request.settings, **rate)
    if set(one.names) == {"x"}:  # x+ = x - eta J (x - x~): at eta = 1 the matrix is I - J
        field = arithmetic.with_jacobian(clients, arithmetic.identity(clients) - one.matrix)
        return _speed(field, request.eta if rate else 1, best=bool(rate))
    if request.eta is None and known.get("eta") == "required":
        notes.append(f"{request.method} keeps a state between rounds: give --eta to see how fast it settles")
        return None
    given = {} if request.eta is None else {"eta": request.eta}
    floats = clients.to_float() if arithmetic.is_exact(clients) else clients
    found = dictionary.round_map(request.method, floats, **request.settings, **given)
    notes.append("the contraction factor is that of the point and the method's state together")
    return {"at_eta": {"norm": None, "radius": found.radius}, "best_eta": None, "at_best_eta": None}


def _cost(clients: Any, settings: Mapping[str, Any]) -> int:
    steps = settings.get("steps", settings.get("theta", 1))
    most = max(int(getattr(k, "steps", k)) for k in (steps if isinstance(steps, list) else [steps]))
    return most * int(clients.n) * int(clients.d)
