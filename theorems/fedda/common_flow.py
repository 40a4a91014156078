"""The systems (19), (22) and (40) solved in closed form on quadratic clients in d = 1, where all roots are real."""

from theorems.vocabulary import *


def flow(cursor: Cursor, n: int, t: int, top: int = 1) -> Instance:
    """n clients with a_i = k r_i (1 - r_i), k = (1 - beta)/eta, 1/40 <= r_i <= 1/4: every path is overdamped.

    W starts at 1, and m between the slow and the fast motion (``mode`` in [0, 1]), so that W and m fall monotonously.
    """
    nb = cursor.nb
    one = cursor.u[..., 0] * 0 + 1
    beta, eta = _inside(cursor), 1 - _inside(cursor)
    share = [Fraction(1, 4) - Fraction(9, 40) * u if nb.exact else 0.25 - 0.225 * u for u in cursor.many(n)]
    a = np.stack([(1 - beta) / (eta * top) * r * (1 - r) for r in share], -1)
    c = np.stack([one * 0, *(1 - 2 * cursor.take() for _ in range(n - 1))], -1)
    raw = [one, *(1 - cursor.take() for _ in range(n - 1))]
    p = np.stack([w / sum(raw) for w in raw], -1)
    fields = {"x": one, "mode": cursor.take(), "beta": beta, "eta": eta * top}
    return Instance(nb=nb, p=p, a=a, c=c, **fields, n=n, t=t)


def _inside(cursor: Cursor) -> Any:
    u = cursor.take()
    return u if cursor.nb.exact else np.clip(u, 0.0, 0.99)


def flows(n: tuple[int, ...] = (1, 2, 3), t: tuple[int, ...] = (1, 2, 5, 20, 100), top: int = 1) -> Domain:
    """The domain of statements about deviations after the time t eta."""
    return Domain(
        lambda cursor, **discrete: flow(cursor, **discrete, top=top),
        grid(n=n, t=t),
        "convex quadratic clients in d = 1, overdamped, monotone W and m, 0 < eta <= 1, t up to 100",
    )


def start(s: Instance) -> Instance:
    """k, the total Hessian H and minimizer, the distance y of the start, the roots and m(0)."""
    k, H = (1 - s.beta) / s.eta, (s.p * s.a).sum(axis=-1)
    centre = (s.p * s.a * s.c).sum(axis=-1) / H
    gap = s.nb.sqrt(k * k - 4 * k * H)
    slow, y = (k - gap) / 2, s.x - centre
    return Instance(k=k, H=H, centre=centre, y=y, slow=slow, fast=slow + gap, m=y * (slow + s.mode * gap))


def sgdm_at(s: Instance, tau: Scalar) -> tuple[Any, Any]:
    """(W, m) of (19): W - W* = y ((1 - mode) exp(-slow tau) + mode exp(-fast tau)), m = -W'."""
    f = start(s)
    first, second = (1 - s.mode) * s.nb.exp(-(f.slow * tau)), s.mode * s.nb.exp(-(f.fast * tau))
    return f.centre + f.y * (first + second), f.y * (f.slow * first + f.fast * second)


def local_at(s: Instance, i: int, tau: Scalar) -> Any:
    """W^i of (22): gradient flow of client i from x."""
    return s.c[..., i] + (s.x - s.c[..., i]) * s.nb.exp(-(s.a[..., i] * tau))


def local_momentum_at(s: Instance, i: int, tau: Scalar) -> Any:
    """m^i of (40): SGDM on client i alone, from W = x and m(0), with the roots of z^2 - k z + k a_i."""
    f, a = start(s), s.a[..., i]
    gap = s.nb.sqrt(f.k * f.k - 4 * f.k * a)
    slow, fast, y = (f.k - gap) / 2, (f.k + gap) / 2, s.x - s.c[..., i]
    second = (f.m - slow * y) / gap
    return slow * (y - second) * s.nb.exp(-(slow * tau)) + fast * second * s.nb.exp(-(fast * tau))


def decoupled_at(s: Instance, tau: Scalar) -> tuple[Any, Any]:
    """(W, m) of (22) with alpha = 1: m is driven by sum_i p_i a_i (x - c_i) exp(-a_i tau)."""
    f = start(s)
    worn = s.nb.exp(-(f.k * tau))
    m, moved = f.m * worn, f.m * (1 - worn) / f.k
    for i in range(s.n):
        a = s.a[..., i]
        size = f.k * s.p[..., i] * a * (s.x - s.c[..., i]) / (f.k - a)
        left = s.nb.exp(-(a * tau))
        m = m + size * (left - worn)
        moved = moved + size * ((1 - left) / a - (1 - worn) / f.k)
    return s.x - moved, m


def bound_of_gradients(s: Instance) -> tuple[list[Any], Any, Any]:
    """The largest |g^i| on the path of W^i, |m(0)|, the largest |g| on the path of W: all at the start here."""
    f = start(s)
    return [s.nb.abs(s.a[..., i] * (s.x - s.c[..., i])) for i in range(s.n)], s.nb.abs(f.m), s.nb.abs(f.H * f.y)


def _flows(s: Instance) -> list[Comparison]:
    most = 4 * s.eta[..., None] * s.a
    return [
        that("beta", s.beta) >= s.beta * 0,
        that("convex", s.a) > s.a * 0,
        that("overdamped", most) <= 1 - s.beta[..., None] + 0 * s.a,
        that("mode", s.mode) >= s.mode * 0,
        that("mode", s.mode) <= s.mode * 0 + 1,
        that("beyond all minimizers", s.x[..., None]) >= s.c,
    ]


FLOW = Hypothesis(
    "beta >= 0, a_i > 0, 4 eta a_i <= 1 - beta, m(0) between the slow and the fast motion, W(0) beyond all c_i",
    _flows,
    role="for such clients (22), (38) and (40) are solved in closed form, and suprema along the way are at the start",
)
SMALL_RATE = Hypothesis("0 < eta <= 1", lambda s: [that(s.eta) <= s.eta * 0 + 1, that("positive", s.eta) > s.eta * 0])
