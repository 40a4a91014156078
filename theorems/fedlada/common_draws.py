"""Whole runs of LADA's Algorithm 3, in all ways to draw clients and signs of the noise.

Client i's loss has the Hessian diag(A_i), of either sign and at most L in absolute value, and is stationary at c_i; its
gradient is seen with noise +- nu. A round starts from (x, g_a, v); v_{i,0}, which is not printed, is v.
"""

from itertools import combinations, product

from theorems.fedlada.common import mean, need
from theorems.fedlada.common_bound import constant
from theorems.vocabulary import *

EXACT = {"noisy": False}
SIZES = (
    {"m": 1, "S": 1, "K": 1, "T": 1, "d": 1, **EXACT},
    {"m": 2, "S": 1, "K": 1, "T": 2, "d": 1, **EXACT},
    {"m": 3, "S": 2, "K": 2, "T": 1, "d": 2, **EXACT},
    {"m": 2, "S": 2, "K": 3, "T": 2, "d": 2, **EXACT},
    {"m": 2, "S": 1, "K": 2, "T": 1, "d": 2, "noisy": True},
    {"m": 1, "S": 1, "K": 1, "T": 40, "d": 1, **EXACT},
)


def decode(cursor: Cursor, m: int, S: int, K: int, T: int, d: int, noisy: bool) -> Instance:
    """Points and c_i within ``near`` <= 1/2 of 0, and G_g >= 6 L near: two rounds keep gradients below G_g."""
    nb, (size, low, wide, pace, steps, beta1, beta2, keep, spread, tight) = cursor.nb, cursor.many(10)
    number, L = nb.number, 1 + size
    near = (1 - tight * tight * tight * number(Fraction(19, 20))) / 2

    def vector() -> Any:
        return np.stack([(2 * u - 1) * near for u in cursor.many(d)], -1)

    eps, alpha = L * (1 + 9 * low) / 20, 1 - keep / 2
    G = nb.maximum(6 * L * near, 3 * eps / 2) * (1 + wide)
    v = np.stack([eps * eps * (1 + u) for u in cursor.many(d)], -1)
    bends = [np.stack([L * (1 - number(Fraction(5 * (i > 0), 4)) * u) for u in cursor.many(d)], -1) for i in range(m)]
    nu = np.stack([L * near * u / 8 * noisy for u in cursor.many(d)], -1)
    s = Instance(
        nb=nb, m=m, S=S, K=K, T=T, d=d, noisy=noisy, L=L, eps=eps, G=G, v=v, alpha=alpha, r=alpha * eps / L * pace / 4,
        eta_l=steps * eps / L / (8 * K), beta1=beta1 * K / (K + 1), beta2=beta2 * number(Fraction(99, 100)),
        A=np.stack(bends, -2), c=np.stack([vector() for _ in range(m)], -2), nu=nu, x=vector(),
    )  # fmt: skip
    s.apart = _far_apart(s, near) * (1 + spread)
    return s


def _far_apart(s: Instance, near: Any) -> Any:
    """At least sum_i |grad F_i - grad F|^2 / m where runs go: |x_j| <= near + T r G_g/eps_v."""
    far = s.T * s.r * s.G / s.eps + near
    pulls = [s.A[..., i, :] * s.c[..., i, :] for i in range(s.m)]
    bends = [s.A[..., i, :] for i in range(s.m)]
    off = [
        s.nb.abs(a - mean(bends)) * far[..., None] + s.nb.abs(b - mean(pulls))
        for a, b in zip(bends, pulls, strict=True)
    ]
    return mean([square(v) for v in off])


RUNS = Domain(decode, SIZES, "rounds of m clients of any curvature in d = 1, 2, S of them drawn, with noise")


def square(v: Any) -> Any:
    """|v|^2, by products: a ball around 0 has no power."""
    return (v * v).sum(axis=-1)


def column(x: Any) -> Any:
    """A number of the instance, against vectors."""
    return x[..., None]


def slope(s: Instance, i: int, y: Any) -> Any:
    """grad F_i(y)."""
    return s.A[..., i, :] * (y - s.c[..., i, :])


def slopes(s: Instance, y: Any) -> list[Any]:
    return [slope(s, i, y) for i in range(s.m)]


def signs(s: Instance) -> list[Any]:
    """All signs of the noise in a round: one for each client and step."""
    ways = product((1, -1), repeat=s.m * s.K) if s.noisy else [(0,) * (s.m * s.K)]
    return [np.reshape(way, (s.m, s.K)) for way in ways]


def drawn(s: Instance) -> list[Any]:
    """All sets of S clients."""
    return list(combinations(range(s.m), s.S))


def local(s: Instance, i: int, node: Instance, way: Any) -> Instance:
    """Client i's K steps: points, gradients, gradients seen, momenta, those without noise, v, v-hat and its root."""
    b1, b2, a, y = column(s.beta1), column(s.beta2), column(s.alpha), node.x
    m, bare, v, vhat = y * 0, y * 0, node.v, node.v
    found: dict[str, list[Any]] = {name: [] for name in ("points", "slopes", "seen", "m", "bare", "v", "vhat", "root")}
    for k in range(s.K):
        g = slope(s, i, y)
        seen = g + int(way[i][k]) * s.nu
        m, bare = b1 * m + (1 - b1) * seen, b1 * bare + (1 - b1) * g
        v = b2 * v + (1 - b2) * (seen * seen)
        vhat = s.nb.maximum(v, vhat)
        root = s.nb.sqrt(vhat)
        for name, value in zip(found, (y, g, seen, m, bare, v, vhat, root), strict=True):
            found[name].append(value)
        y = y - column(s.eta_l) * (a * (m / root) + (1 - a) * node.g_a)
    return Instance(**found)


def after(s: Instance, node: Instance) -> list[tuple[Any, list[Instance], Instance]]:
    """(clients drawn, all clients' steps, where the next round starts) for each outcome of a round."""
    found = []
    for way in signs(s):
        steps = [local(s, i, node, way) for i in range(s.m)]
        for who in drawn(s):
            sent = mean([m / root for i in who for m, root in zip(steps[i].m, steps[i].root, strict=True)])
            g_a = column(s.alpha) * sent + (1 - column(s.alpha)) * node.g_a
            v = mean([steps[i].vhat[-1] for i in who])
            found.append((who, steps, Instance(x=node.x - column(s.r) * g_a, g_a=g_a, v=v)))
    return found


def run(s: Instance) -> list[list[Instance]]:
    """What rounds 0 .. T may start from, all equally likely."""
    levels = [[Instance(x=s.x, g_a=s.x * 0, v=s.v)]]
    for _ in range(s.T):
        levels.append([start for node in levels[-1] for _, _, start in after(s, node)])
    return levels


def ahead(s: Instance, node: Instance) -> Any:
    """z = x - (1 - alpha)/alpha r g_a."""
    return node.x - column((1 - s.alpha) / s.alpha * s.r) * node.g_a


def height(s: Instance, x: Any) -> Any:
    """F(x) - F_*."""
    off = x - minimizer(s)
    return (bend(s) * off * off).sum(axis=-1) / 2


def bend(s: Instance) -> Any:
    """F's Hessian."""
    return mean([s.A[..., i, :] for i in range(s.m)])


def minimizer(s: Instance) -> Any:
    return mean([s.A[..., i, :] * s.c[..., i, :] for i in range(s.m)]) / bend(s)


def average(s: Instance) -> Any:
    """(1/T) sum_t E|grad F(z_t)|^2."""
    return mean([mean([square(mean(slopes(s, ahead(s, node)))) for node in level]) for level in run(s)[:-1]])


def sampling(s: Instance) -> Any:
    """(m - S)/(S (m - 1))."""
    return s.nb.number(Fraction(s.m - s.S, s.S * max(s.m - 1, 1)))


def right(s: Instance) -> Any:
    """The corrected bound: sigma_l^2 = |nu|^2, sigma_g^2 = s.apart, G_theta = 1/eps_v."""
    theta, away = 1 / s.eps, (1 - s.alpha) / s.alpha * s.r
    return (s.G / constant(s)) * (
        height(s, s.x) / (s.r * s.T)
        + s.d * s.G**4 * (s.r * s.L * theta**4 + theta**3 / 2) / s.T
        + 2 * s.r * s.L * theta**2 * square(s.nu) / (s.S * s.K)
        + 4 * s.r * s.L * theta**2 * sampling(s) * (s.apart + s.d * (s.L * s.K * s.eta_l * theta * s.G) ** 2)
        + s.d * s.L**2 * theta**3 * s.G**2 * ((s.K * s.eta_l) ** 2 + away * away)
    )


def corrected(s: Instance) -> list[Comparison]:
    return [that("(7), mended", average(s)) <= right(s)]


def _bounded(s: Instance) -> list[Comparison]:
    found = []
    for node in [node for level in run(s)[:-1] for node in level]:
        seen = [g for way in signs(s) for i in range(s.m) for g in local(s, i, node, way).seen]
        for g in (*seen, mean(slopes(s, ahead(s, node)))):
            found += [c for j in range(s.d) for c in (that("", g[..., j]) <= s.G, that("", -g[..., j]) <= s.G)]
    return found


def _smooth(s: Instance) -> list[Comparison]:
    entries = [s.A[..., i, j] for i in range(s.m) for j in range(s.d)]
    bounded = [c for A in entries for c in (that("", A) <= s.L, that("", A) >= -s.L)]
    return [*bounded, *(that("", bend(s)[..., j]) > s.L * 0 for j in range(s.d))]


def _scales(s: Instance) -> list[Comparison]:
    entries = [
        c for j in range(s.d) for v in [s.v[..., j]] for c in (that("", v) >= s.eps * s.eps, that("", v) <= s.G * s.G)
    ]
    return [that("", s.eps) > s.eps * 0, that("", s.eps) <= s.G, *entries]


def _apart(s: Instance) -> list[Comparison]:
    found = [that("", s.apart) >= s.apart * 0]
    for x in [node.x for level in run(s)[:-1] for node in level]:
        fields = slopes(s, x)
        found.append(that("", mean([square(g - mean(fields)) for g in fields])) <= s.apart)
    return found


_THEOREM = "as the theorem assumes"
GIVEN = (
    need(
        "0 < beta1 < K/(K+1), 0 <= beta2 < 1, 0 < alpha <= 1, 0 < eta_l, 0 < eta eta_l <= 1/(4 L G_theta)",
        lambda s: (s.beta1, ">", 0),
        lambda s: (s.beta1 * (s.K + 1), "<", s.K),
        lambda s: (s.beta2, ">=", 0),
        lambda s: (s.beta2, "<", 1),
        lambda s: (s.alpha, ">", 0),
        lambda s: (s.alpha, "<=", 1),
        lambda s: (s.eta_l, ">", 0),
        lambda s: (s.r, ">", 0),
        lambda s: (4 * s.r * s.L, "<=", s.eps),
    ),
    Hypothesis("gradients are L-Lipschitz, F is bounded below", _smooth, role=_THEOREM),
    Hypothesis("0 < eps_v <= sqrt(v^0) <= G_g", _scales, role="the listing starts at eps_v"),
    Hypothesis("gradients are at most G_g where runs go", _bounded, role=_THEOREM),
    Hypothesis("mean |grad F_i - grad F|^2 <= sigma_g^2 where runs go", _apart, role=_THEOREM),
)
