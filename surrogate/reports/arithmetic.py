"""Fields, spectra and rates of a report, for float64 clients and exact ones."""

from __future__ import annotations

import contextlib
from contextlib import AbstractContextManager
from fractions import Fraction
from typing import Any

import numpy as np

from surrogate import numbers
from surrogate._types import Numbers, QuadraticClients, Scalar
from surrogate.kit.errors import ProblemError
from surrogate.linear_fields import LinearField

__all__ = ["at_best_eta", "condition_number", "core", "identity", "is_exact", "scaled", "undistorted"]

AnyField = LinearField[Any, Any]  # of float64 clients, or of exact ones


def is_exact(clients: QuadraticClients) -> bool:
    """Are these clients of ``surrogate.exact``?"""
    return numbers.is_exact(clients.A)


def core(clients: QuadraticClients) -> Any:
    """The package that holds ``Field`` and ``Surrogate`` for these clients."""
    import surrogate

    return surrogate.exact if is_exact(clients) else surrogate


def identity(clients: QuadraticClients) -> Numbers:
    """The identity matrix in the clients' numbers."""
    return np.asarray(numbers.kind(clients.A).array(np.eye(clients.d), "the identity"))


def undistorted(clients: QuadraticClients) -> AnyField:
    """The field grad f itself: every distortion the identity."""
    field: AnyField = core(clients).Field(clients, np.stack([identity(clients)] * clients.n))
    return field


def scaled(rest: AnyField, J: Numbers) -> AnyField:
    """The field G F with Jacobian ``J``, where F is ``rest``: G = J J_rest^-1, the same for all clients."""
    given = numbers.kind(rest.jacobian).array(J, "J")
    G = numbers.solve(rest.jacobian.T, given.T).T
    field: AnyField = core(rest.clients).Field(rest.clients, np.stack([G @ D for D in rest.distortion]))
    return field


def _spectrum(field: AnyField) -> tuple[Scalar, Scalar] | None:
    """Smallest and largest eigenvalue of the mean Jacobian; None where they are not all real and positive."""
    if is_exact(field.clients):
        from surrogate.exact.spectra import real_roots
        from surrogate.numbers.matrices import matrix

        roots = real_roots(matrix(field.jacobian).charpoly())
        return (roots[0], roots[-1]) if len(roots) == field.clients.d and roots[0] > 0 else None
    J = field.jacobian
    values = np.linalg.eigvalsh((J + J.T) / 2) if field.has_loss("euclidean") else np.linalg.eigvals(J)
    most = float(np.abs(values).max())
    if np.abs(values.imag).max() > 1e-9 * most or values.real.min() <= 1e-15 * most:
        return None
    return float(values.real.min()), float(values.real.max())


def _precision(field: AnyField) -> AbstractContextManager[object]:
    """In which balls of this field are computed with."""
    if not is_exact(field.clients):
        return contextlib.nullcontext()
    from surrogate.numbers.balls import working

    return working()


def condition_number(field: AnyField) -> Scalar | None:
    """Largest over smallest eigenvalue of the mean Jacobian; None where they are not all real and positive."""
    ends = _spectrum(field)
    if ends is None:
        return None
    with _precision(field):
        ratio: Scalar = ends[1] / ends[0]
    return ratio


def at_best_eta(field: AnyField) -> tuple[bool, Scalar | None, dict[str, Scalar | None] | None]:
    """Whether some server rate contracts, the best one, and the contraction there.

    With a real spectrum in [m, M] the best rate is 2 / (m + M), with radius (M - m) / (M + m); a symmetric Jacobian
    has that norm, too. Else the search of ``best_eta``; an enclosure of it is replaced by a rational inside it.
    """
    ends = _spectrum(field)
    if ends is not None and field.has_loss("euclidean"):
        least, most = ends
        with _precision(field):
            rate, radius = 2 / (least + most), (most - least) / (most + least)
        return True, rate, {"norm": radius, "radius": radius}
    try:
        rate = field.best_eta
    except ProblemError:
        return False, None, None
    inside = _rational_middle(rate) if is_exact(field.clients) else rate
    return True, rate, dict(field.contraction(inside)._asdict())


def _rational_middle(ball: Any) -> Fraction:
    mantissa, exponent = ball.mid().man_exp()
    return Fraction(int(mantissa)) * Fraction(2) ** int(exponent)
