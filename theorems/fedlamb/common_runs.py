"""Whole runs of FED-LAMB's normalised steps along any momenta, and how fast the gradient falls along every one.

Whatever noise, momentum, drift and heterogeneity make of the clients' momenta, a step is -alpha phi D m / |D m| in each
layer, D = 1/sqrt(v-hat): what holds for all m needs no expectation.
"""

from theorems.fedlamb.common import need, positive, total
from theorems.vocabulary import *


def runs(cursor: Cursor, n: int, h: int, d: int, T: int, R: int) -> Instance:
    """R rounds of T steps of n clients on sum_j A_j (x_j - best_j)^2 / 2 in h layers of d coordinates, v-hat at rest.

    phi is drawn anew in [phi_m, phi_M] at each step, and so is D m: its direction and size in every layer.
    """
    nb, p = cursor.nb, h * d

    def vector(scale: Any = 1, shift: Any = 0) -> Any:
        return np.stack([shift + scale * cursor.take() for _ in range(p)], -1)

    A, best = 1 - vector(nb.number(Fraction(999, 1000))), vector(2, -1)
    x = vector(4, -2)
    alpha, phi_m, least, wide = positive(cursor), positive(cursor), positive(cursor), 1 + cursor.take()
    root = np.stack([least, *(least * (1 + cursor.take()) for _ in range(p - 1))], -1)  # sqrt(v-hat)
    s = Instance(
        nb=nb, n=n, h=h, d=d, T=T, R=R, A=A, best=best, L=nb.largest(A), x=x, alpha=alpha, phi_m=phi_m,
        phi_M=phi_m * wide, root=root, sqrt_v0=least, V=nb.largest(root), path=[x], met=[], phis=[], M=least * 0,
    )  # fmt: skip
    for r in range(R):
        for part in layers(nb.abs(slope(s, s.path[r])), h):
            s.M = nb.maximum(s.M, part.sum(axis=-1))
        for _ in range(n * T):
            s.met.append(root * np.concatenate([_drawn(cursor, d) for _ in range(h)], -1))
            s.phis.append(phi_m * (1 + (wide - 1) * cursor.take()))
        s.path.append(after(s, r))
    return s


def steps(s: Instance, r: int) -> list[tuple[Any, Any]]:
    """Momenta and phi of round r's steps."""
    return list(zip(s.met, s.phis, strict=True))[r * s.n * s.T : (r + 1) * s.n * s.T]


def after(s: Instance, r: int) -> Any:
    """theta-bar_{r+1}: the clients' mean after their T steps -alpha phi D m/|D m| of round r."""
    moved = total([phi[..., None] * direction(s.nb, m / s.root, s.h) for m, phi in steps(s, r)])
    return s.path[r] - (s.alpha / s.n)[..., None] * moved


def _drawn(cursor: Cursor, d: int) -> Any:
    """A vector of one or two coordinates, of rational length."""
    size = 4 * (2 * cursor.take() - 1)
    if d == 1:
        return size[..., None]
    t = 2 * cursor.take() - 1
    return size[..., None] * np.stack([(1 - t * t) / (1 + t * t), 2 * t / (1 + t * t)], -1)


def direction(nb: Any, p: Numbers, h: int) -> Any:
    """p / |p| layer by layer (0/0 where a layer is 0, as printed: nan in floats)."""
    with np.errstate(invalid="ignore"):
        return np.concatenate([part / nb.length(part)[..., None] for part in layers(p, h)], -1)


def layers(v: Numbers, h: int) -> list[Any]:
    """The layers of a vector (..., h d)."""
    return np.split(v, h, axis=-1)


def slope(s: Instance, x: Numbers) -> Any:
    """grad f(x), f the clients' mean: sum_j A_j (x_j - best_j)^2 / 2 and a constant."""
    return s.A * (x - s.best)


def averaged(s: Instance) -> Any:
    """(1/R) sum_r |grad f(theta-bar_r) / v-hat^(1/4)|^2."""
    return total([(slope(s, x) ** 2 / s.root).sum(axis=-1) for x in s.path[:-1]]) / s.R


def apart(s: Instance) -> Any:
    """zeta: the mean over rounds, steps and clients of sum_l |m_l - grad_l f(theta-bar_r)|."""
    found = [
        s.nb.length(part) for k, m in enumerate(s.met) for part in layers(m - slope(s, s.path[k // (s.n * s.T)]), s.h)
    ]
    return total(found) / len(s.met)


def height(s: Instance, x: Numbers) -> Any:
    """f(x) - min f."""
    return (s.A * (x - s.best) ** 2).sum(axis=-1) / 2


def falls(s: Instance) -> list[Comparison]:
    """The corrected theorem: Delta = f(theta-bar_1) - min f."""
    reach = height(s, s.x) / (s.alpha * s.T * s.R) + s.alpha * s.T * s.L * s.phi_M**2 * s.h / 2
    lost = 2 * s.phi_M * s.V / s.sqrt_v0 * apart(s)
    right = s.M / (s.phi_m * s.sqrt_v0) * (reach + lost)
    return [that("mean of |grad f/v^(1/4)|^2", averaged(s)) <= right]


def _parts(s: Instance, vectors: Sequence[Any]) -> list[Any]:
    return [s.nb.length(part) for v in vectors for part in layers(v, s.h)]


GIVEN = (
    need(
        "alpha > 0, 0 < phi_m <= phi <= phi_M (H4)",
        lambda s: [
            (s.alpha, ">", 0),
            (s.phi_m, ">", 0),
            *((s.phi_m, "<=", phi) for phi in s.phis),
            *((phi, "<=", s.phi_M) for phi in s.phis),
        ],
    ),
    need(
        "f has a gradient with Lipschitz constant L (H1) and is bounded below",
        lambda s: [(s.A, "<=", s.L[..., None]), (s.A, ">=", 0)],
    ),
    need(
        "|grad_l f(theta-bar_r)| <= M in every layer (H2)",
        lambda s: [(s.M, ">", 0), *((g, "<=", s.M) for g in _parts(s, [slope(s, x) for x in s.path[:-1]]))],
    ),
    need(
        "v-hat is at rest, 0 < sqrt(v0) <= sqrt(v-hat) <= V",
        lambda s: [(s.sqrt_v0, ">", 0), (s.sqrt_v0[..., None], "<=", s.root), (s.root, "<=", s.V[..., None])],
    ),
    need(
        "no layer has momentum 0, or gradient 0 where a round starts",
        lambda s: [
            (size, ">", 0)
            for size in _parts(
                s, [*(slope(s, x) / s.root for x in s.path[:-1]), *(m / s.root for k in s.met for m in k)]
            )
        ],
        role="a step along 0/0 is none; a gradient of 0 adds nothing to the left side",
    ),
    need(
        "theta-bar_{r+1} is the mean of the clients' models after the T steps -alpha phi D m/|D m| from theta-bar_r",
        lambda s: [
            (x[..., j], "==", y[..., j])
            for x, y in zip(s.path, [s.x, *(after(s, r) for r in range(s.R))], strict=True)
            for j in range(s.h * s.d)
        ],
        role="Algorithm 3 with lambda = 0, D = 1/sqrt(v-hat): else these are no points of a run",
    ),
)
RUNS = Domain(
    runs,
    (
        *({"n": n, "h": 1, "d": 1, "T": T, "R": R} for n in (1, 2) for T in (1, 2) for R in (1, 3)),
        {"n": 2, "h": 2, "d": 1, "T": 2, "R": 2},
        {"n": 2, "h": 1, "d": 2, "T": 2, "R": 2},
        {"n": 3, "h": 2, "d": 2, "T": 1, "R": 1},
    ),
    "runs of up to three clients along any momenta, v-hat at rest",
)
CORRECTED = (
    "for any losses, noise, T and beta_1, lambda = 0, v-hat at rest (V = max sqrt(v-hat)) and f L-smooth: on every run "
    "at most M/(phi_m sqrt v0) (Delta/(alpha T R) + alpha T L phi_M^2 h/2 + 2 phi_M V/sqrt(v0) zeta), zeta the mean "
    "over rounds, steps and clients of sum_l |m_l - grad_l f(theta-bar_r)|: noise, momentum, drift and heterogeneity, "
    "of which noise and heterogeneity do not vanish with alpha"
)
STANDS = "as printed where alpha >= 1/4, since 4 alpha M^2/sqrt(v0) is then at least the left side; "
CORRECTED_LATEX = (
    r"\frac1R\sum_r\Big\|\frac{\nabla f(\bar\theta_r)}{\hat v_r^{1/4}}\Big\|^2\le\frac{M}{\phi_m\sqrt{v_0}}\Big(\frac{"
    r"\Delta}{\alpha TR}+\frac{\alpha TL\phi_M^2\mathsf h}2+\frac{2\phi_MV}{\sqrt{v_0}}\,\zeta\Big)"
)
