"""The few operations that differ between float64 and exact reports."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np

from surrogate.kit.errors import ProblemError

__all__ = [
    "at_best_eta",
    "condition_number",
    "field",
    "identity",
    "is_exact",
    "norm",
    "scaled",
    "surrogate",
    "undistorted",
]


def is_exact(clients: Any) -> bool:
    """Are these clients of ``surrogate.exact``?"""
    return bool(clients.A.dtype == object)


def surrogate(clients: Any, gamma: Any, theta: Any) -> Any:
    """The surrogate loss of LocalUpdate."""
    if is_exact(clients):
        from surrogate.exact import Surrogate as Exact

        return Exact(clients, gamma, theta)
    from surrogate.local_update import Surrogate

    rates = [float(g) for g in gamma] if isinstance(gamma, list) else float(gamma)
    return Surrogate(clients, rates, theta)


def field(clients: Any, distortion: Any) -> Any:
    """The field with these distortions."""
    if is_exact(clients):
        from surrogate.exact import Field as Exact

        return Exact(clients, distortion)
    from surrogate.fields import Field

    return Field(clients, distortion)


def identity(clients: Any) -> Any:
    """The identity matrix in the clients' numbers."""
    if not is_exact(clients):
        return np.eye(clients.d)
    from surrogate.exact.spectra import identity as unit
    from surrogate.numbers.matrices import table

    return table(unit(clients.d))


def undistorted(clients: Any) -> Any:
    """The field grad f itself: every distortion the identity."""
    return field(clients, np.stack([identity(clients)] * clients.n))


def scaled(rest: Any, J: Any) -> Any:
    """The field G F with Jacobian ``J``, where F is ``rest``: G = J J_rest^-1, the same for all clients."""
    if is_exact(rest.clients):
        from surrogate.numbers.matrices import matrix, table

        G = table(matrix(np.asarray(J, dtype=object)) * matrix(rest.jacobian).inv())
    else:
        G = np.linalg.solve(rest.jacobian.T, np.asarray(J, dtype=float).T).T
    return field(rest.clients, np.stack([G @ D for D in rest.distortion]))


def norm(v: Any) -> Any:
    """The Euclidean norm: a float, a rational where it is one, or a ball."""
    if v.dtype != object:
        return math.hypot(*v)  # whose squares neither overflow nor vanish
    from flint import arb, fmpq

    square = sum((entry * entry for entry in v[1:]), v[0] * v[0])
    p, q = math.isqrt(int(square.p)), math.isqrt(int(square.q))
    if p * p == square.p and q * q == square.q:
        return fmpq(p, q)
    from surrogate.numbers.balls import working

    with working():
        return arb(square).sqrt()


def _spectrum(field: Any) -> tuple[Any, Any] | None:
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


def _with_balls(least: Any, most: Any, compute: Any) -> Any:
    """``compute`` on the two, both balls if one is."""
    if isinstance(least, float) or not (hasattr(least, "rad") or hasattr(most, "rad")):
        return compute(least, most)
    from surrogate.numbers.balls import balls, working

    with working():
        return compute(balls(least), balls(most))


def condition_number(field: Any) -> Any:
    """Largest over smallest eigenvalue of the mean Jacobian; None where they are not all real and positive."""
    found = _spectrum(field)
    return None if found is None else _with_balls(*found, lambda least, most: most / least)


def at_best_eta(field: Any) -> dict[str, Any]:
    """Whether some server rate contracts, the best one, and the contraction there.

    With a real spectrum in [m, M] the best rate is 2 / (m + M), with radius (M - m) / (M + m); a symmetric Jacobian
    has that norm, too. Else the search of ``best_eta``; an enclosure of it is replaced by a rational inside it.
    """
    found = _spectrum(field)
    if found is not None and field.has_loss("euclidean"):
        rate = _with_balls(*found, lambda least, most: 2 / (least + most))
        radius = _with_balls(*found, lambda least, most: (most - least) / (most + least))
        return {"contracts": True, "best_eta": rate, "at_best_eta": {"norm": radius, "radius": radius}}
    try:
        rate = field.best_eta
    except ProblemError:
        return {"contracts": False}
    inside = _rational_middle(rate) if is_exact(field.clients) else rate
    return {"contracts": True, "best_eta": rate, "at_best_eta": dict(field.contraction(inside)._asdict())}


def _rational_middle(ball: Any) -> Fraction:
    mantissa, exponent = ball.mid().man_exp()
    return Fraction(int(mantissa)) * Fraction(2) ** int(exponent)
