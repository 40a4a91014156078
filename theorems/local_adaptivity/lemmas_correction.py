"""Lines of LA's Theorem 3: how far local correction is from gradient descent, (112) to (129)."""

from itertools import pairwise

from theorems.bridges import (
    convexity,
    descent_lemma,
    equal_sums,
    extremes,
    inner_products,
    lengths,
    matrix_sum,
    operator_norms,
    smaller,
    sums,
    symmetric_norm,
)
from theorems.bridges.vectors import dented
from theorems.local_adaptivity.common import identity_like
from theorems.local_adaptivity.common_local import (
    Rates,
    Round,
    gradient,
    height,
    lowest,
    rates,
    rounds,
    shares,
    slopes,
)
from theorems.local_adaptivity.common_matrices import apply
from theorems.vocabulary import *


def stationary(proof: Derivation, s: Instance) -> None:
    """min_t |grad F|^2 <= 2DL/T + 3D/(qT): F falls by y/2 (|grad F|^2 - E), y = eta tau, E = Lambda L^2 y^2 G^2."""
    nb, p, path, T, r = s.nb, s.p, rounds(s), s.nb.number(s.T), rates(s)
    constants(proof, s, r)
    points = [s.x, *(each.after for each in path)]
    squares = [(gradient(s, x) ** 2).sum(axis=-1) for x in points[:-1]]
    heights, E, y = [height(s, x) for x in points], excess(s, r), r.y
    for each in path:
        one_round(proof, s, r, each)
    high = [2 * (a - b) / y + E for a, b in pairwise(heights)]
    proof.cross(sums, "over rounds (122)", low=np.stack(squares, -1), high=np.stack(high, -1))
    proof.cross(extremes, "the least of them", nb=nb, x=np.stack(squares, -1))
    least = nb.smallest(np.stack(squares, -1))
    proof.cross(sums, "T times the least", low=np.stack([least] * s.T, -1), high=np.stack(squares, -1))
    m, n, S, a, b, c, e, z = reals("m T S a b c E z")
    proof.leaf("the least gradient (128)", [n * m <= S, S <= 2 * (a - b) / z + n * e, c <= b, 0 < z, n >= 1],
               m <= 2 * (a - c) / (n * z) + e, T=T, m=least, S=sum(squares), a=heights[0], b=heights[-1], c=lowest(s),
               E=E, z=y)  # fmt: skip
    D, L, q = reals("D L q")
    here = {"D": r.D, "T": T, "q": r.q, "m": least}
    proof.leaf("with both rates (129)", [m <= 2 * D * a / n + e, a <= b, e <= c, D > 0, n >= 1], m <= 2 * D * b / n + c,
               E=E, a=1 / y, b=p.L + 1 / r.q, c=r.D * (1 / r.q) / T, **here)  # fmt: skip
    proof.leaf("times q", [m <= 2 * D * (L + 1 / q) / n + D * (1 / q) / n, q > 0, n >= 1],
               m * q <= 2 * D * L * q / n + 3 * D / n, L=p.L, **here)  # fmt: skip


def excess(s: Instance, r: Rates) -> Any:
    """E = Lambda L^2 y^2 G^2."""
    return r.Lambda * (s.p.L * s.p.L * (r.y * r.y * r.G2))


def constants(proof: Derivation, s: Instance, rate: Rates) -> None:
    """L, Lambda, y, G^2 are positive, y L <= 1, y <= q, 1/y <= L + 1/q and E <= D/(q T)."""
    nb, lam, L, q, y = s.nb, s.p.lam, s.p.L, rate.q, rate.y
    a, b, k = reals("a b tau")
    proof.setting("tau >= 1", s.tau, 1)
    proof.setting("T >= 1", s.T, 1)
    proof.leaf("L > 0", [0 < a, a <= b], 0 < b, a=lam, b=L[..., None, None])
    spectra, norms = nb.eigenvalues(shares(s)), nb.opnorm(shares(s))
    scaled = s.tau * norms
    proof.cross(extremes, "eigenvalues of A_k", nb=nb, x=spectra)
    proof.leaf("A_k > 0", [0 < a, a <= b], 0 < b, a=nb.smallest(spectra)[..., None], b=spectra)
    proof.leaf("A_k >= 0", [0 < a], 0 <= a, a=spectra)
    proof.cross(symmetric_norm, "eigenvalues of A_k", nb=nb, A=shares(s))
    proof.leaf("|A_k| > 0", [0 < a, a <= b], 0 < b, a=spectra, b=norms[..., None])
    proof.leaf("tau |A_k| > 0", [0 < a, k >= 1], 0 < k * a, a=norms, tau=nb.number(s.tau))
    proof.cross(extremes, "tau |A_k| <= Lambda", nb=nb, x=scaled.reshape(len(scaled), -1))
    proof.leaf("Lambda > 0", [0 < a, a <= b], 0 < b, a=scaled, b=rate.Lambda[:, None, None])
    proof.leaf("1/L > 0", [0 < a], 0 < 1 / a, a=L)
    proof.cross(smaller, "y = min(1/L, q)", nb=nb, x=s.cap / L, y=q)
    proof.leaf("y L <= 1", [a <= 1 / b, 0 < b], a * b <= 1, a=y, b=L)
    D, l2, M, n, r = reals("D L2 Lambda T r")
    given = {"D": rate.D, "L2": L * L, "Lambda": rate.Lambda, "T": nb.number(s.T), "r": q * q * q}
    proof.leaf("L^2 > 0", [0 < a], 0 < a * a, a=L)
    proof.leaf("q^3 > 0", [0 < a], 0 < a * a * a, a=q)
    positive = [0 < D, 0 < l2, 0 < M, n >= 1, 0 < r]
    proof.leaf("G^2 >= 0", positive, 0 <= D / (l2 * M * n * r), **given)
    proof.leaf(
        "E = D y^2/(T q^3)", positive, M * (l2 * (a * D / (l2 * M * n * r))) <= D * (a / r) / n, a=y * y, **given
    )
    proof.leaf("y^2/q^3 <= 1/q", [0 < a, a <= b], a * a / (b * b * b) <= 1 / b, a=y, b=q)
    proof.leaf("E <= D/(q T)", [k <= D * a / n, a <= b, 0 < D, n >= 1], k <= D * b / n,
               tau=excess(s, rate), D=given["D"], T=given["T"], a=y * y / (q * q * q), b=1 / q)  # fmt: skip


def one_round(proof: Derivation, s: Instance, rate: Rates, each: Round) -> None:
    """|grad F(x)|^2 <= 2 (F(x) - F(x+))/y + E."""
    p, E, y, x, after, h = s.p, excess(s, rate), rate.y, each.x, each.after, each.h
    for i in range(s.n):
        one_client(proof, s, rate, each, i)
    off = slopes(s, x) - h
    sizes = (off * off).sum(axis=-1)
    a, b, w = reals("a b w")
    proof.cross(convexity, "(115)", w=p.w, v=off)
    proof.leaf("a client's share", [a <= b, 0 < w], w * a <= w * b, w=p.w, a=sizes, b=E[..., None])
    proof.cross(sums, "all clients", low=p.w * sizes, high=p.w * E[..., None])
    Rt, theta, reach = np.swapaxes(p.R, -1, -2), s.theta[:, None, None], s.reach[:, None, None]
    c, now, then = (apply(Rt, np.broadcast_to(z, p.c.shape)) for z in (p.c, x[..., None, :], after[..., None, :]))
    proof.cross(
        descent_lemma, "each F_i (112)", A=p.lam, c=c, x=now, y=then, L=p.L[..., None], theta=theta, reach=reach
    )
    bent = [dented(z - c, theta, reach) for z in (now, then)]
    values, slope = [(p.lam * each).sum(axis=-1) for each, _ in bent], p.lam * bent[0][1]
    inner, square = (slope * (then - now)).sum(axis=-1), ((then - now) ** 2).sum(axis=-1)
    above = values[0] + inner + p.L[..., None] * square / 2
    proof.leaf("w_i F_i", [a <= b, 0 < w], w * a <= w * b, w=p.w, a=values[1], b=above)
    proof.cross(sums, "F (112)", low=p.w * values[1], high=p.w * above)
    g, v = gradient(s, x), p.mean(h)
    ones = g * 0 + 1
    proof.leaf("(a - b)^2", [], (a - b) * (a - b) == a * a - 2 * a * b + b * b, a=g, b=v)
    proof.cross(equal_sums, "(113)", low=(g - v) * (g - v), high=g * g - 2 * g * v + v * v, weights=ones)
    proof.cross(lengths, "sum w h", nb=s.nb, v=v)
    F, f, q, G, H, d, e, z, L, k = reals("F f q G H d E y L k")
    gg, hh, dd, qq = ((u * t).sum(axis=-1) for u, t in ((g, g), (v, v), (g - v, g - v), (g, v)))
    heights = [height(s, x), height(s, after)]
    proof.leaf(
        "a round falls (114)",
        [f <= F - z * q + L * (z * z * H) / 2, d == G - 2 * q + H, d <= k, k <= e, z * L <= 1, 0 < z, 0 <= H],
        f <= F - z / 2 * G + z / 2 * e, F=heights[0], f=heights[1], q=qq, G=gg, H=hh, d=dd, E=E, y=y, L=p.L,
        k=(p.w * sizes).sum(axis=-1),
    )  # fmt: skip
    proof.leaf("the gradient of a round (121)", [f <= F - z / 2 * G + z / 2 * e, 0 < z], G <= 2 * (F - f) / z + e,
               F=heights[0], f=heights[1], G=gg, E=E, y=y)  # fmt: skip


def one_client(proof: Derivation, s: Instance, rate: Rates, each: Round, i: int) -> None:
    """|grad F_i(x) - h_i|^2 <= E: (116) to (120)."""
    nb, cap, y, x = s.nb, rate.G2, rate.y, each.x
    points, gradients, moved = ([v[:, i] for v in found] for found in (each.points, each.gradients, each.moved))
    a, b, c, e, k, r, w, G, L, m = reals("a b c eta k r w G L m")
    far = y * y * cap
    proof.leaf("at the start", [0 <= G], 0 <= e * e * G, eta=y, G=cap)
    for j in range(1, s.tau):
        shares = nb_weights(nb, j)
        proof.setting("k >= 1", j, 1)
        proof.setting("k <= tau", s.tau - j, 0)
        proof.leaf("1/k >= 0", [k >= 1], 0 <= 1 / k, k=nb.number(j))
        v = np.stack(moved[:j], 1)
        sizes = (v * v).sum(axis=-1)
        proof.cross(convexity, "the mean of the steps so far", w=shares, v=v)
        proof.leaf("a step (Assumption 5)", [a <= G, 0 <= w], w * a <= w * G, w=shares, a=sizes, G=cap[:, None])
        proof.cross(sums, "the steps so far", low=shares * sizes, high=shares * cap[:, None])
        mean = v.sum(axis=1) / j
        proof.leaf("|x - x_k| <= k eta G (124)", [m <= a, a <= G, 0 <= G, k >= 1, r >= 0],
                   (e * k) * (e * k) * m <= (e * (k + r)) * (e * (k + r)) * G, m=(mean * mean).sum(axis=-1),
                   a=(shares * sizes).sum(axis=-1), G=cap, k=nb.number(j), r=nb.number(s.tau - j),
                   eta=y / s.tau)  # fmt: skip
    change = np.stack([gradients[0] - g for g in gradients], 1)
    ways = np.stack([((x - z) * (x - z)).sum(axis=-1) for z in points], -1)
    sizes = (change * change).sum(axis=-1)
    most = s.p.L * s.p.L * far
    proof.leaf("Lipschitz (118)", [a <= L * L * b, b <= c], a <= L * L * c,
               a=sizes, b=ways, c=far[:, None], L=s.p.L[:, None])  # fmt: skip
    _mean_of_changes(proof, s, rate, i, gradients[0] - each.h[:, i], change, most)


def _mean_of_changes(proof: Derivation, s: Instance, rate: Rates, i: int, off: Any, change: Any, most: Any) -> None:
    """|sum A_k b_k|^2 <= sum |A_k| |b_k|^2 <= Lambda/tau sum |b_k|^2 (117) to (120), as sum A_k = I."""
    A, tau = shares(s)[:, i], s.nb.number(s.tau)
    forms, norms, sizes = images(proof, s.nb, A, change)
    a, b, c, k, m, t = reals("a b c Lambda m tau")
    proof.leaf("|A_k| <= Lambda/tau (119)", [m <= a * b, t * a <= k, b <= c, t >= 1, 0 <= a, 0 <= c], t * m <= k * c,
               m=forms, a=norms, b=sizes, tau=tau, Lambda=rate.Lambda[:, None], c=most[:, None])  # fmt: skip
    high = np.stack([rate.Lambda * most] * s.tau, -1)
    proof.cross(sums, "all changes (120)", low=tau * forms, high=high)
    square, unit = (off * off).sum(axis=-1), identity_like(A[:, 0])
    r, one = reals("r"), unit[..., 0, 0]
    proof.leaf("1 <= 1", [], r <= r, r=one)
    proof.leaf("-1 <= 1", [0 <= r], -r <= r, r=one)
    proof.cross(symmetric_norm, "|I| <= 1", nb=s.nb, A=unit, most=one)
    proof.leaf("a client's change", [m <= r * b, r <= 1, 0 <= b, t * b <= t * c, t >= 1], m <= c,
               m=square, r=s.nb.opnorm(unit), b=forms.sum(axis=-1), tau=tau, c=excess(s, rate))  # fmt: skip


def images(proof: Derivation, nb: Any, A: Any, b: Any) -> tuple[Any, Any, Any]:
    """|sum A_k b_k|^2 <= |sum A_k| sum b_k^T A_k b_k and b_k^T A_k b_k <= |A_k| |b_k|^2: forms, norms, squares."""
    proof.cross(matrix_sum, "sum A_k b_k (117)", nb=nb, A=A, b=b)
    moved = apply(A, b)
    proof.cross(operator_norms, "|A_k b_k| <= |A_k| |b_k|", nb=nb, A=A, B=A, v=b)
    proof.cross(inner_products, "b_k^T A_k b_k", nb=nb, u=b, v=moved)
    proof.cross(lengths, "|b_k|^2", nb=nb, v=b)
    forms, norms, sizes = (b * moved).sum(axis=-1), nb.opnorm(A), (b * b).sum(axis=-1)
    q, x, m, a, c = reals("q l m a c")
    proof.leaf("b_k^T A_k b_k <= |A_k| |b_k|^2", [q <= x * m, m <= a * x, 0 <= x, x * x == c], q <= a * c,
               q=forms, l=nb.length(b), m=nb.length(moved), a=norms, c=sizes)  # fmt: skip
    return forms, norms, sizes


def nb_weights(nb: Any, count: int) -> Any:
    """(1, count): 1/count each."""
    return np.array([[nb.number(1) / nb.number(count)] * count], dtype=object)
