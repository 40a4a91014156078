"""One round without noise from a given x, with clients 1/2 (x - c_i)^2 in d = 1 (L = 1), theta frozen, c_i = -+ b."""

from theorems.fedlada.common import mean, need, square
from theorems.vocabulary import *


def decode(cursor: Cursor, K: int) -> Instance:
    """z = x - (1-alpha)/alpha r g_a; every point stays in [-1, 1], beyond which gradients may be clipped."""
    nb = cursor.nb
    half, third = nb.number(Fraction(1, 2)), nb.number(Fraction(1, 3))
    beta, alpha, theta, pace, eta, x, b, g_a = cursor.many(8)
    beta1 = beta * K / (K + 1)
    theta = half + theta
    alpha = half + half * alpha
    return Instance(
        nb=nb, m=2, S=2, K=K, beta1=beta1, alpha=alpha, theta=theta, r=pace / (4 * (1 + theta)),
        eta_l=third * eta / (4 * K), x=third * (2 * x - 1), b=third * b, g_a=third * (2 * g_a - 1),
    )  # fmt: skip


def rounds(K: tuple[int, ...] = (1, 2, 3)) -> Domain:
    return Domain(decode, grid(K=K), "two clients 1/2 (x -+ b)^2, all take part, no noise, theta in [1/2, 3/2]")


def one_round(s: Instance) -> Instance:
    """m[i][tau] and the points that gradients are taken at; the gradient of F at z; what z moves by."""
    points: list[list[Any]] = []
    moments: list[list[Any]] = []
    for c in (s.b, -s.b):
        y, m, seen, found = s.x, s.x * 0, [], []
        for _ in range(s.K):
            seen.append(y)
            m = s.beta1 * m + (1 - s.beta1) * (y - c)
            found.append(m)
            y = y - s.eta_l * (s.alpha * m * s.theta + (1 - s.alpha) * s.g_a)
        points.append(seen)
        moments.append(found)
    z = s.x - (1 - s.alpha) / s.alpha * s.r * s.g_a
    flat = [m for client in moments for m in client]
    drift = mean([square([y - s.x for y in client]) for client in points]) / s.K
    return Instance(
        z=z, mean=mean(flat), squares=square(flat) / len(flat), drift=drift, after=z - s.r * s.theta * mean(flat)
    )


def constants(s: Instance) -> Instance:
    """C2, C3 with a = 1/K; C - 1 without its half; sigma^2 = sigma_g^2 + sigma_u^2 for gradients clipped at 1."""
    one_more = s.K + 1  # 1 + 1/a
    a = s.x * 0 + s.nb.number(Fraction(1, s.K))
    C1 = s.alpha * (1 + a) * one_more / (1 + a - s.beta1)
    return Instance(
        C2=6 * (1 - s.alpha) * one_more * s.K * s.theta**2,
        C3=24 * (1 - s.beta1) * s.K * s.theta**2 * C1,
        lost=s.beta1 / ((1 - s.beta1) * s.K) - 1,
        sigma2=s.b**2 + 1,
        away=((1 - s.alpha) / s.alpha) ** 2,
    )


def pull(s: Instance, c: Instance) -> Any:
    """What the printed bounds multiply |g_a|^2 with."""
    return c.C2 * s.eta_l**2 + c.away * s.r**2


def strayed(s: Instance, run: Instance, c: Instance) -> Any:
    """How far local points are from z, in the mended bounds: the drift within the round, and |x - z|^2."""
    return run.drift + c.away * s.r**2 * s.g_a**2


CONDITIONS = (
    need(
        "0 < beta1 < K/(K+1), 1/2 <= alpha <= 1, theta > 0",
        lambda s: (s.beta1, ">", 0),
        lambda s: (s.beta1 * (s.K + 1), "<", s.K),
        lambda s: (s.alpha, ">", 0),
        lambda s: (s.theta, ">", 0),
    ),
    need(
        "0 < eta eta_l <= 1/(4 L), 1/(4 L G_theta)",
        lambda s: (s.r, ">", 0),
        lambda s: (4 * s.r, "<=", 1),
        lambda s: (4 * s.r * s.theta, "<=", 1),
    ),
    need(
        "0 < eta_l <= 1/(2 sqrt(2 alpha (1-beta1) K) G_theta L)",
        lambda s: (s.eta_l, ">", 0),
        lambda s: (8 * s.alpha * (1 - s.beta1) * s.K * (s.theta * s.eta_l) ** 2, "<=", 1),
    ),
)
