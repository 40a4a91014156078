"""Lines that derivations of LA share: one round of FedOpt (57) to (61), and what the two-phase schedule comes to."""

from theorems.bridges import convexity, extremes, independent_deviations, sums
from theorems.local_adaptivity.common_operators import error, images, noise, noises, paths, rate_of, rho, variances
from theorems.vocabulary import *


def rounds(proof: Derivation, s: Instance) -> None:
    """E|x^(T) - x~|^2 <= rho^(T/2) |x^(0) - x~|^2 + 8 N/(a^2 T)."""
    found = paths(s)
    contraction(proof, s)
    rates = [rate_of(s, t) for t in range(s.T)]
    u = reals("u")
    proof.leaf("the rate 1", [u == 1], u * 1 == 1, u=s.top_rate)
    rates_between(proof, s.nb, rho(s), rates)
    for x, alpha in zip(found, rates, strict=False):
        one_round(proof, s, x, alpha)
    schedule(proof, s.nb, rho(s), noise(s), [error(s, x) for x in found], rates)


def contraction(proof: Derivation, s: Instance) -> None:
    """0 <= rho = sum w_i slope_i^2 < 1."""
    a, p = reals("a w")
    proof.leaf("h_i < 1", [0 < a, a < 1], a * a < 1, a=s.slope)
    proof.leaf("w_i h_i >= 0", [0 < p], 0 <= p * (a * a), w=s.w, a=s.slope)
    h = s.slope * s.slope
    proof.cross(sums, "rho >= 0", low=h * 0, high=s.w * h)
    below_1(proof, s.nb, s.w, h)


def below_1(proof: Derivation, nb: Any, w: Any, h: Any) -> None:
    """h_i < 1 for all i: sum w_i h_i < 1."""
    a, b, p, r = reals("a b w r")
    top = nb.largest(h)
    proof.cross(extremes, "the largest h_i", nb=nb, x=h)
    proof.leaf("w_i h_i <= w_i max h", [0 < p, a <= b], p * a <= p * b, w=w, a=h, b=top[..., None])
    proof.cross(sums, "rho <= max h", low=w * h, high=w * top[..., None])
    proof.leaf("rho < 1", [r <= p * b, p == 1, b < 1], r < 1, r=(w * h).sum(axis=-1), w=w.sum(axis=-1), b=top)


def rates_between(proof: Derivation, nb: Any, p: Any, rates: list[Any]) -> None:
    """alpha = 1, then 2/(2 + a j): 0 <= alpha <= 1."""
    r, j, u = reals("rho j alpha")
    proof.leaf("1 >= 0", [u == 1], 0 <= u, alpha=rates[0])
    proof.leaf("1 <= 1", [u == 1], u <= 1, alpha=rates[0])
    for k in range(len(rates) - half(rates)):
        proof.setting("j >= 0", k, 0)
        proof.leaf("alpha >= 0", [r < 1, j >= 0], 0 <= 2 / (2 + (1 - r) * j), rho=p, j=nb.number(k))
        proof.leaf("alpha <= 1", [r < 1, j >= 0], 2 / (2 + (1 - r) * j) <= 1, rho=p, j=nb.number(k))


def half(rates: list[Any]) -> int:
    """How many rounds the first half has."""
    return (len(rates) + 1) // 2


def one_round(proof: Derivation, s: Instance, x: Any, alpha: Any) -> None:
    """(57) to (61), point by point: r_(t+1) <= (1 - alpha) r_t + alpha rho r_t + alpha^2 N, r_t = E|x^(t) - x~|^2."""
    fixed, now = s.fixed[:, None], alpha[:, None]
    e, w = x - fixed, np.broadcast_to(s.w[:, None], (*x.shape[:2], s.M))
    square, moved = (e * e).sum(axis=-1), images(s, x) - images(s, fixed)
    a, b, c, f, g, h, k, p, r, q, v = reals("a b c f g h k p r q v")
    sizes, caps = (moved * moved).sum(axis=-1), s.slope[:, None] ** 2 * square[..., None]
    proof.leaf("w_i |D_i|^2 <= w_i h_i |e|^2", [0 < p, g <= f], p * g <= p * f, p=w, g=sizes, f=caps)
    proof.cross(sums, "over clients", low=w * sizes, high=w * caps)
    proof.cross(convexity, "the mean of D_i", w=w, v=moved)
    mean = (w[..., None] * moved).sum(axis=2)
    shares = np.broadcast_to(np.stack([1 - now, now], -1), (*x.shape[:2], 2))
    proof.leaf("1 - alpha >= 0", [a <= 1], 0 <= 1 - a, a=alpha)
    proof.leaf("1 - alpha + alpha = 1", [], 1 - a + a == 1, a=alpha)
    proof.cross(convexity, "(56)", w=shares, v=np.stack([e, mean], -2))
    centre = (1 - now)[..., None] * e + now[..., None] * mean
    size = (mean * mean).sum(axis=-1)
    proof.leaf("E[A] contracts (54)", [f <= g, g <= k], f <= k, f=size, g=(w * sizes).sum(axis=-1),
               k=rho(s)[:, None] * square)  # fmt: skip
    proof.leaf("the mean contracts (57)", [c <= (1 - a) * r + a * f, f <= p * r, 0 <= a],
               c <= (1 - a) * r + a * (p * r), a=now, c=(centre * centre).sum(axis=-1), r=square, f=size,
               p=rho(s)[:, None])  # fmt: skip
    there, here = ((s.w[:, None, :, None] * images(s, y)).sum(axis=2) for y in (x, fixed))
    proof.leaf("x~ is a fixed point", [g == h], (1 - a) * r + a * f - h == (1 - a) * (r - h) + a * (f - g),
               a=now[..., None], r=x, f=there, g=here, h=fixed)  # fmt: skip
    after = (1 - now)[..., None] * x + now[..., None] * there
    spread = (now[..., None] * w)[..., None, None] * noises(s, x)
    proof.cross(independent_deviations, "(58)", m=after - fixed, values=spread)
    each = (noises(s, x) ** 2).sum(axis=-1).sum(axis=-1) / s.points
    proof.leaf("the noise of a client", [v <= q], (a * p) * (a * p) * v <= a * a * (p * p * q),
               a=now[..., None], p=w, v=each, q=variances(s)[:, None])  # fmt: skip
    total = (now[..., None] * w) ** 2 * each
    most = now[..., None] ** 2 * (w * w * variances(s)[:, None])
    proof.cross(sums, "the noise of all clients (59)", low=total, high=most)
    b, k = total.sum(axis=-1), most.sum(axis=-1)
    ends, u, t = (centre * centre).sum(axis=-1) + b, reals("u"), reals("t")
    proof.leaf("a round from one point (60)", [u == c + v, c <= (1 - a) * r + a * (p * r), v <= t],
               u <= (1 - a) * r + a * (p * r) + t, a=now, c=(centre * centre).sum(axis=-1), r=square, p=rho(s)[:, None],
               u=ends, v=b, t=k)  # fmt: skip
    bound = (1 - now) * square + now * (rho(s)[:, None] * square) + k
    proof.cross(sums, "over all points", low=ends, high=bound)
    n = reals("n")
    proof.setting("points >= 1", x.shape[1], 1)
    proof.leaf("a round (61)", [c <= g, n >= 1], c / n <= g / n, c=ends.sum(axis=-1), g=bound.sum(axis=-1),
               n=s.nb.number(x.shape[1]))  # fmt: skip


def schedule(proof: Derivation, nb: Any, p: Any, N: Any, errors: list[Any], rates: list[Any]) -> None:
    """With r_(t+1) <= (1 - alpha) r_t + alpha rho r_t + alpha^2 N known at each t, 0 <= rho < 1, N >= 0 and r_0 >= 0.

    First half: r_t <= rho^t r_0 + N/a. After it, with k = 2/a + j: r <= C/k^2 + 4 N/(a^2 k), C = (2/a)^2 rho^h r_0.
    """
    C, D, R, a, j, k, u, n, q, r, w, x, y = reals("C N R rho j k alpha n q r W x y")
    first, power = half(rates), p * 0 + 1
    proof.leaf("at the start", [0 <= D, a < 1], R <= 1 * R + D / (1 - a), N=N, R=errors[0], rho=p)
    proof.leaf("1 >= 0", [], 0 <= 0 * a + 1, rho=p)
    for t in range(first):
        proof.leaf(
            "the first half", [y <= (1 - u) * r + u * (a * r) + u * u * D, u == 1, r <= q * R + D / (1 - a), 0 <= a,
                               a < 1],
            y <= q * a * R + D / (1 - a), y=errors[t + 1], r=errors[t], alpha=rates[t], q=power, R=errors[0], N=N,
            rho=p,
        )  # fmt: skip
        proof.leaf("rho^t >= 0", [0 <= a, 0 <= q], 0 <= q * a, rho=p, q=power)
        power = power * p
    kept, width, top = power * errors[0], 2 / (1 - p), 4 * N / ((1 - p) * (1 - p))
    proof.leaf("rho^h r_0 >= 0", [0 <= q, 0 <= R], 0 <= q * R, q=power, R=errors[0])
    proof.leaf("a > 0", [a < 1], 0 < 1 - a, rho=p)
    proof.leaf("2/a >= 2", [0 <= a, a < 1], 2 <= 2 / (1 - a), rho=p)
    proof.leaf("4N/a^2 >= 0", [0 <= D, a < 1], 0 <= 4 * D / ((1 - a) * (1 - a)), N=N, rho=p)
    proof.leaf("at the middle", [r <= x + D / (1 - a), 0 <= D, 0 <= a, a < 1],
               r <= x + 4 * D / ((1 - a) * (1 - a)) / (2 / (1 - a)), r=errors[first], x=kept, N=N, rho=p)  # fmt: skip
    proof.leaf("x = x W^2 / W^2", [r <= x + y, w >= 2], r <= x * w * w / (w * w) + y,
               r=errors[first], x=kept, W=width, y=top / width)  # fmt: skip
    scaled, place = kept * width * width, width
    proof.leaf("C >= 0", [0 <= x, w >= 2], 0 <= x * w * w, x=kept, W=width)
    for step, alpha in enumerate(rates[first:]):
        before, after = errors[first + step], errors[first + step + 1]
        proof.leaf("alpha a k = 2", [a < 1, j >= 0], 2 / (2 + (1 - a) * j) * (1 - a) * (2 / (1 - a) + j) == 2,
                   rho=p, j=nb.number(step))  # fmt: skip
        proof.leaf("k >= 2", [w >= 2, j >= 0], w + j >= 2, W=width, j=nb.number(step))
        proof.leaf("alpha a = 2/k", [u * x * k == 2, k >= 2], u * x == 2 / k, alpha=alpha, x=1 - p, k=place)
        proof.leaf("alpha^2", [u * x == y, 0 < x], u * u == y * y / (x * x), alpha=alpha, x=1 - p, y=2 / place)
        proof.leaf("a round of the second half",
                   [y <= (1 - u) * r + u * (a * r) + u * u * D, u * (1 - a) == x, u * u == w], y <= (1 - x) * r + w * D,
                   y=after, r=before, alpha=alpha, rho=p, N=N, x=2 / place, W=alpha * alpha)  # fmt: skip
        proof.leaf("with the bound before", [y <= (1 - 2 / k) * r + w / (k * k), r <= C / (k * k) + w / k, k >= 2],
                   y <= (1 - 2 / k) * (C / (k * k)) + ((1 - 2 / k) * (w / k) + w / (k * k)),
                   y=after, r=before, C=scaled, W=top, k=place)  # fmt: skip
        proof.leaf("C/k^2", [0 <= C, k >= 2], (1 - 2 / k) * (C / (k * k)) <= C / ((k + 1) * (k + 1)),
                   C=scaled, k=place)  # fmt: skip
        proof.leaf("W/k", [0 <= w, k >= 2], (1 - 2 / k) * (w / k) + w / (k * k) <= w / (k + 1), W=top, k=place)
        proof.leaf("the second half", [y <= x + n, x <= C, n <= w], y <= C + w, y=after,
                   x=(1 - 2 / place) * (scaled / (place * place)), C=scaled / ((place + 1) * (place + 1)),
                   n=(1 - 2 / place) * (top / place) + top / (place * place), W=top / (place + 1))  # fmt: skip
        place = place + 1
    rest = len(rates) - first
    proof.setting("rounds after the first half >= 0", rest, 0)
    proof.setting("T <= 2 rounds + 1", 2 * rest + 1 - len(rates), 0)
    proof.setting("T >= 1", len(rates), 1)
    _end(proof, nb, p, N, kept, width, rest, 2 * rest + 1 - len(rates), errors[-1])


def _end(proof: Derivation, nb: Any, p: Any, N: Any, kept: Any, width: Any, rest: int, odd: int, last: Any) -> None:
    """C/k^2 <= rho^h r_0 and 4 N/(a^2 k) <= 8 N/(a^2 T), k = 2/a + T - h."""
    D, a, n, o, w, x, y, z = reals("N rho n o W x y z")
    here = {"x": kept, "W": width, "n": nb.number(rest)}
    proof.leaf("the start's share", [0 <= x, w >= 2, n >= 0], x * w * w / ((w + n) * (w + n)) <= x, **here)
    top = 4 * N / ((1 - p) * (1 - p))
    T = 2 * rest + 1 - odd
    proof.leaf(
        "T/2 <= k", [w >= 2, n >= 0, o >= 0], 2 * n + 1 - o <= 2 * (w + n), W=width, n=here["n"], o=nb.number(odd)
    )
    proof.leaf(
        "the noise's share", [0 <= x, n <= 2 * y, n >= 1], x / y <= 2 * x / n, x=top, y=width + rest, n=nb.number(T)
    )
    proof.leaf("2 * 4 = 8", [y <= 2 * (4 * D / ((1 - a) * (1 - a))) / n, n >= 1, a < 1],
               y <= 8 * D / ((1 - a) * (1 - a) * n), y=top / (width + rest), N=N, rho=p, n=nb.number(T))  # fmt: skip
    proof.leaf("at the end", [y <= x + z, x <= w, z <= n], y <= w + n, y=last,
               x=kept * width * width / ((width + rest) * (width + rest)), z=top / (width + rest), W=kept,
               n=8 * N / ((1 - p) * (1 - p) * T))  # fmt: skip
