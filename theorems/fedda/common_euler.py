"""Explicit Euler steps of A.3's systems: SGDM (19), local SGDM (40), and the decoupled system (22) with alpha = 1.

Client i's loss has the Hessian diag(A_i), of either sign and at most L_i in absolute value, and is stationary at c_i.
Steps have the length h = eta/N: N = 1 is one step a local step, and N -> infinity the systems themselves.
"""

from theorems.vocabulary import *


def decode(cursor: Cursor, n: int, t: int, N: int, d: int, top: int = 1) -> Instance:
    """``top``: beta is below it. R_i, G_i and G are suprema over the points visited, or more."""
    nb, (beta, eta, size, *slack) = cursor.nb, cursor.many(3 + 2 * n + 1)

    def vector() -> Any:
        return np.stack([2 * u - 1 for u in cursor.many(d)], -1)

    raw = [1 - cursor.take() * nb.number(Fraction(99, 100)) for _ in range(n)]
    L = np.stack([(1 + size) * (1 - u * nb.number(Fraction(9, 10))) for u in cursor.many(n)], -1)
    s = Instance(
        nb=nb, n=n, t=t, N=N, d=d, beta=beta * top if nb.exact else np.clip(beta, 0, 1 - 1e-6) * top,
        eta=1 - eta * nb.number(Fraction(99, 100)), p=np.stack([w / sum(raw) for w in raw], -1), L=L,
        A=np.stack([L[..., i, None] * vector() for i in range(n)], -2), c=np.stack([vector() for _ in range(n)], -2),
        x=vector(), m=vector(),
    )  # fmt: skip
    run = paths(s)
    s.R_i = np.stack([_largest(nb, source(s, run, i)) * (1 + slack[i]) for i in range(n)], -1)
    s.G_i = np.stack([_largest(nb, slopes(s, run.flow[i], i)) * (1 + slack[n + i]) for i in range(n)], -1)
    s.G = _largest(nb, [total(s, W) for W in run.W[:-1]]) * (1 + slack[-1])
    return s


def euler(top: int = 1) -> Domain:
    return Domain(
        lambda cursor, **discrete: decode(cursor, **discrete, top=top),
        grid(n=(1, 2, 3), t=(1, 2, 4, 20), N=(1, 2), d=(1, 2)),
        "clients of any curvature in d = 1, 2; Euler steps of length eta and eta/2, t up to 20",
    )


def _largest(nb: Any, vectors: Sequence[Any]) -> Any:
    """The largest sum of absolute entries: rational, and at least the largest length."""
    return nb.largest(np.stack([nb.abs(v).sum(axis=-1) for v in vectors], -1))


def slope(s: Instance, W: Any, i: int) -> Any:
    """g^i(W)."""
    return s.A[..., i, :] * (W - s.c[..., i, :])


def slopes(s: Instance, points: Sequence[Any], i: int) -> list[Any]:
    """g^i at all points but the last, from which no step goes on."""
    return [slope(s, W, i) for W in points[:-1]]


def total(s: Instance, W: Any) -> Any:
    """g(W) = sum_i p_i g^i(W)."""
    parts = [s.p[..., i, None] * slope(s, W, i) for i in range(s.n)]
    return sum(parts[1:], parts[0])


def source(s: Instance, run: Instance, i: int) -> list[Any]:
    """R(W) = g(W) - g^i(W) along the centralized path."""
    return [total(s, W) - slope(s, W, i) for W in run.W[:-1]]


def pace(s: Instance) -> tuple[Any, Any]:
    """k = (1 - beta)/eta and h = eta/N."""
    return (1 - s.beta) / s.eta, s.eta / s.N


def paths(s: Instance) -> Instance:
    """W and m of (19); W^i and m^i of (40) by client; W^i of (22) (``flow``) and its momentum (``mean``)."""
    k, h = (v[..., None] for v in pace(s))
    central, alone = [(s.x, s.m)], [[(s.x, s.m)] for _ in range(s.n)]
    flow, momenta = [[s.x] for _ in range(s.n)], [s.m]
    for _ in range(s.t * s.N):
        W, m = central[-1]
        central.append((W - h * m, m + h * k * (total(s, W) - m)))
        for i, path in enumerate(alone):
            W, m = path[-1]
            path.append((W - h * m, m + h * k * (slope(s, W, i) - m)))
        local = [slope(s, flow[i][-1], i) for i in range(s.n)]
        driven = [s.p[..., i, None] * g for i, g in enumerate(local)]
        momenta.append(momenta[-1] + h * k * (sum(driven[1:], driven[0]) - momenta[-1]))
        for path, g in zip(flow, local, strict=True):
            path.append(path[-1] - h * g)
    W, m = ([pair[j] for pair in central] for j in (0, 1))
    own = [[[pair[j] for pair in path] for path in alone] for j in (0, 1)]
    return Instance(W=W, m=m, W_i=own[0], m_i=own[1], flow=flow, mean=momenta)


def growth(s: Instance) -> Any:
    """lambda+ = (sqrt(k^2 + 4 k L) - k)/2, L the largest L_i."""
    k, _ = pace(s)
    return (s.nb.sqrt(k * k + 4 * k * s.nb.largest(s.L)) - k) / 2


def speed(s: Instance) -> list[Any]:
    """L_i (|g^i| + |m(0)| + |g|), whose largest is C*."""
    return [s.L[..., i] * (s.G_i[..., i] + s.nb.length(s.m) + s.G) for i in range(s.n)]


def bounds(s: Instance) -> list[Comparison]:
    """(46)'s first entry with |R| at its supremum, and (57)'s."""
    run, nb, k, fast = paths(s), s.nb, pace(s)[0], growth(s)
    grown = (nb.exp(fast * (s.t * s.eta)) - 1) / fast
    found = [that(f"local, client {i + 1}", nb.length(run.m_i[i][-1] - run.m[-1])) <= k * s.R_i[..., i] * grown
             for i in range(s.n)]  # fmt: skip
    C = nb.largest(np.stack(speed(s), -1))
    return [*found, that("FedDA", nb.length(run.mean[-1] - run.m[-1])) <= C * s.eta * s.t**2 / 2]


def _suprema(s: Instance) -> list[Comparison]:
    run, length = paths(s), s.nb.length
    found = [that("|g|", length(total(s, W))) <= s.G for W in run.W[:-1]]
    for i in range(s.n):
        found += [that("|R|", length(v)) <= s.R_i[..., i] for v in source(s, run, i)]
        found += [that("|g^i|", length(v)) <= s.G_i[..., i] for v in slopes(s, run.flow[i], i)]
    return found


def _lipschitz(s: Instance) -> list[Comparison]:
    entries = [(s.A[..., i, j], s.L[..., i]) for i in range(s.n) for j in range(s.d)]
    return [
        *(that("", s.L[..., i]) > s.eta * 0 for i in range(s.n)),
        *(c for A, L in entries for c in (that("", A) <= L, that("", A) >= -L)),
    ]


POSITIVE_RATE = Hypothesis("eta > 0", lambda s: [that(s.eta) > s.eta * 0], role="a step")
LIPSCHITZ = Hypothesis("g^i is L_i-Lipschitz", _lipschitz, role="as A.3 assumes")
SUPREMA = Hypothesis("|R_i|, |g^i|, |g| are at most R_i, G_i, G where paths go", _suprema, role="what sup stands for")
SHARES = Hypothesis(
    "N^i/N >= 0, sum_i N^i/N = 1",
    lambda s: [that(s.p.sum(axis=-1)) == s.eta * 0 + 1, *(that(s.p[..., i]) >= s.eta * 0 for i in range(s.n))],
    role="shares of the data",
)
