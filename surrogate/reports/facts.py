"""Everything a report says, as numbers (floats, or rationals and balls), before it is shown."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any, TypedDict

import numpy as np

from surrogate import numbers
from surrogate._types import Numbers, QuadraticClients, Scalar, Settings
from surrogate.kit.errors import ProblemError, problem
from surrogate.problems import Problem
from surrogate.reports import arithmetic, bounds
from surrogate.reports.arithmetic import AnyField
from surrogate.reports.bounds import BoundFacts
from surrogate.reports.request import Request, as_text

__all__ = ["Report", "Speed", "report"]

_MOST_BITS = 700_000  # of the fractions that an exact report handles within seconds
_MOST_PLAYED = 300_000  # client steps that reading off a round map may cost


class ProblemFacts(TypedDict):
    """The clients, and what their Hessians and minimizers are like."""

    source: str
    clients: int
    dimension: int
    weights: str | list[Scalar]  # "equal", or one a client
    mu: Scalar
    L: Scalar
    sigma_A: Scalar
    sigma_c: Scalar | None
    mean_client_minimizer: Numbers | None


class MethodFacts(TypedDict):
    """The method, and the settings that it runs with as texts."""

    name: str
    paper: str
    formula: str
    rests_at_minimizer: str
    settings: dict[str, str]


class Speed(TypedDict):
    """Norm and radius of I - eta J, at the given server rate and at the best one."""

    at_eta: dict[str, Scalar | None] | None
    contracts: bool | None
    best_eta: Scalar | None
    at_best_eta: dict[str, Scalar | None] | None


class Contraction(TypedDict):
    """How fast the true loss and the method settle at the server rate ``eta``."""

    eta: Scalar | None
    before: Speed
    after: Speed | None


class Report(TypedDict):
    """What ``surrogate toy`` knows of a problem and a method; numbers are floats, or ``fmpq`` and ``arb``."""

    problem: ProblemFacts
    method: MethodFacts
    minimizer: Numbers
    resting_point: Numbers
    displacement: Numbers
    distance: Scalar
    has_loss: dict[str, bool]
    ill_behaved: list[int]
    condition_number: dict[str, Scalar | None]
    contraction: Contraction
    bounds: list[BoundFacts]
    notes: list[str]
    exact: bool


def report(problem_: Problem, request: Request) -> Report:
    """Where the requested method rests on a problem, how far from x*, how fast it settles, and what theorems say."""
    clients = problem_.clients
    if arithmetic.is_exact(clients):
        _check_size(clients, request.settings)
    notes = list(request.notes)
    before, rest = arithmetic.undistorted(clients), _rest(clients, request)
    moved = rest.displacement
    eta = _rate(request)
    after, settling = _moving(rest, request, eta, notes)
    distance = numbers.norm(moved)
    return {
        "problem": _problem(problem_),
        "method": _method(request),
        "minimizer": clients.minimizer,
        "resting_point": rest.resting_point,
        "displacement": moved,
        "distance": distance,
        "has_loss": {metric: after.has_loss(metric) for metric in ("euclidean", "any")},
        "ill_behaved": list(after.ill_behaved),
        "condition_number": {
            "before": arithmetic.condition_number(before),
            "after": arithmetic.condition_number(after),
        },
        "contraction": {
            "eta": eta,
            "before": _speed(before, eta),
            "after": settling,
        },
        "bounds": bounds.beside_truth(clients, request, distance),
        "notes": notes,
        "exact": arithmetic.is_exact(clients),
    }


def _problem(problem_: Problem) -> ProblemFacts:
    clients = problem_.clients
    weights = list(clients.weights)
    return {
        "source": problem_.source,
        "clients": clients.n,
        "dimension": clients.d,
        "weights": "equal" if all(w == weights[0] for w in weights) else weights,
        "mu": clients.mu,
        "L": clients.L,
        "sigma_A": clients.sigma_A,
        "sigma_c": _or_none(clients, "sigma_c"),
        "mean_client_minimizer": _or_none(clients, "mean_minimizer"),
    }


def _or_none(clients: QuadraticClients, name: str) -> Any:
    """None where a singular client has no minimizer of its own."""
    try:
        return getattr(clients, name)
    except ProblemError:
        return None


def _method(request: Request) -> MethodFacts:
    from surrogate import dictionary

    entry = dictionary.entry(request.method)
    settings = dict(request.settings) | ({} if request.eta is None else {"eta": request.eta})
    return {
        "name": request.method,
        "paper": entry.paper,
        "formula": entry.formula,
        "rests_at_minimizer": entry.equals_minimizer,
        "settings": {key: as_text(value) for key, value in settings.items()},
    }


def _is_plain(request: Request) -> bool:
    """LocalUpdate with nothing else set: the surrogate loss itself, whatever K costs."""
    return request.method == "local-update" and set(request.settings) <= {"gamma", "theta"}


def _rest(clients: QuadraticClients, request: Request) -> AnyField:
    """The field that vanishes where the method rests."""
    if _is_plain(request):
        surrogate: AnyField = arithmetic.core(clients).Surrogate(
            clients, request.settings["gamma"], request.settings["theta"]
        )
        return surrogate
    from surrogate import dictionary

    found = dictionary.field(request.method, clients, **request.settings)
    return arithmetic.core(clients).Field(clients, found.distortion) if arithmetic.is_exact(clients) else found


def _rate(request: Request) -> Scalar | None:
    """The server rate to show: the one given, or the method's default where that is a number."""
    from surrogate import methods

    default = methods.describe(request.method).settings.get("eta")
    usual = Fraction(default) if isinstance(default, (int, float)) else None
    return usual if request.eta is None else request.eta


def _moving(rest: AnyField, request: Request, eta: Scalar | None, notes: list[str]) -> tuple[AnyField, Speed | None]:
    """The field that the server really follows, and how fast it settles.

    A field is known at rest up to a common factor G: x+ = x - eta G F(x) rests where F vanishes. LocalUpdate is its own
    field; for other methods without state the round map x+ = x - eta J (x - x~) tells J, and G = J J_rest^-1.
    """
    if _is_plain(request):
        return rest, _speed(rest, eta)
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
    return after, _speed(after, eta)


def _speed(field: AnyField, eta: Scalar | None) -> Speed:
    """Norm and radius of I - eta J at the given rate, and at the best one."""
    at_eta = None
    if eta is not None:
        rate = eta if arithmetic.is_exact(field.clients) else float(eta)
        at_eta = dict(field.contraction(rate)._asdict())
    contracts, best_eta, at_best_eta = arithmetic.at_best_eta(field)
    return {"at_eta": at_eta, "contracts": contracts, "best_eta": best_eta, "at_best_eta": at_best_eta}


def _played(
    clients: Any, request: Request, eta: Scalar | None, notes: list[str]
) -> tuple[Numbers | None, Speed | None]:
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
    at_eta: dict[str, Scalar | None] = {"norm": None, "radius": found.radius}
    return None, {"at_eta": at_eta, "contracts": None, "best_eta": None, "at_best_eta": None}


def _most_steps(settings: Settings) -> int:
    steps = settings.get("steps", settings.get("theta", 1))
    each: list[Any] = steps if isinstance(steps, list) else [steps]
    return max(int(getattr(k, "steps", k)) for k in each)


def _check_size(clients: QuadraticClients, settings: Settings) -> None:
    """A step multiplies by gamma A_i, so that K steps of n clients pile up K times the digits of their denominators."""
    rates: Any = settings.get("gamma", Fraction(1))
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


def _cost(clients: QuadraticClients, settings: Settings) -> int:
    return _most_steps(settings) * int(clients.n) * int(clients.d)
