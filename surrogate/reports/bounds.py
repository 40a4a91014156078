"""OLR Theorems 16 and 17, and our sharper one, beside the truth, with what ``theorems/`` has found about them."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from surrogate import bounds
from surrogate.bounds import STATEMENTS
from surrogate.kit import entries
from surrogate.kit.errors import ProblemError
from surrogate.reports import arithmetic
from surrogate.reports.request import Request
from surrogate.theta import Theta

__all__ = ["NAMES", "beside_truth", "displacement_bound", "judged", "verdicts"]

NOT_JUDGED = "not judged yet"
NAMES = {"theorem_16": "OLR Theorem 16", "theorem_17": "OLR Theorem 17", "theorem_17b": "ours (OLR.T17b)"}


def beside_truth(clients: Any, request: Request, truth: Any) -> list[dict[str, Any]]:
    """For LocalUpdate: each theorem's bound on the displacement, or why it says nothing here."""
    if request.method != "local-update" or not set(request.settings) <= {"gamma", "theta"}:
        return []
    gamma, theta = request.settings["gamma"], request.settings["theta"]
    recorded = verdicts()
    rows = []
    for name, title in NAMES.items():
        silent = _why_silent(clients, gamma, theta, name)
        bound = None if silent else displacement_bound(name, clients, _numbers(clients, gamma), theta)
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


def displacement_bound(name: str, clients: Any, gamma: Any, theta: Theta) -> Any:
    """The bound ``name`` on ||x~ - x*|| at a client rate, or at an array of them."""
    constants = (clients.mu, clients.L, clients.sigma_A, clients.sigma_c)
    if name == "theorem_16":
        return bounds.theorem_16(*constants, gamma, theta)
    if name == "theorem_17":
        return bounds.theorem_17(*constants, gamma, theta.steps)
    return bounds.theorem_17b(clients.mu, clients.L, clients.sigma_c, gamma, theta.steps)


def _why_silent(clients: Any, gamma: Any, theta: Any, name: str) -> str | None:
    """Which hypothesis fails, if one does."""
    if isinstance(gamma, list) or isinstance(theta, list):
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
    z = _numbers(clients, gamma) * clients.L
    return None if z < 1 else f"gamma L = {float(z):.4g}, not below 1"


def _is_sum(theta: Theta) -> bool:
    """Theta_{1:K}, in whatever words (one step is a sum, too)."""
    if theta.kind == "last":
        return theta.steps == 1
    return theta.kind == "sum" or all(weight == 1 for weight in theta.given)


def _numbers(clients: Any, gamma: Any) -> Any:
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
