"""The derivation of LA.L3: a perturbed contraction r+ = (1 - a g) r - b g s + c g^2 under our stepsizes and weights."""

from theorems.vocabulary import *


def perturbed_rate(proof: Derivation, s: Instance) -> None:
    """b/W sum w_t s_t + a r_{T+1} <= 2 d r_0 (1 - a/d)^(T/2) + 20 c/(aT)."""
    half, r, q, share = (s.T + 2) // 2, s.start, s.start, s.a / s.d
    a, c, d, x, y, z = reals("a c d x y z")
    at = {"a": s.a, "c": s.c, "d": s.d}
    proof.leaf("d > 0", [0 < a, a <= d], 0 < d, a=s.a, d=s.d)
    proof.leaf("a/d > 0", [0 < a, 0 < d], 0 < a / d, a=s.a, d=s.d)
    proof.leaf("a/d <= 1", [a <= d, 0 < d], a / d <= 1, a=s.a, d=s.d)
    proof.leaf("1/d > 0", [0 < d], 0 < 1 / d, d=s.d)
    proof.leaf("a/d, as a times 1/d", [0 < d], a * (1 / d) == a / d, a=s.a, d=s.d)
    proof.leaf("a gamma <= 1", [x == y, y <= 1], x <= 1, x=s.a * (1 / s.d), y=share)
    proof.leaf("c/d^2", [0 < a, 0 < d], c * (1 / d) ** 2 == c / (a * d) * (a / d), **at)
    proof.leaf("at the start", [0 <= c, 0 < a, 0 < d], z <= z + c / (a * d), z=r, **at)
    excess, noise = s.c / (s.a * s.d), s.c * (1 / s.d) ** 2
    for t in range(half):
        room, after = taken(proof, s, r, 1 / s.d, s.shares[t])
        _step(proof, s, r, q, share, excess, noise)
        proof.leaf("r+ in the first half", [x <= y, y <= z], x <= z, x=after, y=room, z=(1 - share) * q + excess)
        proof.leaf("not negative", [0 <= z, y <= 1], 0 <= (1 - y) * z, z=q, y=share)
        proof.leaf("falls", [0 <= z, 0 < y], (1 - y) * z <= z, z=q, y=share)
        r, before, q = after, q, (1 - share) * q
    second_half(proof, s, half, r, q, before)


def _step(
    proof: Derivation, s: Instance, r: Numbers, q: Numbers, share: Numbers, excess: Numbers, noise: Numbers
) -> None:
    """(1 - a/d) r + c/d^2 <= (1 - a/d) q + c/(ad)."""
    b, c, d, e, y, z = reals("b c d e y z")
    proof.leaf("1 - a/d", [b == y], 1 - b == 1 - y, b=s.a * (1 / s.d), y=share)
    proof.leaf(
        "the first half",
        [b == 1 - y, c == e * y, z <= d + e, y <= 1],
        b * z + c <= (1 - y) * d + e,
        b=1 - s.a * (1 / s.d),
        z=r,
        c=noise,
        e=excess,
        y=share,
        d=q,
    )


def taken(proof: Derivation, s: Instance, r: Numbers, gamma: Numbers, h: Numbers) -> tuple[Any, Any]:
    """room = (1 - a gamma) r + c gamma^2, r+ = room - b gamma s_t: 0 <= s_t, 0 <= r+ <= room; (room, r+)."""
    a, b, c, g, x, u, z = reals("a b c g x u z")
    proof.leaf("what is kept", [a * g <= 1, 0 <= z], 0 <= (1 - a * g) * z, a=s.a, g=gamma, z=r)
    proof.leaf("a square times it", [0 <= c], 0 <= c * g**2, c=s.c, g=gamma)
    proof.leaf("room", [0 <= z, 0 <= c], 0 <= z + c, z=(1 - s.a * gamma) * r, c=s.c * gamma**2)
    room = (1 - s.a * gamma) * r + s.c * gamma**2
    at = {"u": room, "x": h, "b": s.b, "g": gamma}
    signs = [0 <= u, 0 <= x, 0 < b, 0 < g]
    proof.leaf("s_t >= 0", signs, 0 <= x * u / (b * g), **at)
    proof.leaf("r+ >= 0", [*signs, x <= 1], 0 <= u - b * g * (x * u / (b * g)), **at)
    proof.leaf("r+ <= room", signs, u - b * g * (x * u / (b * g)) <= u, **at)
    return room, room - s.b * gamma * (h * room / (s.b * gamma))


def second_half(proof: Derivation, s: Instance, half: int, r: Numbers, q: Numbers, before: Numbers) -> None:
    """k^2 r+ + (2b/a) k s <= (k - 1)^2 r + 4c/a^2, summed; r <= q + c/(ad) at its start, q <= r_0 (1 - a/d)^(T/2)."""
    nb, J, V, first = s.nb, s.T + 1 - half, 2 * s.d / s.a, r
    a, b, c, d, e, g, k, m, n, p, x, y, z, W, t = reals("a b c d e g k m n p x y z W t")
    proof.leaf("2 d/a >= 2", [0 < a, a <= d], 2 <= 2 * d / a, a=s.a, d=s.d)
    spent, weight, grown = s.a * 0, s.a * 0, s.c * 0
    most = (V - 1) ** 2 * r
    for j in range(J):
        k_j = V + j
        gamma = 2 / (s.a * k_j)
        proof.setting("j >= 0", j, 0)
        proof.leaf("k >= 2", [2 <= x, y >= 0], 2 <= x + y, x=V, y=nb.number(j))
        proof.leaf("gamma > 0", [0 < a, 2 <= k], 0 < 2 / (a * k), a=s.a, k=k_j)
        proof.leaf("a gamma <= 1", [0 < a, 2 <= k], a * (2 / (a * k)) <= 1, a=s.a, k=k_j)
        room, after = taken(proof, s, r, gamma, s.shares[half + j])
        s_t = s.shares[half + j] * room / (s.b * gamma)
        inverse = {"g": gamma, "k": k_j, "y": 1 / s.a}
        proof.leaf("1/a", [0 < a], a * (1 / a) == 1, a=s.a)
        proof.leaf("gamma k", [0 < a, 2 <= k], 2 / (a * k) * k == 2 * (1 / a), a=s.a, k=k_j)
        known = g * k == 2 * y
        proof.leaf("k^2 kept", [known, a * y == 1], k * k * ((1 - a * g) * z) == k * (k - 2) * z, **inverse, a=s.a, z=r)
        proof.leaf("k^2 noise", [known], k * k * (c * g**2) == 4 * c * y**2, **inverse, c=s.c)
        proof.leaf("k^2 spent", [known], k * k * (b * g * x) == 2 * b * y * (k * x), **inverse, b=s.b, x=s_t)
        proof.leaf(
            "k^2 r+",
            [x == z, y == e, p == m],
            (x + y - p) + m == z + e,
            x=k_j * k_j * ((1 - s.a * gamma) * r),
            z=k_j * (k_j - 2) * r,
            y=k_j * k_j * (s.c * gamma**2),
            e=4 * s.c / s.a**2,
            p=k_j * k_j * (s.b * gamma * s_t),
            m=2 * s.b / s.a * (k_j * s_t),
        )
        proof.leaf("a square more", [2 <= k, 0 <= z], k * (k - 2) * z <= (k - 1) ** 2 * z, k=k_j, z=r)
        now, then = k_j**2 * after, (k_j - 1) ** 2 * r
        cost, part = 4 * s.c / s.a**2, 2 * s.b / s.a * (k_j * s_t)
        proof.leaf(
            "a round", [x + y == z + e, z <= p], x + y <= p + e, x=now, y=part, z=k_j * (k_j - 2) * r, e=cost, p=then
        )
        if j == 0:
            proof.leaf("the first round", [x + y <= p + e], x + y <= p + e, x=now, y=part, p=most, e=cost)
        else:
            proof.leaf(
                "the rounds so far",
                [x + y <= p + e, p + m <= n],
                x + (m + y) <= n + e,
                x=now,
                y=part,
                p=then,
                e=cost,
                m=2 * s.b / s.a * spent,
                n=most + grown,
            )
        proof.leaf("k s >= 0", [0 <= x, 2 <= k], 0 <= k * x, x=s_t, k=k_j)
        if j:
            proof.leaf("sum k s >= 0", [0 <= x, 0 <= y], 0 <= x + y, x=spent, y=k_j * s_t)
        spent, weight, grown, r = spent + k_j * s_t, weight + k_j, grown + cost, after
    top = V + (J - 1)
    proof.setting("J >= 1", J, 1)
    size = {"x": V, "n": nb.number(J)}
    total, least = n * x + n * (n - 1) / 2, n * x
    proof.leaf("W <= k_J^2", [2 <= x, n >= 1], total <= (x + (n - 1)) ** 2, **size)
    proof.leaf("W >= J 2d/a", [2 <= x, n >= 1], least <= total, **size)
    proof.leaf("2 W >= J^2", [2 <= x, n >= 1], n * n <= 2 * total, **size)
    proof.leaf("W > 0", [2 <= x, n >= 1], 0 < total, **size)
    proof.leaf("a r", [W <= k, 0 < W, 0 <= z, 0 < a], a * z <= a * (k * z) / W, a=s.a, W=weight, z=r, k=top**2)
    proof.leaf(
        "b/W sum", [0 < W, 0 <= y, 0 < a, 0 < b], b * y / W <= a * (2 * b / a * y) / W, a=s.a, b=s.b, W=weight, y=spent
    )
    proof.leaf(
        "both",
        [x + y <= p + m, 0 < W, 0 < a],
        a * x / W + a * y / W <= a * p / W + a * m / W,
        x=top**2 * r,
        y=2 * s.b / s.a * spent,
        p=most,
        m=grown,
        W=weight,
        a=s.a,
    )
    proof.leaf(
        "(k - 1)^2 <= k^2",
        [n * x <= W, 2 <= x, 0 <= z, n >= 1, 0 < a, 0 < W],
        a * ((x - 1) ** 2 * z) / W <= a * x * z / n,
        a=s.a,
        x=V,
        z=first,
        W=weight,
        n=nb.number(J),
    )
    proof.leaf(
        "a V = 2 d", [0 < a, n >= 1], a * (2 * d / a) * z / n == 2 * d * z / n, a=s.a, d=s.d, z=first, n=nb.number(J)
    )
    proof.leaf(
        "r at its start",
        [z <= p + c / (a * d), 0 < a, 0 < d, n >= 1],
        2 * d * z / n <= 2 * d * p / n + 2 * c / (a * n),
        z=first,
        p=q,
        c=s.c,
        a=s.a,
        d=s.d,
        n=nb.number(J),
    )
    proof.leaf("J >= 1", [0 <= p, 0 < d, n >= 1], 2 * d * p / n <= 2 * d * p, p=q, d=s.d, n=nb.number(J))
    proof.leaf("a power less", [x <= y, 0 < d], 2 * d * x <= 2 * d * y, x=q, y=before, d=s.d)
    proof.leaf(
        "the noise",
        [n * n <= 2 * W, 0 < W, n >= 1, 0 <= c, 0 < a],
        a * (n * (4 * c / a**2)) / W <= 8 * c / (a * n),
        n=nb.number(J),
        W=weight,
        c=s.c,
        a=s.a,
    )
    proof.setting("T >= 1", s.T, 1)
    proof.setting("2 J >= T", 2 * J - s.T, 0)
    proof.leaf(
        "J >= T/2",
        [0 <= 2 * n - t, t >= 1, n >= 1, 0 <= c, 0 < a],
        2 * c / (a * n) + 8 * c / (a * n) <= 20 * c / (a * t),
        n=nb.number(J),
        t=nb.number(s.T),
        c=s.c,
        a=s.a,
    )
    proof.leaf(
        "all",
        [x <= d, y <= e, d + e <= k + m, k <= p, p == b, b <= c + g, c <= n, n <= W, m <= z, g + z <= t],
        y + x <= W + t,
        x=s.a * r,
        d=s.a * (top**2 * r) / weight,
        y=s.b * spent / weight,
        e=s.a * (2 * s.b / s.a * spent) / weight,
        k=s.a * most / weight,
        m=s.a * grown / weight,
        p=s.a * V * first / J,
        b=2 * s.d * first / J,
        c=2 * s.d * q / J,
        g=2 * s.c / (s.a * J),
        n=2 * s.d * q,
        W=2 * s.d * before,
        z=8 * s.c / (s.a * J),
        t=20 * s.c / (s.a * s.T),
    )
