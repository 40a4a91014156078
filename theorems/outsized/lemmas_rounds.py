"""Lemmas on one round of FedAvg under noise that derivations of section 7 share: the variance of q, the descent."""

from theorems.bridges import (
    drawn_clients,
    equal_sums,
    expected_squares,
    extremes,
    form,
    forms_grow,
    lengths,
    noisy_local_steps,
    noisy_step,
    normal_equations,
    powers,
    sums,
)
from theorems.bridges.means import mean
from theorems.bridges.moments import drawn_step, drawn_variance, expected_square, left_out
from theorems.outsized.common import phis
from theorems.outsized.common_moments import ALONE, THREE, Round, excess, largest_noise, law, trace
from theorems.outsized.lemmas import column
from theorems.vocabulary import *


def gradient_noise(proof: Derivation, s: Instance, gamma: Any, x: Any, around: Round) -> Any:
    """sum w_i tr N_i <= K G^2 / B for 0 <= gamma lambda <= 2, with steps from x; the left side.

    N_i = sum_k F^k v v^T F^k / B, F = I - gamma A_i, whose eigenvalues have squares of at most 1.
    """
    p, nb, K = s.p, s.nb, s.K
    a, b, c, m, n, u = reals("a b c m n u")
    z = column(gamma) * p.lam
    proof.leaf("(1 - gamma lambda)^2 >= 0", [], 0 <= (1 - u) * (1 - u), u=z)
    proof.leaf("(1 - gamma lambda)^2 <= 1", [0 <= u, u <= 2], (1 - u) * (1 - u) <= 1, u=z)
    one, r = z * 0 + 1, (1 - z) * (1 - z)
    proof.cross(powers, "(1 - gamma lambda)^2k <= 1", low=r, high=one, exponents=range(K))
    each = np.stack([r**k for k in range(K)], -1)
    proof.cross(sums, "K of them", low=each, high=each * 0 + 1)
    proof.cross(forms_grow, "the noise of K steps", p=p, low=each.sum(axis=-1), high=one * K, v=s.noise)
    most, square = _largest_square(proof, s), mean(p.w, (s.noise * s.noise).sum(axis=-1))
    proof.cross(noisy_local_steps, A=p.A, c=p.c, x=x[..., None, :], v=s.noise, gamma=gamma, K=K, B=s.B)
    noise = trace(around.noise)
    proof.cross(equal_sums, "weighted", low=noise, high=noise, weights=p.w)
    proof.setting("K >= 0", K, 0)
    proof.setting("B >= 1", s.B, 1)
    total, B, count = mean(p.w, noise), nb.number(s.B), nb.number(K)
    kept = form(p, each.sum(axis=-1), s.noise, s.noise)
    proof.leaf("sum w_i tr N_i <= K G^2 / B", [u == a / n, a <= c * b, b <= m, c >= 0, n >= 1], u <= c * m / n,
               u=total, a=kept, b=square, c=count, m=most, n=B)  # fmt: skip
    return total


def _largest_square(proof: Derivation, s: Instance) -> Any:
    """sum w_i |v_i|^2 <= G^2, the right side."""
    p, nb, v = s.p, s.nb, s.noise
    a, b = reals("a b")
    size, most = nb.length(v), largest_noise(s)
    proof.cross(lengths, "|v_i|", nb=nb, v=v)
    proof.cross(extremes, "|v_i| <= G", nb=nb, x=size)
    proof.leaf("|v_i|^2 <= G^2", [0 <= a, a <= b], a * a <= b * b, a=size, b=most[..., None])
    weighted(proof, "sum w_i |v_i|^2 <= G^2", p.w, size * size, (most * most)[..., None])
    return most * most


def drawing(proof: Derivation, s: Instance) -> dict[str, Any]:
    """How clients are drawn, as bridges ask for it."""
    distinct = s.sampling not in (ALONE, THREE)
    if distinct and s.p.n > 1:
        proof.define("distinct clients are equally likely", s.p.w, s.p.w * 0 + s.nb.number(Fraction(1, s.p.n)))
    return {"w": s.p.w, "M": s.M, "distinct": distinct}


def small_rate(proof: Derivation, p: Population, gamma: Any) -> None:
    """0 <= gamma lambda <= 2, as ``round_variance`` asks, from ``phi_bounds``."""
    g, x = reals("gamma x")
    proof.leaf("gamma lambda <= 2", [x <= 1], x <= 2, x=column(gamma) * p.lam)
    proof.leaf("gamma lambda >= 0", [g >= 0, x > 0], 0 <= g * x, gamma=column(gamma), x=p.lam)


def round_variance(proof: Derivation, s: Instance, gamma: Any, y: Any, m: Any, S: Any) -> tuple[dict[str, Any], Any]:
    """E Var(q | e) = (rho W + sum w_i tr N_i) / M <= (rho W + K G^2 / B) / M, W = E Var_i(grad f~_i(y + e)).

    e has the mean m and second moments S. What the bridges on drawn clients ask for, and W.
    """
    around = law(s, gamma, y)
    noise = gradient_noise(proof, s, gamma, y + m, around)
    how = {**drawing(proof, s), "A": around.A, "b": around.b, "noise": trace(around.noise), "m": m, "S": S}
    proof.cross(drawn_clients, **how)
    proof.setting("M >= 1", s.M, 1)
    V, q, r, N, n, M = reals("V W rho N n M")
    most, total = s.nb.number(s.K) * largest_noise(s) ** 2 / s.B, trace(around.between(m, S))
    proof.leaf("E Var(q | e)", [V == (q * r + N) / M, N <= n, M >= 1], V <= (q * r + n) / M, V=drawn_variance(**how),
               W=total, rho=s.nb.number(excess(s)), N=noise, n=most, M=s.nb.number(s.M))  # fmt: skip
    return how, total


def descent(proof: Derivation, s: Instance, gamma: Any, y: Any, m: Any, S: Any, eta: Any) -> tuple[Any, Any]:
    """E|e - eta q|^2 <= (1 - eta mu) E|e|^2 + eta^2 F; its left side, and F = (K G^2/B + 2 rho V/(2 - eta L))/M.

    Here e = x_t - x*_gamma has the mean m and second moments S, (mu, L) = (phi_mu, phi_L) as ``phi_bounds`` has them,
    0 <= eta L^2 <= 2 L - mu and V = E_i |b_i|^2. With D = E Var_i(A_i e), W = E Var_i(A_i e - b_i), A = sum w_i A_i:

        eta L W <= 2 D + 2 eta L V / (2 - eta L),  E|e - eta A e|^2 + 2 eta D / L <= (1 - eta mu) E|e|^2.
    """
    p, nb, (mu, L) = s.p, s.nb, phis(s, gamma)
    values, (x, g, r, c, k) = p.filtered(gamma, s.theta), reals("x gamma most c k")
    small_rate(proof, p, gamma)
    proof.leaf("phi > 0", [g > 0, g <= x], 0 < x, gamma=column(mu), x=values)
    proof.leaf("L_gamma > 0", [g > 0, g <= x], 0 < x, gamma=values, x=column(L))
    how, W = round_variance(proof, s, gamma, y, m, S)
    proof.cross(normal_equations, "sum w_i b_i = 0", p=p, values=values, x=y)
    proof.cross(noisy_step, **how, eta=eta)
    square, D = _contracted(proof, s, values, how, eta, (mu, L))
    share = nb.number(excess(s)) / s.M
    Q = _scattered(proof, s, how, (D, W), eta, (mu, L))
    E, v, d, q, n = reals("E v d q n")
    kept = expected_square(m, S, np.eye(p.d, dtype=int) - eta[..., None, None] * mean(p.w, how["A"]), m * 0)
    after, V = drawn_step(**how, eta=eta), drawn_variance(**how)
    noise = s.K * largest_noise(s) * largest_noise(s) / s.B / s.M
    proof.leaf(
        "one round", [E == k + g * g * v, v <= c * x + n, g * g * (c * x) <= d + g * g * q, k + d <= r],
        E <= r + g * g * (n + q), E=after, k=kept, gamma=eta, v=V, c=share, x=W, n=noise, d=2 * eta * D / L,
        q=share * Q, most=(1 - eta * mu) * square,
    )  # fmt: skip
    return after, noise + share * Q


def weighted(proof: Derivation, says: str, w: Any, low: Any, high: Any) -> None:
    """a_i <= b_i gives sum w_i a_i <= sum w_i b_i."""
    a, b, weight = reals("a b w")
    low, high = low + high * 0, high + low * 0
    proof.leaf("times a weight", [weight >= 0, a <= b], weight * a <= weight * b, w=w, a=low, b=high)
    proof.cross(sums, says, low=w * low, high=w * high)


def _contracted(
    proof: Derivation, s: Instance, values: Any, how: dict[str, Any], eta: Any, ends: tuple[Any, Any]
) -> tuple[Any, Any]:
    """E|e - eta A e|^2 + 2 eta D / L <= (1 - eta mu) E|e|^2 and D >= 0; E|e|^2 and D.

    (L - a)(a - mu) >= 0 for the eigenvalues a of A_i, so D + E|A e|^2 <= (L + mu) E e^T A e - mu L E|e|^2, and
    E|L e - A e|^2 >= 0.
    """
    p, m, S, A, (mu, L) = s.p, how["m"], how["S"], how["A"], ends
    a, h, q, a0, a1, a2, g, u, v = reals("a h q a0 a1 a2 eta mu L")
    H, eye = mean(p.w, A), np.eye(p.d, dtype=int)
    rows, line = np.swapaxes(p.R, -1, -2)[..., None, :], (column(L) + column(mu)) * values - column(mu) * column(L)
    each = {"m": m[..., None, None, :], "S": S[..., None, None, :, :], "T": rows, "u": rows[..., 0] * 0}
    proof.cross(expected_squares, "along an eigenvector", **each)
    proof.leaf("(L - a)(a - mu) >= 0", [u <= a, a <= v], a * a <= (v + u) * a - u * v,
               a=values, mu=column(mu), L=column(L))  # fmt: skip
    parts = expected_square(**each)
    proof.leaf("times a square", [h >= 0, a <= q], a * h <= q * h, h=parts, a=values * values, q=line)
    proof.cross(sums, "along all of them", low=values * values * parts, high=line * parts)
    weighted(proof, "E_i E|A_i e|^2", p.w, (values * values * parts).sum(axis=-1), (line * parts).sum(axis=-1))
    proof.cross(expected_squares, "E|L e - A e|^2", m=m, S=S, T=column(L) * eye - H, u=m * 0)
    proof.cross(expected_squares, "E|A e|^2", m=m, S=S, T=H, u=m * 0)
    off = {"m": m[..., None, :], "S": S[..., None, :, :], "T": A - H[..., None, :, :], "u": p.c * 0}
    proof.cross(expected_squares, "E|A_i e - A e|^2", **off)
    spread = expected_square(**off)
    weighted(proof, "D >= 0", p.w, spread * 0, spread)
    D = mean(p.w, spread)
    here = {"a0": trace(S), "a1": trace(H @ S), "a2": expected_square(m, S, H, m * 0), "eta": eta, "mu": mu, "L": L}
    proof.leaf("2 eta D / L", [h + a2 <= q, g >= 0, v > 0], 2 * g * h / v <= 2 * g * (q - a2) / v, h=D, eta=eta, L=L,
               q=(L + mu) * here["a1"] - mu * L * here["a0"], a2=here["a2"])  # fmt: skip
    proof.leaf(
        "the averaged step contracts",
        [v * v * a0 - 2 * v * a1 + a2 >= 0, a2 >= 0, g >= 0, u > 0, v > 0, g * v * v <= 2 * v - u,
         h <= 2 * g * ((v + u) * a1 - u * v * a0 - a2) / v],
        a0 - 2 * g * a1 + g * g * a2 + h <= (1 - g * u) * a0, **here, h=2 * eta * D / L,
    )  # fmt: skip
    return here["a0"], D


def _scattered(
    proof: Derivation, s: Instance, how: dict[str, Any], spreads: tuple[Any, Any], eta: Any, ends: tuple[Any, Any]
) -> Any:
    """eta^2 rho W / M <= 2 eta D / L + eta^2 rho Q / M, where Q = 2 V / (2 - r), r = eta L; ``spreads`` are D, W; Q.

    0 <= sum w_i E|(2 - r)(A_i - A) e + r b_i|^2 = 2 (2 - r) D + 2 r V - r (2 - r) W, and rho <= 1.
    """
    p, (mu, L), (D, W), reach = s.p, ends, spreads, eta * ends[1]
    g, u, v, r, x, y, z, q, c = reals("eta mu L r D V W q c")
    proof.leaf("eta L < 2", [g * v * v <= 2 * v - u, u > 0, v > 0], g * v < 2, eta=eta, mu=mu, L=L)
    b, off = how["b"], how["A"] - mean(p.w, how["A"])[..., None, :, :]
    mixed = {"T": column(2 - reach)[..., None] * off, "u": column(reach) * b}
    squares = {"m": how["m"][..., None, :], "S": how["S"][..., None, :, :], **mixed}
    proof.cross(expected_squares, "E|(2 - r)(A_i - A) e + r b_i|^2", **squares)
    weighted(proof, "Young's inequality", p.w, p.w * 0, expected_square(**squares))
    V = mean(p.w, (b * b).sum(axis=-1))
    Q = 2 * V / (2 - reach)
    proof.leaf("r W <= 2 D + r Q", [0 <= 2 * (2 - r) * x + 2 * r * y - r * (2 - r) * z, r < 2],
               r * z <= 2 * x + r * (2 * y / (2 - r)), r=reach, D=D, V=V, W=W)  # fmt: skip
    share = _share(proof, s, how)
    proof.leaf("rho / M <= 1", [r * z <= 2 * x + q, 0 <= c, c <= 1, x >= 0], c * (r * z) <= 2 * x + c * q,
               r=reach, D=D, W=W, q=reach * Q, c=share)  # fmt: skip
    proof.leaf("times eta / L", [c * (g * v * z) <= 2 * x + c * (g * v * q), g >= 0, v > 0],
               g * g * (c * z) <= 2 * g * x / v + g * g * (c * q), eta=eta, L=L, D=D, W=W, q=Q, c=share)  # fmt: skip
    return Q


def _share(proof: Derivation, s: Instance, how: dict[str, Any]) -> Any:
    """0 <= rho / M <= 1, rho = u / (u + v) with u = n - M and v = M - 1 for distinct clients, else u = 1 and v = 0."""
    u, v, M = reals("u v M")
    i, j = left_out(s.p.n, s.M, how["distinct"])
    proof.setting("u >= 0", i, 0)
    proof.setting("v >= 0", j, 0)
    proof.setting("u + v >= 1", i + j, 1)
    here = {"u": s.nb.number(i), "v": s.nb.number(j), "M": s.nb.number(s.M)}
    known = [u >= 0, v >= 0, u + v >= 1, M >= 1]
    proof.leaf("rho / M >= 0", known, 0 <= u / (u + v) / M, **here)
    proof.leaf("rho / M <= 1", known, u / (u + v) / M <= 1, **here)
    return s.nb.number(excess(s)) / s.M


def noise_sign(proof: Derivation, s: Instance) -> Any:
    """K G^2 / (M B) >= 0."""
    n, M, G, K = reals("B M G K")
    most, here = largest_noise(s), {"K": s.nb.number(s.K), "B": s.nb.number(s.B), "M": s.nb.number(s.M)}
    for name, value, least in (("K >= 0", s.K, 0), ("B >= 1", s.B, 1), ("M >= 1", s.M, 1)):
        proof.setting(name, value, least)
    proof.leaf("K G^2 / (M B) >= 0", [K >= 0, n >= 1, M >= 1], 0 <= K * G * G / n / M, **here, G=most)
    return s.K * most * most / s.B / s.M


def scatter_sign(proof: Derivation, s: Instance, gamma: Any, y: Any) -> Any:
    """V = sum w_i |b_i|^2 >= 0."""
    fields = law(s, gamma, y).b
    proof.cross(lengths, "|b_i|^2 >= 0", nb=s.nb, v=fields)
    weighted(proof, "V >= 0", s.p.w, s.p.w * 0, (fields * fields).sum(axis=-1))
    return mean(s.p.w, (fields * fields).sum(axis=-1))


def noise_floor(proof: Derivation, s: Instance, gamma: Any, y: Any, reach: Any) -> tuple[Any, Any]:
    """F = (K G^2 / B + 2 rho V / (2 - r)) / M >= 0 of a round that ``descent`` knows, r < 2; F and V."""
    r, v, share, a, b = reals("r V share a b")
    V, first, c = scatter_sign(proof, s, gamma, y), noise_sign(proof, s), s.nb.number(excess(s)) / s.M
    proof.leaf("2 rho V / ((2 - r) M) >= 0", [share >= 0, v >= 0, r < 2], 0 <= share * (2 * v / (2 - r)), share=c, V=V,
               r=reach)  # fmt: skip
    second = c * (2 * V / (2 - reach))
    proof.leaf("F >= 0", [a >= 0, b >= 0], 0 <= a + b, a=first, b=second)
    return first + second, V
