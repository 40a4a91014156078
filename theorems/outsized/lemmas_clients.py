"""Lemmas on clients that derivations of this paper share: the distance to x*, how far apart two resting points are."""

from surrogate import bounds
from theorems.bridges import (
    averages,
    averages_of_vectors,
    cauchy_schwarz,
    form,
    forms_grow,
    inverse,
    least_squares,
    lengths,
    metric_cauchy_schwarz,
    minkowski,
    resting_point,
    root_mean_square,
    roots,
    tested_resting_point,
)
from theorems.outsized.lemmas import column, phi_bounds, quotient_grows, rates_in_order
from theorems.vocabulary import *


def distances(proof: Derivation, p: Population) -> Any:
    """sqrt(sum w_i |x* - c_i|^2) <= sigma_c (1 + sigma_A / mu), by x* - E c = -A^-1 sum w_i (A_i - A)(c_i - E c)."""
    nb, A = p.nb, p.A
    proof.cross(averages, "A >= mu", p=p, values=p.lam, low=p.mu, high=p.L)
    apart = A - p.mean(A)[..., None, :, :]
    proof.cross(cauchy_schwarz, "|sum w_i (A_i - A)(c_i - E c)| <= sigma_A sigma_c", nb=nb, w=p.w, M=apart, v=p.away)
    moved = p.mean((apart @ p.away[..., None])[..., 0])
    proof.cross(inverse, "|x* - E c|", nb=nb, M=p.mean(A), v=moved, low=p.mu)
    b, c, e, far, mu = reals("b c e far mu")
    away = nb.length(p.minimizer - p.mean(p.c))
    proof.leaf(
        "distances", [mu > 0, e <= b * c, far <= e / mu], c + far <= c * (1 + b / mu),
        b=p.sigma_A, c=p.sigma_c, e=nb.length(moved), far=away, mu=p.mu,
    )  # fmt: skip
    return through_the_mean(proof, p, p.minimizer, p.sigma_c * (1 + p.sigma_A / p.mu))


def through_the_mean(proof: Derivation, p: Population, x: Any, most: Any) -> Any:
    """sqrt(sum w_i |x - c_i|^2) <= sigma_c + |x - E c|, which is known to be at most ``most``."""
    nb = p.nb
    a, b, c = reals("size sum most")
    centre = np.broadcast_to((x - p.mean(p.c))[..., None, :], p.c.shape)
    proof.cross(minkowski, "by way of E c", nb=nb, w=p.w, u=-p.away, v=centre)
    total = nb.sqrt(p.mean(((x[..., None, :] - p.c) ** 2).sum(axis=-1)))
    away = nb.length(x - p.mean(p.c))
    proof.leaf("distances", [a <= b, b <= c], a <= c, size=total, sum=p.sigma_c + away, most=most)
    return total


def from_the_mean(proof: Derivation, p: Population, values: Any, ends: tuple[Any, Any]) -> Any:
    """sigma_c + |y - E c| <= sigma_c (1 + high / low), y at rest for 0 < low <= B_i <= high; the bound.

    B (y - E c) = sum w_i B_i (c_i - E c).
    """
    nb, (low, high) = p.nb, ends
    a, b, c, d, e = reals("a b c d e")
    moved = p.mean((p.spectral(values) @ p.away[..., None])[..., 0])
    proof.leaf("B_i >= -high", [0 < a, a <= b, b <= c], -c <= b, a=column(low), b=values, c=column(high))
    proof.cross(averages, "the averaged B", p=p, values=values, low=low, high=high)
    proof.cross(averages_of_vectors, "the mean of B_i (c_i - E c)", p=p, values=values, v=p.away, most=high)
    proof.cross(inverse, nb=nb, M=p.hessian(values), v=moved, low=low)
    proof.leaf("from the mean", [0 < a, b <= c * d, e <= b / a], d + e <= d * (1 + c / a), a=low, b=nb.length(moved),
               c=high, d=p.sigma_c, e=nb.length(p.rest(values) - p.mean(p.c)))  # fmt: skip
    return p.sigma_c * (1 + high / low)


def moved_by(
    proof: Derivation,
    p: Population,
    values: Any,
    reference: Any,
    scale: Any,
    gap: Any,
    ends: tuple[Any, Any],
    most: Any,
) -> None:
    """|x - y| <= most gap / low, where x rests for M_i and y for B_i (``values`` and ``reference`` are their spectra).

    Known: 0 < low <= M_i <= high (``ends``), |M_i - scale B_i| <= gap, sqrt(sum w_i |y - c_i|^2) <= most. The reason:
    M (x - y) = -sum w_i (M_i - scale B_i)(y - c_i).
    """
    nb, y, (low, high) = p.nb, p.rest(reference), ends
    off = values - column(scale) * reference
    residuals = y[..., None, :] - p.c
    moved, total = (
        p.mean((p.spectral(off) @ residuals[..., None])[..., 0]),
        nb.sqrt(p.mean((residuals**2).sum(axis=-1))),
    )
    proof.cross(averages, "the averaged M", p=p, values=values, low=low, high=high)
    proof.cross(resting_point, p=p, values=values, a=scale, reference=reference)
    proof.cross(averages_of_vectors, p=p, values=off, v=residuals, most=gap)
    proof.cross(inverse, nb=nb, M=p.hessian(values), v=moved, low=low)
    a, b, c, d, e, g, q = reals("moved rest size distances low gap q")
    proof.leaf("gap >= 0", [-g <= a, a <= g], 0 <= g, gap=column(gap), moved=off)
    proof.leaf(
        "together", [a == b, b <= c / e, c <= g * d, d <= q, 0 <= g, e > 0], a <= q * g / e,
        moved=nb.length(p.rest(values) - y), rest=nb.length(nb.solve(p.hessian(values), moved)), size=nb.length(moved),
        distances=total, low=low, gap=gap, q=most,
    )  # fmt: skip


def squeezed(
    proof: Derivation, p: Population, factor: Any, values: Any, ends: tuple[Any, Any], box: tuple[Any, Any]
) -> None:
    """|e| <= h sqrt(m / b) sigma_c / l, where e = x - y, x rests for M_i = S_i B_i and y for B_i.

    Known: 0 < l <= S_i <= l + 2 h, ``ends`` = (l, l + 2 h), and 0 < b <= B_i <= m, ``box`` = (b, m). ``factor`` and
    ``values`` are the spectra of S_i and B_i. With E = sum w_i e^T B_i e and V = sum w_i (c_i - y)^T B_i (c_i - y):

        l E <= e^T M e = sum w_i e^T (S_i - l - h) B_i (c_i - y) <= h sqrt(E) sqrt(V),

    b |e|^2 <= E, and V <= m sigma_c^2, as y minimises it.
    """
    nb, (low, high), (least, most) = p.nb, ends, box
    e, half = p.rest(factor * values) - p.rest(values), (high - low) / 2
    b, v = reals("b v")
    proof.leaf("B_i > 0", [b > 0, b <= v], 0 < v, b=column(least), v=values)
    E, V = _energy(proof, p, factor, values, ends)
    least_form(proof, p, values, most)
    proof.cross(forms_grow, "b |e|^2 <= E", p=p, low=column(least) + values * 0, high=values, v=e[..., None, :])
    a, b, c, g, h, m, E_, V_ = reals("a b c l h m E V")
    H, spread = half * half, most * p.sigma_c * p.sigma_c
    proof.leaf("l^2 E <= h^2 V", [g > 0, E_ >= 0, h * V_ >= 0, (g * E_) * (g * E_) <= h * E_ * V_],
               g * g * E_ <= h * V_, l=low, E=E, h=H, V=V)  # fmt: skip
    proof.leaf("b l^2 |e|^2 <= h^2 m sigma_c^2", [b * a <= E_, g * g * E_ <= h * V_, V_ <= c, h >= 0],
               g * g * (b * a) <= h * c, b=least, a=(e * e).sum(axis=-1), l=low, E=E, h=H, V=V, c=spread)  # fmt: skip
    proof.leaf("m / b >= 0", [b > 0, b <= v, v <= m], 0 <= m / b, b=column(least), v=values, m=column(most))
    root, size = nb.sqrt(most / least), nb.length(e)
    proof.cross(roots, "sqrt(m / b)", nb=nb, x=most / least)
    proof.cross(lengths, "|e|", nb=nb, v=e)
    proof.cross(root_mean_square, "sigma_c", nb=nb, w=p.w, v=p.away)
    proof.leaf("divided by b", [b > 0, a == m / b, g * (b * c) <= h * m * v], g * c <= h * a * v,
               b=least, m=most, a=root * root, l=low * low, c=size * size, h=H, v=p.sigma_c * p.sigma_c)  # fmt: skip
    proof.leaf("h sqrt(m / b) sigma_c >= 0", [h >= 0, a >= 0, c >= 0], 0 <= h * a * c, h=half, a=root, c=p.sigma_c)
    proof.leaf("the roots", [a * a <= b * b, b >= 0], a <= b, a=low * size, b=half * root * p.sigma_c)
    proof.leaf("divided by l", [g > 0, g * a <= b], a <= b / g, l=low, a=size, b=half * root * p.sigma_c)


def _energy(proof: Derivation, p: Population, factor: Any, values: Any, ends: tuple[Any, Any]) -> tuple[Any, Any]:
    """(l E)^2 <= h^2 E V, E >= 0, h^2 V >= 0 and h >= 0 of ``squeezed``; E and V."""
    low, high = ends
    shift, half, y = (low + high) / 2, (high - low) / 2, p.rest(values)
    e = p.rest(factor * values) - y
    test, rest = np.broadcast_to(e[..., None, :], p.c.shape), p.c - y[..., None, :]
    off = factor - column(shift)
    g, r, f, v = reals("l r f v")
    here = {"l": column(low), "f": factor, "v": values}
    proof.leaf("l B_i <= M_i", [g <= f, v > 0], g * v <= f * v, **here)
    proof.leaf("(S_i - l - h)^2 <= h^2", [g <= f, f <= r],
               (f - (g + r) / 2) * (f - (g + r) / 2) <= (r - g) * (r - g) / 4,
               l=column(low), f=factor, r=column(high))  # fmt: skip
    proof.leaf(
        "(S_i - l - h)^2 B_i <= h^2 B_i", [f <= r, v > 0], f * v <= r * v, f=off * off, r=column(half * half), v=values
    )
    proof.leaf("h >= 0", [g <= f, f <= r], 0 <= (r - g) / 2, l=column(low), f=factor, r=column(high))
    proof.cross(forms_grow, "l E <= e^T M e", p=p, low=column(low) * values, high=factor * values, v=test)
    moved, bound = off * off * values, column(half * half) * values
    proof.cross(forms_grow, "U <= h^2 E", p=p, low=moved, high=bound, v=test)
    proof.cross(forms_grow, "E >= 0", p=p, low=values * 0, high=values, v=test)
    proof.cross(forms_grow, "V >= 0", p=p, low=values * 0, high=values, v=rest)
    proof.cross(tested_resting_point, p=p, values=factor * values, reference=values, a=shift, v=e)
    turned = (p.spectral(off) @ test[..., None])[..., 0]
    proof.cross(metric_cauchy_schwarz, p=p, values=values, u=turned, v=rest)
    E, V = form(p, values, test, test), form(p, values, rest, rest)
    whole, product, U = (
        form(p, factor * values, test, test),
        form(p, off * values, test, rest),
        form(p, moved, test, test),
    )
    E_, V_, U_, M, P, h = reals("E V U M P h")
    proof.leaf("l E >= 0", [g > 0, E_ >= 0], 0 <= g * E_, l=low, E=E)
    proof.leaf("(l E)^2 <= (e^T M e)^2", [0 <= g, g <= M, M == P], g * g <= P * P, l=low * E, M=whole, P=product)
    proof.leaf(
        "(l E)^2 <= U V", [g <= P, P <= U_ * V_], g <= U_ * V_, l=(low * E) * (low * E), P=product * product, U=U, V=V
    )
    proof.leaf("(l E)^2 <= h^2 E V", [g <= U_ * V_, U_ <= h * E_, V_ >= 0], g <= h * E_ * V_,
               l=(low * E) * (low * E), U=U, V=V, h=half * half, E=E)  # fmt: skip
    proof.leaf("h^2 >= 0", [], 0 <= h * h, h=half)
    proof.leaf("h^2 V >= 0", [h >= 0, V_ >= 0], 0 <= h * V_, h=half * half, V=V)
    return E, V


def least_form(proof: Derivation, p: Population, values: Any, most: Any) -> None:
    """V = sum w_i (c_i - y)^T B_i (c_i - y) <= m sigma_c^2."""
    centre, rest = p.mean(p.c), p.c - p.rest(values)[..., None, :]
    proof.cross(least_squares, "y minimises", p=p, values=values, x=centre)
    proof.cross(forms_grow, "at E c", p=p, low=values, high=column(most) + values * 0, v=p.away)
    a, b, c = reals("a b c")
    proof.leaf("V <= m sigma_c^2", [a <= b, b <= c], a <= c, a=form(p, values, rest, rest),
               b=form(p, values, p.away, p.away), c=most * p.sigma_c * p.sigma_c)  # fmt: skip


def resting_points_move(proof: Derivation, p: Population, low: Any, high: Any, K: int) -> None:
    """|x~(gamma_1) - x~(gamma_2)| <= sigma_c (kappa~(gamma_1) - kappa~(gamma_2)) / (2 sqrt kappa~(gamma_2)).

    0 <= gamma_1 <= gamma_2 < 1/L, and kappa~ = phi_L / phi_mu: ``squeezed`` with B_i = Q_i(gamma_2) A_i and S_i the
    quotients phi_lam(gamma_1) / phi_lam(gamma_2), which grow with lam. At gamma_1 = 0, x~ is x*, and kappa~ is L / mu.
    """
    rates_in_order(proof, p, low, high)
    for gamma in (low, high):
        phi_bounds(proof, p, gamma, K)
    first, second = (column(gamma) for gamma in (low, high))
    mu, L = column(p.mu), column(p.L)
    for x, y in ((mu, p.lam), (p.lam, L)):
        quotient_grows(proof, first, second, K, x, y)
    u, v, U, V = reals("u v U V")
    ours, bottom, top = ([bounds.phi(K, x, gamma) for gamma in (first, second)] for x in (p.lam, mu, L))
    for (a, b), (c, d) in ((bottom, ours), (ours, top)):
        proof.leaf("phi(gamma_2) > 0", [v > 0, v <= V], 0 < V, v=b, V=d)
        proof.leaf("the quotient grows", [v > 0, V > 0, u * V <= U * v], u / v <= U / V, u=a, v=b, U=c, V=d)
    proof.leaf("the least quotient", [u > 0, v > 0], 0 < u / v, u=bottom[0], v=bottom[1])
    ends = (bottom[0] / bottom[1])[..., 0, 0], (top[0] / top[1])[..., 0, 0]
    squeezed(proof, p, ours[0] / ours[1], ours[1], ends, (bottom[1][..., 0, 0], top[1][..., 0, 0]))
    (b1, b2), (t1, t2) = ([phi[..., 0, 0] for phi in pair] for pair in (bottom, top))
    far, k, q, r, s = reals("far k q r s")
    here = {"k": t1 / b1, "q": t2 / b2, "r": p.nb.sqrt(t2 / b2), "s": p.sigma_c}
    proof.leaf("phi_L > 0", [0 < u, u <= v], 0 < v, u=ours[1], v=top[1])
    proof.leaf("kappa~ > 0", [0 < u, 0 < v], 0 < v / u, u=b2, v=t2)
    proof.leaf("sqrt kappa~ > 0", [r * r == q, 0 < q, 0 <= r], 0 < r, **here)
    proof.leaf("over sqrt kappa~", [far <= (k / q - 1) / 2 * r * s, r * r == q, 0 < r, 0 < q],
               far <= s * (k - q) / r / 2,
               far=p.nb.length(p.rest(ours[0]) - p.rest(ours[1])), **here)  # fmt: skip


def near_the_mean(proof: Derivation, p: Population, values: Any, ends: tuple[Any, Any]) -> Any:
    """|y - E c| <= sigma_c (m - b) / (2 sqrt(m b)), y at rest for 0 < b <= B_i <= m (``ends``); the bound.

    With e = y - E c, v = B^-1 e, s = 2 m b / (m + b) and C = (m - b)^2 / (4 m b):

        |e|^2 = sum w_i v^T (B_i - s)(c_i - E c) <= sqrt(U) sigma_c,  U = sum w_i |(B_i - s) v|^2 <= C |e|^2,

    as (B_i - s)^2 <= (m + b - 2 s) B_i + s^2 - m b = C (2 s B_i - s^2) and v^T B v = v^T e: U is at most C (2 s v^T e -
    s^2 |v|^2) = C (|e|^2 - |e - s v|^2).
    """
    nb, (least, most) = p.nb, ends
    e = p.rest(values) - p.mean(p.c)
    v = nb.solve(p.hessian(values), e)
    shift, C = 2 * most * least / (most + least), (most - least) * (most - least) / (4 * most * least)
    test, off = np.broadcast_to(v[..., None, :], p.c.shape), values - column(shift)
    line = column(C) * (2 * column(shift) * values - column(shift) * column(shift))
    a, b, c, x, y, z = reals("a b c x y z")
    proof.leaf("(B_i - s)^2 <= (m + b - 2 s) B_i + s^2 - m b", [a <= x, x <= b],
               (x - c) * (x - c) <= (a + b - 2 * c) * x + c * c - a * b,
               a=column(least), b=column(most), c=column(shift), x=values)  # fmt: skip
    proof.cross(forms_grow, "U <= C (2 s v^T e - s^2 |v|^2)", p=p, low=off * off, high=line, v=test)
    proof.cross(lengths, "|e - s v|^2 >= 0", nb=nb, v=e - shift[..., None] * v)
    proof.leaf("C >= 0", [0 < a, a <= x, x <= b], 0 <= (b - a) * (b - a) / (4 * b * a),
               a=column(least), b=column(most), x=values)  # fmt: skip
    U, size = form(p, off * off, test, test), (e * e).sum(axis=-1)
    part = 2 * shift * (v * e).sum(axis=-1) - shift * shift * (v * v).sum(axis=-1)
    proof.leaf("U <= C |e|^2", [x <= a * b, a >= 0, 0 <= y - b], x <= a * y, x=U, a=C, b=part, y=size)
    ones = values * 0 + 1
    proof.leaf("1 >= 0", [], 0 <= 0 * x + 1, x=values)
    proof.cross(tested_resting_point, p=p, values=values, reference=ones, a=shift, v=v)
    turned = (p.spectral(off) @ test[..., None])[..., 0]
    proof.cross(metric_cauchy_schwarz, p=p, values=ones, u=turned, v=p.away)
    proof.cross(root_mean_square, "sigma_c", nb=nb, w=p.w, v=p.away)
    spread = p.sigma_c * p.sigma_c
    proof.leaf("sigma_c^2 >= 0", [], 0 <= x * x, x=p.sigma_c)
    proof.leaf(
        "|e|^4 <= C |e|^2 sigma_c^2", [x == y, y * y <= z * c, z <= a * x, c >= 0], x * x <= x * (a * c),
        x=size, y=form(p, off, test, p.away), z=U, a=C, c=spread,
    )  # fmt: skip
    proof.leaf("C sigma_c^2 >= 0", [a >= 0, c >= 0], 0 <= a * c, a=C, c=spread)
    proof.leaf("|e|^2 <= C sigma_c^2", [x * x <= x * y, y >= 0], x <= y, x=size, y=C * spread)
    proof.cross(lengths, "|e|", nb=nb, v=e)
    root, q = nb.sqrt(most / least), reals("q")
    proof.leaf("m / b > 0", [0 < a, a <= x, x <= b], 0 < b / a, a=column(least), b=column(most), x=values)
    proof.leaf("m / b >= 0", [0 < q], 0 <= q, q=most / least)
    proof.cross(roots, "sqrt(m / b)", nb=nb, x=most / least)
    proof.leaf("sqrt(m / b) > 0", [q * q == x, 0 < x, 0 <= q], 0 < q, q=root, x=most / least)
    proof.leaf("m - b >= 0", [a <= x, x <= b], 0 <= b - a, a=column(least), b=column(most), x=values)
    proof.leaf("sqrt(C) >= 0", [0 <= z, 0 < a, 0 < q], 0 <= z / a / q / 2, z=most - least, a=least, q=root)
    half = (most - least) / least / root / 2
    bound = half * p.sigma_c
    proof.leaf("sqrt(C) sigma_c >= 0", [a >= 0, c >= 0], 0 <= a * c, a=half, c=p.sigma_c)
    proof.leaf("|e| <= sqrt(C) sigma_c", [x * x <= y * y, y >= 0], x <= y, x=nb.length(e), y=bound)
    return bound
