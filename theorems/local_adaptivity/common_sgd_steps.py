"""LA Appendix B: one-dimensional losses with piecewise linear gradients, and noise of two points."""

from itertools import product

from theorems.local_adaptivity.common import WEIGHTS, between, positive, shares
from theorems.vocabulary import *


def bent(s: Instance, t: Scalar) -> Any:
    """F'(t) = right t for t >= 0, left t for t <= 0: mu and L are the smaller and the larger slope."""
    above = s.nb.maximum(t, t * 0)
    return s.right * above + s.left * (t - above)


def bent_losses(cursor: Cursor, bends: bool = False) -> dict[str, Any]:
    """Two slopes in (0, 1], mu and L; ``bends``: slopes in [-1, 1], so that F need not be convex."""
    right, left = (1 - 2 * cursor.take() if bends else positive(cursor, 1e-3) for _ in range(2))
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


def distribution(cursor: Cursor, n: int, beyond: int = 0) -> Instance:
    """X takes n ordered values t_j with weights w_j; F' has a slope in [0, L] between t_j and t_{j+1}, L <= 4.

    ``beyond`` = 1: slopes from -L to 2 L.
    """
    L = 4 * positive(cursor, 1e-3)
    gaps = [positive(cursor, 1e-3) for _ in range(n - 1)]
    slopes = [L * ((1 + 2 * beyond) * cursor.take() - beyond) for _ in range(n - 1)]
    t, f = [L * 0], [L * 0]
    for gap, slope in zip(gaps, slopes, strict=True):
        t, f = [*t, t[-1] + gap], [*f, f[-1] + slope * gap]
    return Instance(nb=cursor.nb, n=n, L=L, t=np.stack(t, -1), f=np.stack(f, -1), w=shares(cursor, n))


def _smooth(s: Instance) -> list[Comparison]:
    found = [that("L > 0", s.L) > s.L * 0]
    for j in range(s.n - 1):
        gap, rise = s.t[:, j + 1] - s.t[:, j], s.f[:, j + 1] - s.f[:, j]
        found += [that(f"{j} up", rise) >= rise * 0, that(f"{j} at most L", rise) <= s.L * gap]
    return found


CHANCES = replace(WEIGHTS, name="chances w_j > 0, sum w_j = 1", role="what a random X takes its values with")
SMOOTH = Hypothesis(
    "F is convex and L-smooth",
    _smooth,
    Domain(lambda cursor, n: distribution(cursor, n, 1), grid(n=(2, 3)), "slopes of F' from -L to 2L"),
)


def scaled_constants(cursor: Cursor, top: int = 1, steep: int = 1, bends: bool = False) -> Instance:
    """0 < mu <= h <= L <= 2 for a Hessian h of the segment from y to x, and eta <= 2 top/(mu + L).

    ``bends``: mu from -L/2; ``steep``: h up to that multiple of L.
    """
    L = 2 * positive(cursor, 1e-2)
    mu = L * positive(cursor, 1e-2)
    mu = (3 * mu - L) / 2 if bends else mu
    h = mu + (steep * L - mu) * cursor.take()
    return Instance(nb=cursor.nb, L=L, mu=mu, h=h, eta=2 * top * cursor.take() / (mu + L))


def scaled_domain(says: str, **options: Any) -> Domain:
    return Domain(lambda cursor, K: scaled_constants(cursor, **options), ({"K": 1},), says)


def _step_range(s: Instance) -> list[Comparison]:
    high = that("eta (mu + L) < 2", s.eta * (s.mu + s.L)) < s.eta * 0 + 2
    return [that("eta > 0", s.eta) > s.eta * 0, high]


def _between(s: Instance) -> list[Comparison]:
    return [that("mu <= h", s.mu) <= s.h, that("h <= L", s.h) <= s.L]


ONE_STEP = (
    between("mu > 0", lambda s: s.mu, 0, without=scaled_domain("mu from -L/2", bends=True)),
    Hypothesis("0 < eta < 2/(mu + L)", _step_range, scaled_domain("eta up to 4/(mu + L)", top=2)),
    Hypothesis("mu <= h <= L", _between, scaled_domain("h up to 2L", steep=2)),
)
