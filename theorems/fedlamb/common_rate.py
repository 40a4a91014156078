"""The right sides of Theorem 1 and of what it simplifies to, as printed; runs of sign descent in d = 1."""

from theorems.fedlamb.common import need, positive, sign, total
from theorems.vocabulary import *

STANDING = (
    need(
        "a, alpha, phi, sigma, v0 > 0",
        lambda s: [(v, ">", 0) for v in (s.a, s.alpha, s.phi, s.sigma, s.root)],
        role="both sides divide by some of them, and a rate of 0 takes no step",
    ),
    need("|g_i| <= M (H2)", lambda s: [(s.h * s.a * s.a, "<=", s.M * s.M)]),
    need("v0 >= g^2, so that v-hat stays v0", lambda s: [(s.root, ">=", s.a)], role="else v-hat moves, and v0 with it"),
    need(
        "0 < beta_1, beta_2 < 1",
        lambda s: [(b, r, e) for b in (s.beta1, s.beta2) for r, e in ((">", 0), ("<", 1))],
        role="Algorithm 1's line 1; at 1 its corrections divide by 0",
    ),
    need(
        "all local steps stay between the minimizers 0 and 1",
        lambda s: [(s.alpha * s.phi * s.T, "<", s.x), (s.alpha * s.phi * s.T, "<", 1 - s.x)],
        role="else the clients do not stand still, and the left side is another",
    ),
)


def theorem_1(s: Instance) -> Any:
    """The right side of (3) with L = a, p = h, and the appendix's terms for 'cst'."""
    nb, p, al = s.nb, s.h, s.alpha
    start = nb.sqrt(s.M**2 * p / s.n) * s.Delta / (s.h * al * s.R)
    drift = al**2 * s.a / s.root * s.M**2 * (s.T - 1) ** 2 * s.phi**2 * (1 - s.beta2) * p
    scale = s.phi**2 * nb.sqrt(s.M**2 + p * s.sigma**2)
    noise = s.phi * s.sigma**2 / (s.R * s.n) * nb.sqrt((1 - s.beta2) / (s.M**2 * p))
    layers = s.phi * s.h * s.sigma**2 / nb.sqrt(al * 0 + s.n)
    return start + 4 * al * (drift + scale + s.M**2 / s.root + layers) + noise + appendix_constant(s)


def appendix_constant(s: Instance) -> Any:
    """The terms of the proof's last inequality that (3) calls cst, L-bar = a."""
    p, al, b = s.h, s.alpha, s.beta1 / (1 - s.beta1)
    gap = s.a * al**2 * s.M**2 * s.phi**2 * (1 - s.beta2) * p / (s.T * s.root**2)
    momentum = al * b * s.nb.sqrt((1 - s.beta2) * p) * s.h * s.M**2 / s.root
    constant = s.a * b**2 * s.h * (1 - s.beta2) * s.M**2 * s.phi**2 * s.n / (2 * s.root**2)
    return gap + momentum + constant + 2 * al**3 * s.a * p * s.phi**2 * b**2 / s.root


def descent(cursor: Cursor, n: int, R: int) -> Instance:
    """n quadratics in d = 1, T = 1, beta_1 = 0: R rounds x+ = x - alpha phi mean sign(f_i'(x)); v-hat = v0 >= M^2."""
    nb = cursor.nb
    a = [positive(cursor) for _ in range(n)]
    c = [2 * cursor.take() - 1 for _ in range(n)]
    x, alpha, phi, loose = 4 * cursor.take() - 2, positive(cursor), positive(cursor), 1 + cursor.take()
    path, met = [], []
    for _ in range(R):
        path.append(x)
        met.append([a_i * (x - c_i) for a_i, c_i in zip(a, c, strict=True)])
        x = x - alpha * phi * total([sign(nb, g) for g in met[-1]]) / n
    M = nb.abs(met[0][0])
    for g in (g for row in met for g in row):
        M = nb.maximum(M, nb.abs(g))
    return Instance(
        nb=nb, n=n, R=R, a=a, c=c, x=path[0], alpha=alpha, phi=phi, M=M, root=M * loose, path=path, met=met,
    )  # fmt: skip


def descent_rate(s: Instance) -> tuple[Any, Any]:
    """The average of |grad f / v^(1/4)|^2 over the rounds, and its corrected bound."""
    nb = s.nb
    L, mean_c = total(s.a) / s.n, total([a * c for a, c in zip(s.a, s.c, strict=True)]) / total(s.a)
    slopes = [total(row) / s.n for row in s.met]
    apart = [total([nb.abs(g - slope) for g in row]) / s.n for row, slope in zip(s.met, slopes, strict=True)]
    start = L * (s.x - mean_c) ** 2 / 2
    reach = start / (s.alpha * s.R) + s.alpha * L * s.phi**2 / 2 + 2 * s.phi * total(apart) / s.R
    return total([g * g for g in slopes]) / (s.R * s.root), s.M / (s.phi * s.root) * reach


def descent_bound(s: Instance) -> list[Comparison]:
    left, right = descent_rate(s)
    return [Comparison("(3), mended", left, "<=", right)]


def prove_descent() -> Proof:
    """Scalars: a = |x|, b = |y|, e = |x - y| for x, y a layer's D g_i and D grad f; then the descent of one round."""
    a, b, e, u = reals("a b e u")
    # |x/|x| - y/|y|| <= |1 - |x|/|y|| + |x - y| / |y|, and ||x| - |y|| <= |x - y|
    smt([a > 0, b > 0, e >= 0, a - b <= e, b - a <= e, u == 1 - a / b], both(u <= e / b, -u <= e / b))
    # |grad| / |D grad| <= V and |D (g_i - grad)| <= zeta / root_0: the loss per client is 2 V zeta / root_0
    grad, size, V, zeta, root, loss = reals("grad size V zeta root loss")
    smt(
        [
            grad >= 0,
            size > 0,
            grad <= V * size,
            zeta >= 0,
            root > 0,
            e >= 0,
            e * root <= zeta,
            loss * size == 2 * grad * e,
        ],
        loss * root <= 2 * V * zeta,
    )
    # <grad, D grad> / |D grad| >= root_0 / M |D^(1/2) grad|^2, for |D grad| <= M / root_0
    half, M = reals("half M")
    smt([half >= 0, size > 0, M > 0, root > 0, size * root <= M], half / size >= root / M * half)
    # one round, f+ <= f - alpha phi (gain - loss) + alpha^2 L phi^2 h / 2; and so the sum over rounds
    f, after, gain, alpha, phi, curve, S, T = reals("f after gain alpha phi curve S T")
    box = [alpha > 0, phi > 0, curve >= 0, loss >= 0]
    step = after <= f - alpha * phi * (gain - loss) + alpha * alpha * phi * phi * curve
    smt([*box, step], alpha * phi * gain <= f - after + alpha * phi * loss + alpha * alpha * phi * phi * curve)
    smt([S <= f - T, gain <= T - after], S + gain <= f - after)  # telescoping
    return Proof(
        "z3",
        "Smoothness along one round of normalised steps; |x/|x| - y/|y|| <= 2 |x - y| / |y| compares each client's "
        "step with the step along the average gradient; <grad, D grad>/|D grad| >= sqrt(v0)/M |D^(1/2) grad|^2 with "
        "D = 1/sqrt(v-hat); the sum over rounds telescopes. z3 checks these scalar facts for all reals; with several "
        "layers sums over layers take the place of the norms.",
    )


def standing_bound(s: Instance) -> list[Comparison]:
    """The corrected bound on the clients that stand still: zeta = h a/2, V = sqrt(v0)."""
    reach = s.Delta / (s.alpha * s.R) + s.alpha * s.a * s.phi**2 * s.h / 2 + s.phi * s.h * s.a
    return [Comparison("(3), mended", s.lhs, "<=", s.M / (s.phi * s.root) * reach)]


def standing_given(decode: Any, choices: Any) -> tuple[Hypothesis, ...]:
    """The hypotheses of the standing clients, with a domain where M bounds nothing."""

    def loose(cursor: Cursor, **discrete: Any) -> Instance:
        s: Instance = decode(cursor, **discrete)
        s.M = s.M * positive(cursor, 1e-6) / 1000
        return s

    without = Domain(loose, tuple(choices), "the same clients with gradients larger than M")
    return (STANDING[0], replace(STANDING[1], without=without), *STANDING[2:])


CORRECTED = (
    "for T = 1, beta_1 = 0, exact gradients, phi constant, with V = max sqrt(v-hat): at most M/(phi sqrt v0) times "
    "Delta/(alpha R) + alpha L phi^2 h/2 + 2 phi V/sqrt(v0) zeta, zeta the average over rounds and clients of "
    "sum_l |grad_l f_i - grad_l f|; the last term does not vanish (LAMB.T1's counterexample)"
)
CORRECTED_LATEX = (
    r"\frac1R\sum_r\Big\|\frac{\nabla f(\bar\theta_r)}{\hat v_r^{1/4}}\Big\|^2\le\frac{M}{\phi\sqrt{v_0}}\Big(\frac{"
    r"\Delta}{\alpha R}+\frac{\alpha L\phi^2\mathsf h}2+\frac{2\phi V}{\sqrt{v_0}}\,\zeta\Big)"
)
RUNS = Domain(descent, grid(n=(1, 2, 3), R=(1, 2, 5)), "quadratics in d = 1, up to 5 rounds, v-hat = v0 >= M^2")
ALONG_RUNS = Step(
    "the corrected bound, along runs of sign descent",
    Claim("as corrected", CORRECTED_LATEX, descent_bound, prove_descent, RUNS),
)
