"""Whole runs of LADA with alpha = 1 and second moments at rest, in all ways to draw clients and signs of the noise.

Client i's loss has the Hessian diag(A_i) (of either sign, |A_i| <= L) and the minimum or saddle c_i; its gradient is
seen with noise +- nu. Steps divide by ``root``, the root of v-hat, which stays as no gradient seen exceeds it.
"""

from itertools import combinations, product

from theorems.fedlada.common import mean, need
from theorems.fedlada.common_bound import constant
from theorems.vocabulary import *


def decode(cursor: Cursor, m: int, S: int, K: int, T: int, d: int, noisy: bool) -> Instance:
    """Points and minimizers within 1/8 of 0, so that gradients stay below L <= root on runs of two rounds."""
    nb, (size, wide, low, pace, local, beta, spread) = cursor.nb, cursor.many(7)
    number, L = nb.number, 1 + size

    def vector(scale: Fraction) -> Any:
        return np.stack([number(scale) * (2 * u - 1) for u in cursor.many(d)], -1)

    root = np.stack([L * (1 + u) for u in cursor.many(d)], -1)
    bends = [np.stack([L * (1 - number(Fraction(5 * (i > 0), 4)) * u) for u in cursor.many(d)], -1) for i in range(m)]
    centres = [vector(Fraction(1, 8)) for _ in range(m)]
    nu = np.stack([L * u / 16 * noisy for u in cursor.many(d)], -1)
    eps = nb.smallest(root) * (1 - low / 2)
    s = Instance(
        nb=nb, m=m, S=S, K=K, T=T, d=d, noisy=noisy, L=L, root=root, eps=eps, G=nb.largest(root) * (1 + wide),
        r=eps / L * pace / 4, eta_l=local / (8 * K), beta1=beta * K / (K + 1), A=np.stack(bends, -2),
        c=np.stack(centres, -2), nu=nu, x=vector(Fraction(1, 8)),
    )  # fmt: skip
    s.apart = nb.largest(np.stack([_apart(s, x) for level in run(s)[:-1] for x in level], -1)) * (1 + spread)
    return s


SIZES = (
    {"m": 1, "S": 1, "K": 1, "T": 1, "d": 1, "noisy": False},
    {"m": 2, "S": 1, "K": 1, "T": 2, "d": 1, "noisy": False},
    {"m": 3, "S": 2, "K": 2, "T": 1, "d": 2, "noisy": False},
    {"m": 2, "S": 2, "K": 3, "T": 2, "d": 2, "noisy": False},
    {"m": 2, "S": 1, "K": 2, "T": 1, "d": 2, "noisy": True},
)
RUNS = Domain(decode, SIZES, "one or two rounds of m clients in d = 1, 2, S drawn, alpha = 1, v-hat at rest")


def _square(v: Any) -> Any:
    """|v|^2, by products: a ball around 0 has no power."""
    return (v * v).sum(axis=-1)


def slopes(s: Instance, y: Any) -> list[Any]:
    """The clients' gradients at y."""
    return [s.A[..., i, :] * (y - s.c[..., i, :]) for i in range(s.m)]


def _apart(s: Instance, x: Any) -> Any:
    """sum_i |grad F_i - grad F|^2 / m."""
    found = slopes(s, x)
    return mean([_square(g - mean(found)) for g in found])


def signs(s: Instance) -> list[Any]:
    """All signs of the noise in a round: one for each client and step."""
    ways = product((1, -1), repeat=s.m * s.K) if s.noisy else [(0,) * (s.m * s.K)]
    return [np.reshape(way, (s.m, s.K)) for way in ways]


def drawn(s: Instance) -> list[Any]:
    """All sets of S clients."""
    return list(combinations(range(s.m), s.S))


def local(s: Instance, i: int, x: Any, way: Any) -> Instance:
    """Client i's K steps from x: points, gradients, gradients seen, momenta, and momenta without noise."""
    y, m, clean = x, x * 0, x * 0
    points, seen, met, momenta, bare = [], [], [], [], []
    for k in range(s.K):
        g = s.A[..., i, :] * (y - s.c[..., i, :])
        points.append(y)
        met.append(g)
        seen.append(g + int(way[i][k]) * s.nu)
        m = s.beta1[..., None] * m + (1 - s.beta1)[..., None] * seen[-1]
        clean = s.beta1[..., None] * clean + (1 - s.beta1)[..., None] * g
        momenta.append(m)
        bare.append(clean)
        y = y - s.eta_l[..., None] * m / s.root
    return Instance(points=points, slopes=met, seen=seen, m=momenta, bare=bare)


def after(s: Instance, x: Any) -> list[tuple[Any, Any, Any, list[Instance]]]:
    """(signs, clients drawn, x of the next round, the clients' steps) for each outcome of a round from x."""
    found = []
    for way in signs(s):
        steps = [local(s, i, x, way) for i in range(s.m)]
        sent = [mean(client.m) for client in steps]
        found += [(way, who, x - s.r[..., None] * mean([sent[i] for i in who]) / s.root, steps) for who in drawn(s)]
    return found


def run(s: Instance) -> list[list[Any]]:
    """The points that rounds 0 .. T may start from, all equally likely."""
    levels = [[s.x]]
    for _ in range(s.T):
        levels.append([y for x in levels[-1] for _, _, y, _ in after(s, x)])
    return levels


def height(s: Instance, x: Any) -> Any:
    """F(x) - F_*."""
    H = mean([s.A[..., i, :] for i in range(s.m)])
    return (H * (x - minimizer(s)) * (x - minimizer(s))).sum(axis=-1) / 2


def minimizer(s: Instance) -> Any:
    H, pull = (mean([v[..., i, :] for i in range(s.m)]) for v in (s.A, s.A * s.c))
    return pull / H


def average(s: Instance) -> Any:
    """(1/T) sum_t E|grad F(x_t)|^2."""
    return mean([mean([_square(mean(slopes(s, x))) for x in level]) for level in run(s)[:-1]])


def right(s: Instance) -> Any:
    """The corrected bound at alpha = 1: sigma_l^2 = |nu|^2, sigma_g^2 = s.apart, G_theta = 1/eps_v."""
    theta = 1 / s.eps
    drift = s.d * (s.L * s.K * s.eta_l * theta * s.G) ** 2
    share = s.nb.number(Fraction(s.m - s.S, s.S * max(s.m - 1, 1)))
    return (s.G / constant(s)) * (
        height(s, s.x) / (s.r * s.T)
        + s.d * s.G**4 * (s.r * s.L * theta**4 + theta**3 / 2) / s.T
        + 2 * s.r * s.L * theta**2 * _square(s.nu) / (s.S * s.K)
        + 4 * s.r * s.L * theta**2 * share * (s.apart + drift)
        + s.d * s.L**2 * theta**3 * s.G**2 * (s.K * s.eta_l) ** 2
    )


def corrected(s: Instance) -> list[Comparison]:
    return [Comparison("(7), mended", average(s), "<=", right(s))]


def _seen(s: Instance) -> list[Comparison]:
    ways = [(x, way, i) for level in run(s)[:-1] for x in level for way in signs(s) for i in range(s.m)]
    entries = [(g[..., j], s.root[..., j]) for x, way, i in ways for g in local(s, i, x, way).seen for j in range(s.d)]
    return [c for g, root in entries for c in (that("", g) <= root, that("", -g) <= root)]


def _smooth(s: Instance) -> list[Comparison]:
    entries = [s.A[..., i, j] for i in range(s.m) for j in range(s.d)]
    bounded = [c for A in entries for c in (that("", A) <= s.L, that("", -A) <= s.L)]
    return [*bounded, *(that("", mean([s.A[..., i, j] for i in range(s.m)])) > s.L * 0 for j in range(s.d))]


def _scales(s: Instance) -> list[Comparison]:
    entries = [s.root[..., j] for j in range(s.d)]
    return [that("", s.eps) > s.eps * 0, *(c for v in entries for c in (that("", v) >= s.eps, that("", v) <= s.G))]


GIVEN = (
    need(
        "0 < beta1 < K/(K+1), 0 < eta_l, 0 < eta eta_l <= 1/(4 L G_theta)",
        lambda s: (s.beta1, ">", 0),
        lambda s: (s.beta1 * (s.K + 1), "<", s.K),
        lambda s: (s.eta_l, ">", 0),
        lambda s: (s.r, ">", 0),
        lambda s: (4 * s.r * s.L, "<=", s.eps),
    ),
    Hypothesis("gradients are L-Lipschitz, F is bounded below", _smooth, role="as the theorem assumes"),
    Hypothesis("0 < eps_v <= sqrt(v-hat) <= G_g", _scales, role="as the theorem assumes"),
    Hypothesis("gradients seen are at most sqrt(v-hat)", _seen, role="so that v-hat is at rest"),
    Hypothesis(
        "mean |grad F_i - grad F|^2 <= sigma_g^2 at the points visited",
        lambda s: (
            [that("", s.apart) >= s.apart * 0]
            + [that("", _apart(s, x)) <= s.apart for level in run(s)[:-1] for x in level]
        ),
        role="as the theorem assumes",
    ),
)
