"""LA Appendix B: one-dimensional losses with piecewise linear gradients, and noise of two points."""

from itertools import product

from theorems.local_adaptivity.common import positive, shares
from theorems.vocabulary import *


def bent(s: Instance, t: Scalar) -> Any:
    """F'(t) = right t for t >= 0, left t for t <= 0: mu and L are the smaller and the larger slope."""
    above = s.nb.maximum(t, t * 0)
    return s.right * above + s.left * (t - above)


def bent_losses(cursor: Cursor) -> dict[str, Any]:
    """Two slopes in (0, 1], mu and L."""
    right, left = positive(cursor, 1e-3), positive(cursor, 1e-3)
    return {"right": right, "left": left, "mu": cursor.nb.minimum(right, left), "L": cursor.nb.maximum(right, left)}


def descents(s: Instance, start: Any, k: int, noise: Callable[[Any], Any]) -> list[Any]:
    """All 2^k equally likely ends of k steps x - eta (F'(x) +- noise(x)): the same signs for every start."""
    ends = []
    for signs in product((1, -1), repeat=k):
        x = start
        for sign in signs:
            x = x - s.eta * (bent(s, x) + sign * noise(x))
        ends.append(x)
    return ends


def mean(values: list[Any]) -> Any:
    return sum(values[1:], start=values[0]) / len(values)


def distribution(cursor: Cursor, n: int) -> Instance:
    """X takes n ordered values t_j with weights w_j; F' has slope h_j <= L between t_j and t_{j+1}; L is ``L``."""
    L = 2 * positive(cursor, 1e-2)
    gaps = [positive(cursor, 1e-3) for _ in range(n - 1)]
    slopes = [L * cursor.take() for _ in range(n - 1)]
    t, f = [L * 0], [L * 0]
    for gap, slope in zip(gaps, slopes, strict=True):
        t, f = [*t, t[-1] + gap], [*f, f[-1] + slope * gap]
    return Instance(nb=cursor.nb, n=n, L=L, t=np.stack(t, -1), f=np.stack(f, -1), w=shares(cursor, n))


def scaled_constants(cursor: Cursor, top: Scalar = 1) -> Instance:
    """0 < mu <= h <= L <= 2 for a Hessian h of the segment from y to x, and eta <= 2 top/(mu + L)."""
    L = 2 * positive(cursor, 1e-2)
    mu = L * positive(cursor, 1e-2)
    h = mu + (L - mu) * cursor.take()
    return Instance(nb=cursor.nb, L=L, mu=mu, h=h, eta=2 * top * cursor.take() / (mu + L))
