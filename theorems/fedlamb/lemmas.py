"""Derivations that LAMB's statements share: how fast the gradient falls along a run of normalised steps."""

from itertools import pairwise

from theorems.bridges import combined, descent_lemma, directions, inner_products, lengths, scaling, sums
from theorems.fedlamb.common_runs import after, averaged, direction, height, layers, slope, steps
from theorems.vocabulary import *


def derive_falls(proof: Derivation, s: Instance) -> None:
    """One step turns against the gradient but for what |m - grad f| costs; one round falls; rounds telescope."""
    D = 1 / s.root
    _scales(proof, s, D)
    gains, losses, kept = [], [], s.M / s.sqrt_v0
    for r, (x, end) in enumerate(pairwise(s.path)):
        taken = steps(s, r)
        terms = [term for m, phi in taken for term in _turned(proof, s, slope(s, x), m, phi, D)]
        below, above = (np.stack(column, -1) for column in zip(*terms, strict=True))
        proof.cross(sums, "over layers, steps and clients", low=below, high=above)
        _round(proof, s, (x, after(s, r), end), taken, below.sum(axis=-1), above.sum(axis=-1) / kept)
        gains.append(s.alpha / s.n * below.sum(axis=-1))
        losses.append(kept * (height(s, x) - height(s, end) + _bend(s)))
    proof.cross(sums, "over rounds", low=np.stack(gains, -1), high=np.stack(losses, -1))
    _together(proof, s, kept, sum(gains))


def _scales(proof: Derivation, s: Instance, D: Numbers) -> None:
    """1/V <= D <= 1/sqrt(v0), and signs."""
    a, b = reals("a b")
    proof.leaf("1/sqrt(v) <= 1/sqrt(v0)", [0 < a, a <= b], 1 / b <= 1 / a, a=s.sqrt_v0[..., None], b=s.root)
    proof.leaf("sqrt(v) > 0", [0 < a, a <= b], 0 < b, a=s.sqrt_v0[..., None], b=s.root)
    proof.leaf("1/V <= 1/sqrt(v)", [0 < a, a <= b], 1 / b <= 1 / a, a=s.root, b=s.V[..., None])
    proof.leaf("V > 0", [0 < a, a <= b], 0 < b, a=s.root, b=s.V[..., None])
    proof.leaf("1/V >= 0", [0 < b], 0 <= 1 / b, b=s.V)
    proof.leaf("M/sqrt(v0) > 0", [0 < a, 0 < b], 0 < b / a, a=s.sqrt_v0, b=s.M)
    n = reals("n")
    proof.setting("n >= 1", s.n, 1)
    proof.leaf("alpha/n > 0", [0 < a, n >= 1], 0 < a / n, a=s.alpha, n=s.nb.number(s.n))
    low, high, phi = reals("low high phi")
    proof.leaf("phi_M > 0", [0 < low, low <= phi, phi <= high], 0 < high, low=s.phi_m, phi=s.phis[0], high=s.phi_M)


def _turned(proof: Derivation, s: Instance, slopes: Numbers, m: Numbers, phi: Any, D: Numbers) -> list[tuple[Any, Any]]:
    """Of each layer: phi_m h - M/sqrt(v0) phi_M loss <= M/sqrt(v0) phi <grad, step>, h = |grad/v^(1/4)|^2."""
    nb, found = s.nb, []
    for g, part, scale in zip(layers(slopes, s.h), layers(m, s.h), layers(D, s.h), strict=True):
        u, v = scale * part, scale * g
        size, y, w = nb.length(g), nb.length(v), nb.length(part - g)
        e = u / nb.length(u)[..., None]
        off = y[..., None] * e - v
        inner, h, loss = (g * e).sum(axis=-1), (g * v).sum(axis=-1), 2 * s.V / s.sqrt_v0 * w
        proof.cross(directions, "D m and D grad f", nb=nb, u=u, v=v)
        proof.cross(inner_products, "grad f and the difference of directions", nb=nb, u=g, v=off)
        for vector in (g, part - g):
            proof.cross(scaling, "by D", nb=nb, u=vector, v=scale, low=1 / s.V, high=1 / s.sqrt_v0)
        G, c, z, W, V, root, Y, q, H, o, M = reals("G c z W V root Y q H o M")
        proof.leaf(
            "the turn costs 2 |grad| |m - grad|/sqrt(v0)", [c <= 2 * z, z <= 1 / root * W, 0 <= G, 0 < root],
            G * c <= 2 * G * W / root, G=size, c=nb.length(off), z=nb.length(u - v), W=w, root=s.sqrt_v0,
        )  # fmt: skip
        proof.leaf(
            "|grad| <= V |D grad|", [1 / V * G <= Y, 0 < V, 0 < root, 0 <= W],
            2 * G * W / root <= Y * (2 * V / root * W),
            G=size, V=s.V, Y=y, W=w, root=s.sqrt_v0,
        )  # fmt: skip
        a, b = reals("a b")
        proof.leaf(
            "|D grad| (<grad, step> + loss) >= h", [-a <= Y * q - H, a <= b, b <= Y * o], H <= Y * (q + o),
            a=size * nb.length(off), b=2 * size * w / s.sqrt_v0, Y=y, q=inner, H=h, o=loss,
        )  # fmt: skip
        proof.leaf("h >= 0", [0 < root], 0 <= a * (a / root), a=g, root=1 / scale)
        proof.cross(sums, "h >= 0", low=g * 0, high=g * v)
        proof.leaf("<grad, step> + loss >= 0", [0 <= H, H <= Y * a, 0 < Y], 0 <= a, H=h, Y=y, a=inner + loss)
        proof.leaf(
            "|D grad| <= M/sqrt(v0)", [H <= Y * a, 0 <= a, Y <= 1 / root * G, G <= M, 0 < root], H <= M / root * a,
            H=h, Y=y, a=inner + loss, G=size, M=s.M, root=s.sqrt_v0,
        )  # fmt: skip
        proof.leaf("loss >= 0", [0 < V, 0 < root, 0 <= W], 0 <= 2 * V / root * W, V=s.V, root=s.sqrt_v0, W=w)
        low, high, t, k = reals("low high t k")
        proof.leaf(
            "phi between phi_m and phi_M", [0 <= a, low <= t, t <= high, 0 <= o], low * a - high * o <= t * (a - o),
            a=inner + loss, low=s.phi_m, t=phi, high=s.phi_M, o=loss,
        )  # fmt: skip
        proof.leaf(
            "one step of a layer", [H <= k * a, low * a - b <= t, 0 < low, 0 < k], low * H - k * b <= k * t,
            H=h, k=s.M / s.sqrt_v0, a=inner + loss, low=s.phi_m, b=s.phi_M * loss, t=phi * inner,
        )  # fmt: skip
        kept = s.M / s.sqrt_v0
        found.append((s.phi_m * h - kept * (s.phi_M * loss), kept * (phi * inner)))
    return found


def _bend(s: Instance) -> Any:
    """L/2 h (alpha T phi_M)^2."""
    return s.L * (s.h * (s.alpha * s.T * s.phi_M) ** 2) / 2


def _round(proof: Derivation, s: Instance, points: Any, taken: Any, below: Any, turned: Any) -> None:
    """The mean moves by at most alpha T phi_M in each layer; f falls by alpha/n times what the steps turn."""
    nb, squares, caps, (x, reached, end) = s.nb, [], [], points
    phi, high, c, d, a, b = reals("phi high c d a b")
    found = {"phi": np.stack([p for _, p in taken], -1), "c": (s.alpha / s.n)[..., None]}
    weights = [s.alpha / s.n * p for _, p in taken]
    proof.leaf("a step's share", [0 < a, a <= phi, 0 < c], 0 <= c * phi, a=s.phi_m[..., None], **found)
    for k in range(s.h):
        ways = [-layers(direction(nb, m / s.root, s.h), s.h)[k] for m, _ in taken]
        sizes = np.stack([nb.length(way) for way in ways], -1)
        for way in ways:
            proof.cross(lengths, "a direction", nb=nb, v=way)
        proof.leaf("a direction's length is at most 1", [a * a == 1, 0 <= a], a <= 1, a=sizes)
        proof.cross(combined, "steps of a layer", nb=nb, weights=weights, vectors=ways)
        longest = np.stack([s.alpha / s.n * s.phi_M] * len(taken), -1)
        proof.leaf(
            "a step's length", [phi <= high, 0 < c, 0 <= c * phi, a <= 1], c * phi * a <= c * high,
            a=sizes, high=s.phi_M[..., None], **found,
        )  # fmt: skip
        proof.cross(sums, "steps of a layer", low=np.stack(weights, -1) * sizes, high=longest)
        moved = nb.length(sum(share[..., None] * way for share, way in zip(weights, ways, strict=True)))
        proof.leaf(
            "a layer's way", [0 <= d, d <= a, a <= b], d * d <= b * b,
            d=moved, a=(np.stack(weights, -1) * sizes).sum(axis=-1), b=longest.sum(axis=-1),
        )  # fmt: skip
        squares.append(moved * moved)
        caps.append((s.alpha * s.T * s.phi_M) ** 2)
    proof.cross(sums, "layers", low=np.stack(squares, -1), high=np.stack(caps, -1))
    proof.cross(descent_lemma, A=s.A, c=s.best, x=x, y=reached, L=s.L)
    f, g, q, L, u, v, k, e, S = reals("f g q L u v k e S")
    proof.leaf("L >= 0", [0 <= u, u <= L], 0 <= L, u=s.A, L=s.L[..., None])
    square = ((reached - x) ** 2).sum(axis=-1)
    here, there, inner = height(s, x), height(s, reached), -(s.alpha / s.n) * turned
    proof.leaf(
        "with the longest way", [g <= f + q + L * u / 2, u <= v, 0 <= L], g <= f + q + L * v / 2,
        g=there, f=here, q=inner, L=s.L, u=square, v=s.h * (s.alpha * s.T * s.phi_M) ** 2,
    )  # fmt: skip
    e, w, y = reals("e w y")
    proof.leaf("where the round ends", [y == w, 0 <= u], u * ((y - e) * (y - e)) <= u * ((w - e) * (w - e)), y=end,
               w=reached, u=s.A, e=s.best)  # fmt: skip
    proof.cross(sums, "where the round ends", low=s.A * (end - s.best) ** 2, high=s.A * (reached - s.best) ** 2)
    proof.leaf("f there", [2 * y <= 2 * g, g <= f + q + v], y <= f + q + v, y=height(s, end), g=there, f=here, q=inner,
               v=_bend(s))  # fmt: skip
    proof.leaf(
        "a round falls", [S <= k * q, g <= f - c * q + e, 0 < k, 0 < c], c * S <= k * (f - g + e),
        S=below, k=s.M / s.sqrt_v0, q=turned, g=height(s, end), f=here, c=s.alpha / s.n, e=_bend(s),
    )  # fmt: skip


def _together(proof: Derivation, s: Instance, kept: Any, gained: Any) -> None:
    """f(theta-bar_R) >= min f, and division by alpha T R phi_m."""
    u, A = reals("u A")
    end = s.path[-1] - s.best
    proof.leaf("f >= min f", [0 <= A], 0 <= A * (u * u), A=s.A, u=end)
    proof.cross(sums, "f >= min f", low=end * 0, high=s.A * end**2)
    H, W, k, f, g, e, b = reals("H W k f g e b")
    weight = s.alpha * s.T * s.R * s.phi_m
    lost = weight * averaged(s) - gained
    proof.leaf(
        "telescoped", [H - W <= k * (f - g / 2 + e), 0 <= g, 0 < k], H <= k * (f + e) + W,
        H=weight * averaged(s), W=lost, k=kept, f=height(s, s.x), g=2 * height(s, s.path[-1]), e=s.R * _bend(s),
    )  # fmt: skip
    t, r = reals("t r")
    proof.setting("T >= 1", s.T, 1)
    proof.setting("R >= 1", s.R, 1)
    number = s.nb.number
    proof.leaf(
        "alpha T R phi_m > 0", [0 < u, t >= 1, r >= 1, 0 < A], 0 < u * t * r * A,
        u=s.alpha, t=number(s.T), r=number(s.R), A=s.phi_m,
    )  # fmt: skip
    proof.leaf(
        "divided", [b * H <= A, 0 < b], H <= A / b,
        b=weight, H=averaged(s), A=kept * (height(s, s.x) + s.R * _bend(s)) + lost,
    )  # fmt: skip
