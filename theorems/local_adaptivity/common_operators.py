"""LA Theorem 1's clients: any contractions, with noise that depends on the point, and all that T rounds can come to."""

from itertools import product

from theorems.local_adaptivity.common import positive, positives, shares
from theorems.local_adaptivity.common_rounds import averaging
from theorems.vocabulary import *


def operators(cursor: Cursor, M: int, T: int, d: int, points: int) -> Instance:
    """E A_i(x) = x~ + offset_i + phi_i(x - x~), phi_i bent at 0 along a frame of its own; noise of two or three values.

    The slopes of phi_i are slope_i and bend slope_i, |bend| <= 1; the noise fades with |x - x~| / ``reach``.
    """
    slope, frames = 1 - positives(cursor, M, 1e-6), Instance(R=clients(cursor, M, d, same="both").R)
    w, raw, v, bend = shares(cursor, M), *(_vectors(cursor, M, d) for _ in range(3))
    fixed, x = (_vectors(cursor, 1, d)[:, 0] for _ in range(2))
    return Instance(
        nb=cursor.nb, M=M, T=T, d=d, points=points, slope=slope, bend=bend, frames=frames, w=w,
        offset=raw - (w[..., None] * raw).sum(axis=1)[:, None], v=v, fixed=fixed, x=x, reach=positive(cursor, 1e-2),
        top_rate=w[:, 0] * 0 + 1,
    )  # fmt: skip


def _vectors(cursor: Cursor, count: int, d: int) -> Any:
    """(batch, count, d), entries in [-1, 1]."""
    return np.stack([np.stack([1 - 2 * cursor.take() for _ in range(d)], -1) for _ in range(count)], -2)


def rho(s: Instance) -> Any:
    """sum w h with h_i = slope_i^2."""
    return s.rho if "rho" in vars(s) else (s.w * s.slope**2).sum(axis=-1)


def factors(s: Instance) -> tuple[int, ...]:
    """Equally likely values of the noise along v_i, of mean 0; three are skewed."""
    return (1, -1) if s.points == 2 else (2, -1, -1)


def variances(s: Instance) -> Any:
    """q_i sigma^2: the variance of the noise where it is largest, (batch, M)."""
    scale = Fraction(sum(f * f for f in factors(s)), s.points)
    return (s.v * s.v).sum(axis=-1) * s.nb.number(scale)


def noise(s: Instance) -> Any:
    """sigma^2 sum w^2 q."""
    return s.noise if "noise" in vars(s) else (s.w * s.w * variances(s)).sum(axis=-1)


def start(s: Instance) -> Any:
    """|x^(0) - x~|^2."""
    return s.start if "start" in vars(s) else ((s.x - s.fixed) ** 2).sum(axis=-1)


def images(s: Instance, x: Numbers) -> Any:
    """E A_i(x), (batch, points, M, d) of x (batch, points, d)."""
    e, R = (x - s.fixed[:, None])[:, :, None, :, None], s.frames.R[:, None]
    z = (np.swapaxes(R, -1, -2) @ e)[..., 0]
    above = s.nb.maximum(z, z * 0)
    bent = s.slope[:, None, :, None] * (above + s.bend[:, None] * (z - above))
    return s.fixed[:, None, None] + s.offset[:, None] + (R @ bent[..., None])[..., 0]


def noises(s: Instance, x: Numbers) -> Any:
    """A_i(x) - E A_i(x), (batch, points, M, values, d), equally likely."""
    far = ((x - s.fixed[:, None]) ** 2).sum(axis=-1) / s.reach[:, None] ** 2
    v = s.v[:, None] / (1 + far)[..., None, None]
    return np.stack([v * f for f in factors(s)], -2)


def rate_of(s: Instance, t: int) -> Any:
    """The server rate of round t."""
    return s.top_rate * averaging(Instance(rho=rho(s)), t, s.T)


def paths(s: Instance) -> list[Any]:
    """All equally likely x^(t), (batch, points, d), for t = 0 .. T."""
    found = [s.x[:, None]]
    for t in range(s.T):
        x, alpha, w = found[-1], rate_of(s, t)[:, None, None], s.w[:, None, :, None]
        mean, spread = (w * images(s, x)).sum(axis=2), w[..., None] * noises(s, x)
        ends = []
        for drawn in product(range(s.points), repeat=s.M):
            total = sum((spread[:, :, i, z] for i, z in enumerate(drawn)), start=mean)
            ends.append((1 - alpha) * x + alpha * total)
        found.append(np.concatenate(ends, axis=1))
    return found


def error(s: Instance, x: Numbers) -> Any:
    """E|x - x~|^2."""
    return ((x - s.fixed[:, None]) ** 2).sum(axis=-1).sum(axis=-1) / x.shape[1]


def _assumed(s: Instance, listed: Callable[[Any], Any], label: str) -> list[Comparison]:
    found = []
    for t, x in enumerate(paths(s)[:-1]):
        low, high = listed(x)
        low, high = np.broadcast_arrays(low, high)
        found += [
            that(f"{label} {t}.{k}.{i}", low[:, k, i]) <= high[:, k, i]
            for k in range(low.shape[1])
            for i in range(low.shape[2])
        ]
    return found


def _contractive(s: Instance) -> list[Comparison]:
    def listed(x: Any) -> Any:
        moved = ((images(s, x) - images(s, s.fixed[:, None])) ** 2).sum(axis=-1)
        return moved, s.slope[:, None] ** 2 * ((x - s.fixed[:, None]) ** 2).sum(axis=-1)[..., None]

    return _assumed(s, listed, "h")


def _bounded(s: Instance) -> list[Comparison]:
    return _assumed(s, lambda x: ((noises(s, x) ** 2).sum(axis=-1).sum(axis=-1) / s.points, variances(s)[:, None]), "q")


def _fixed(s: Instance) -> list[Comparison]:
    mean = (s.w[..., None] * images(s, s.fixed[:, None])[:, 0]).sum(axis=1)
    return [that(f"x~ {k}", mean[:, k]) == s.fixed[:, k] for k in range(s.d)]


ASSUMPTION_1 = Hypothesis("|E A_i(x) - E A_i(x~)|^2 <= h_i |x - x~|^2 (Assumption 1)", _contractive)
ASSUMPTION_2 = Hypothesis("E|A_i(x) - E A_i(x)|^2 <= q_i sigma^2 (Assumption 2)", _bounded)
FIXED = Hypothesis("x~ = sum w E A_i(x~)", _fixed)
RATES = Hypothesis("the server rates are as said", lambda s: [that(s.top_rate) == s.top_rate * 0 + 1])
