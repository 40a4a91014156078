"""Whole runs of FED-LAMB's local steps with momentum, noise and layers; how fast its gradient falls along every one.

The gradients that a run meets are grad f_i plus whatever noise: what holds for all of them needs no expectation.
"""

from theorems.fedlamb.common import need, positive, share, total
from theorems.vocabulary import *


def runs(cursor: Cursor, n: int, h: int, d: int, T: int, R: int) -> Instance:
    """n quadratics, h layers of d coordinates, R rounds of T local steps from momenta 0; v-hat = v0 and above, at rest.

    phi is drawn anew in [phi_m, phi_M] at each step, and so is the noise, in [-1, 1] for each coordinate.
    """
    nb, p = cursor.nb, h * d

    def vector(scale: Any = 1, shift: Any = 0) -> Any:
        return np.stack([shift + scale * cursor.take() for _ in range(p)], -1)

    curves = [1 - vector(nb.number(Fraction(999, 1000))) for _ in range(n)]
    centres = [vector(2, -1) for _ in range(n)]
    x = start = vector(4, -2)
    alpha, phi_m, wide, beta1, least = (
        positive(cursor),
        positive(cursor),
        1 + cursor.take(),
        share(cursor),
        positive(cursor),
    )
    root = np.stack([least, *(least * (1 + cursor.take()) for _ in range(p - 1))], -1)  # sqrt(v-hat)
    momenta, keep = [x * 0] * n, beta1[..., None]
    path, met = [], []
    for _ in range(R):
        path.append(x)
        local = [x] * n
        for _ in range(T):
            for i in range(n):
                noise = vector(2, -1)
                momenta[i] = keep * momenta[i] + (1 - keep) * (curves[i] * (local[i] - centres[i]) + noise)
                phi = phi_m * (1 + (wide - 1) * cursor.take())
                ratio = layers(momenta[i] / root, h)
                with np.errstate(invalid="ignore"):  # 0/0 where a momentum is 0, as printed
                    step = [part / nb.length(part)[..., None] for part in ratio]
                local[i] = local[i] - (alpha * phi)[..., None] * np.concatenate(step, -1)
            met.append(list(momenta))
        x = total(local) / n
    return Instance(
        nb=nb, n=n, h=h, d=d, T=T, R=R, curves=curves, centres=centres, x=start, alpha=alpha, beta1=beta1, phi_m=phi_m,
        phi_M=phi_m * wide, root=root, least=least, path=path, met=met,
    )  # fmt: skip


def layers(v: Numbers, h: int) -> list[Any]:
    """The layers of a vector (..., h d)."""
    return np.split(v, h, axis=-1)


def slope(s: Instance, x: Numbers) -> Any:
    """grad f(x), f the clients' mean."""
    return total([a * (x - c) for a, c in zip(s.curves, s.centres, strict=True)]) / s.n


def averaged(s: Instance) -> Any:
    """(1/R) sum_r |grad f(theta-bar_r) / v-hat^(1/4)|^2."""
    return total([(slope(s, x) ** 2 / s.root).sum(axis=-1) for x in s.path]) / s.R


def apart(s: Instance) -> Any:
    """zeta: the mean over rounds, steps and clients of sum_l |m_l - grad_l f(theta-bar_r)|."""
    found = [
        s.nb.length(part)
        for k, momenta in enumerate(s.met)
        for m in momenta
        for part in layers(m - slope(s, s.path[k // s.T]), s.h)
    ]
    return total(found) / (s.R * s.T * s.n)


def fallen(s: Instance) -> Any:
    """f(theta-bar_1) - min f."""
    curve = total(s.curves) / s.n
    best = total([a * c for a, c in zip(s.curves, s.centres, strict=True)]) / s.n / curve
    return (curve * (s.x - best) ** 2 / 2).sum(axis=-1)


def largest_slope(s: Instance) -> Any:
    M = s.nb.length(slope(s, s.path[0]))
    for x in s.path[1:]:
        M = s.nb.maximum(M, s.nb.length(slope(s, x)))
    return M


def falls(s: Instance) -> list[Comparison]:
    """The corrected theorem: L the largest curvature of f, V = max sqrt(v-hat), Delta = f(theta-bar_1) - min f."""
    nb = s.nb
    L, V = nb.largest(total(s.curves) / s.n), nb.largest(s.root)
    reach = fallen(s) / (s.alpha * s.T * s.R) + s.alpha * s.T * L * s.phi_M**2 * s.h / 2
    lost = 2 * s.phi_M * V / s.least * apart(s)
    right = largest_slope(s) / (s.phi_m * s.least) * (reach + lost)
    return [Comparison("mean of |grad f/v^(1/4)|^2", averaged(s), "<=", right)]


def prove_falls() -> Proof:
    """Scalars: a = |x|, b = |y|, e = |x - y| for x, y a layer's D m and D grad f; then the descent of one round."""
    import z3

    a, b, e, u = reals("a b e u")
    # |x/|x| - y/|y|| <= |1 - |x|/|y|| + |x - y| / |y|, and ||x| - |y|| <= |x - y|
    smt([a > 0, b > 0, e >= 0, a - b <= e, b - a <= e, u == 1 - a / b], z3.And(u <= e / b, -u <= e / b))
    # |grad| / |D grad| <= V and |D (m - grad)| <= zeta / root: what a step loses is 2 V zeta / root
    grad, size, V, zeta, root, loss = reals("grad size V zeta root loss")
    given = [grad >= 0, size > 0, grad <= V * size, zeta >= 0, root > 0, e >= 0, e * root <= zeta]
    smt([*given, loss * size == 2 * grad * e], loss * root <= 2 * V * zeta)
    # <grad, D grad> / |D grad| >= root / M |D^(1/2) grad|^2, for |D grad| <= M / root
    half, M = reals("half M")
    smt([half >= 0, size > 0, M > 0, root > 0, size * root <= M], half / size >= root / M * half)
    # phi <grad, step> >= phi_m gain - phi_M loss for every phi between them
    q, gain, phi, low, high = reals("q gain phi low high")
    smt(
        [gain >= 0, loss >= 0, q >= gain - loss, 0 < low, low <= phi, phi <= high],
        phi * q >= low * gain - high * loss,
    )
    # one round, f+ <= f - alpha T (phi_m gain - phi_M loss) + (alpha T phi_M)^2 L h / 2; and so the sum over rounds
    f, after, alpha, curve, S, total_ = reals("f after alpha curve S total")
    box = [alpha > 0, high > 0, curve >= 0, loss >= 0]
    step = after <= f - alpha * (low * gain - high * loss) + alpha * alpha * high * high * curve
    smt([*box, step], alpha * low * gain <= f - after + alpha * high * loss + alpha * alpha * high * high * curve)
    smt([S <= f - total_, gain <= total_ - after], S + gain <= f - after)  # telescoping
    return Proof(
        "z3",
        "Smoothness along one round, which moves the mean by at most alpha T phi_M in each layer; |x/|x| - y/|y|| <= 2 "
        "|x - y|/|y| compares each step, along D m, with D grad f, D = 1/sqrt(v-hat); phi <grad, step> >= phi_m gain - "
        "phi_M loss; <grad, D grad>/|D grad| >= sqrt(v0)/M |D^(1/2) grad|^2; the sum over rounds telescopes. z3 checks "
        "these scalar facts for all reals; sums over layers, steps and clients of them are taken.",
    )


GIVEN = (
    need(
        "alpha > 0, 0 < phi_m <= phi_M, v0 > 0, 0 < beta_1 < 1",
        lambda s: [
            *((v, ">", 0) for v in (s.alpha, s.phi_m, s.least, s.beta1)),
            (s.phi_m, "<=", s.phi_M),
            (s.beta1, "<", 1),
        ],
    ),
    need(
        "f is bounded below and smooth (H1)",
        lambda s: [(s.nb.smallest(total(s.curves)), ">", 0)],
        role="Delta and L are those of f",
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
    "runs on up to three quadratics, any noise and momentum, v-hat at rest",
)
CORRECTED = (
    "for any losses, noise, T and beta_1, lambda = 0, v-hat at rest (V = max sqrt(v-hat)) and f L-smooth: on every run "
    "at most M/(phi_m sqrt v0) times Delta/(alpha T R) + alpha T L phi_M^2 h/2 + 2 phi_M V/sqrt(v0) zeta, zeta the "
    "mean over rounds, steps and clients of sum_l |m_l - grad_l f(theta-bar_r)|: noise, momentum, drift and "
    "heterogeneity, of which noise and heterogeneity do not vanish with alpha. The printed (3) stands where alpha >= "
    "1/4: 4 alpha M^2/sqrt(v0) exceeds the left side"
)
CORRECTED_LATEX = (
    r"\frac1R\sum_r\Big\|\frac{\nabla f(\bar\theta_r)}{\hat v_r^{1/4}}\Big\|^2\le\frac{M}{\phi_m\sqrt{v_0}}\Big(\frac{"
    r"\Delta}{\alpha TR}+\frac{\alpha TL\phi_M^2\mathsf h}2+\frac{2\phi_MV}{\sqrt{v_0}}\,\zeta\Big)"
)
