"""OLR Theorems 16 and 17, and our sharper one, beside the truth, with what ``theorems/`` has found about them."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import TypedDict

from surrogate import bounds
from surrogate._types import QuadraticClients, Rates, Scalar
from surrogate.bounds import STATEMENTS
from surrogate.kit import entries
from surrogate.kit.errors import ProblemError
from surrogate.reports import arithmetic
from surrogate.reports.request import Request
from surrogate.theta import Theta

__all__ = ["NAMES", "BoundFacts", "beside_truth", "displacement_bound", "judged", "verdicts"]

NOT_JUDGED = "not judged yet"
NAMES = {"theorem_16": "OLR Theorem 16", "theorem_17": "OLR Theorem 17", "theorem_17b": "ours (OLR.T17b)"}


class BoundFacts(TypedDict):
    """A theorem's bound on the displacement beside the truth, or why it says nothing, and the theorem's verdict."""

    id: str
    name: str
    bound: Scalar | None
    truth: Scalar
    truth_over_bound: Scalar | None
    says_nothing_because: str | None
    verdict: str


def beside_truth(clients: QuadraticClients, request: Request, truth: Scalar) -> list[BoundFacts]:
    """For LocalUpdate: each theorem's bound on the displacement, or why it says nothing here."""
    if request.method != "local-update" or not set(request.settings) <= {"gamma", "theta"}:
        return []
    gamma, theta = request.settings["gamma"], request.settings["theta"]
    recorded = verdicts()
    rows: list[BoundFacts] = []
    for name, title in NAMES.items():
        silent = _why_silent(clients, gamma, theta, name)
        bound = None if silent else displacement_bound(name, clients, _rate(clients, gamma), theta)
        ratio = None if bound is None or not bound > 0 else truth / bound
        rows.append(
            {
                "id": STATEMENTS[name],
                "name": title,
                "bound": bound,
                "truth": truth,
                "truth_over_bound": ratio,
                "says_nothing_because": silent,
                "verdict": recorded.get(STATEMENTS[name], NOT_JUDGED),
            }
        )
    return rows


def judged(name: str) -> str:
    """The recorded verdict of the statement that judges the function ``name`` of ``surrogate.bounds``."""
    return verdicts().get(STATEMENTS[name], NOT_JUDGED)


def displacement_bound(name: str, clients: QuadraticClients, gamma: Scalar, theta: Theta) -> Scalar:
    """The bound ``name`` on ||x~ - x*|| at a client rate, or at an array of them."""
    constants = (clients.mu, clients.L, clients.sigma_A, clients.sigma_c)
    bound: Scalar
    if name == "theorem_16":
        bound = bounds.theorem_16(*constants, gamma, theta)
    elif name == "theorem_17":
        bound = bounds.theorem_17(*constants, gamma, theta.steps)
    else:
        bound = bounds.theorem_17b(clients.mu, clients.L, clients.sigma_c, gamma, theta.steps)
    return bound


def _why_silent(clients: QuadraticClients, gamma: Rates, theta: Theta | list[Theta], name: str) -> str | None:
    """Which hypothesis fails, if one does."""
    if isinstance(gamma, Sequence) or isinstance(theta, list):
        return "gamma or the steps differ between clients"
    if name != "theorem_16" and not _is_sum(theta):
        return "theta is not a sum of steps"
    if any(weight < 0 for weight in theta.given):
        return "theta has a negative weight"
    if not clients.mu > 0:
        return "a client is singular (mu = 0)"
    try:
        _ = clients.sigma_c
    except ProblemError:
        return "a client has no minimizer"
    z = _rate(clients, gamma) * clients.L
    return None if z < 1 else f"gamma L = {float(z):.4g}, not below 1"


def _is_sum(theta: Theta) -> bool:
    """Theta_{1:K}, in whatever words (one step is a sum, too)."""
    if theta.kind == "last":
        return theta.steps == 1
    return theta.kind == "sum" or all(weight == 1 for weight in theta.given)


def _rate(clients: QuadraticClients, gamma: Scalar) -> Scalar:
    if not arithmetic.is_exact(clients):
        return float(gamma)
    from surrogate.numbers.matrices import rational

    return rational(gamma)


def verdicts() -> dict[str, str]:
    """What is known of statements, in words, by id: from every package with an entry point `surrogate.verdicts`."""
    found: dict[str, str] = {}
    for point in entries.points("surrogate.verdicts").values():
        with suppress(ModuleNotFoundError):
            found |= entries.load(point)()
    return found
