"""Two states of SGDM and the derivative of their distance: the instances of (42), (43) and (49)."""

from theorems.fedda.common import below_one, vanishes
from theorems.vocabulary import *


def _decode(cursor: Cursor, n: int, d: int) -> Instance:
    """Clients at W^i = y_i, the centralized model at x; momenta v and m anywhere."""

    def vector() -> Any:
        return np.stack([1 - 2 * u for u in cursor.many(d)], -1)

    p = clients(cursor, n, d, weighted=True)
    y = np.stack([vector() for _ in range(n)], -2)
    x, v, m = vector(), vector(), vector()
    return Instance(p=p, y=y, x=x, v=v, m=m, beta=below_one(cursor))


def states() -> Domain:
    return Domain(_decode, grid(n=(1, 2, 3), d=(1, 2)), "convex quadratic clients at any states")


def gradients_at(p: Any, points: Scalar) -> Any:
    """g^i at points (..., n, d)."""
    return (p.A @ (points - p.c)[..., None])[..., 0]


def dot(u: Any, v: Scalar) -> Any:
    return (u * v).sum(axis=-1)


def cauchy_schwarz() -> None:
    """|u|^2 |v|^2 - <u, v>^2 is a sum of squares (Lagrange, d <= 3); and what it gives for <D, -D + G + R>."""
    for d in (1, 2, 3):
        u, v = sympy.symbols(f"u:{d}"), sympy.symbols(f"v:{d}")
        squares = sum((u[i] * v[j] - u[j] * v[i]) ** 2 for i in range(d) for j in range(i))
        lengths = sum(a * a for a in u) * sum(b * b for b in v)
        vanishes(lengths - sum(a * b for a, b in zip(u, v, strict=True)) ** 2 - squares, f"d = {d}")
    along, across, M, G, R, far = reals("along across M G R far")
    given = [M >= 0, R >= 0, along <= M * G, across <= M * R, G <= far]
    smt(given, -M * M + along + across <= -M * M + M * (far + R))
