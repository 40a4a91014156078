"""Lines on the local steps of LADA: momenta, second moments, drift, and how much the scales change within a round."""

from theorems.bridges import geometric_sum, larger, larger_below, lipschitz_gradient, mean_square, powers, roots, sums
from theorems.fedlada.common import mean
from theorems.fedlada.common_bound import constant
from theorems.fedlada.common_draws import bend, column
from theorems.vocabulary import *


def sides(s: Instance) -> tuple[Any, Any]:
    """What |y - x| and |x - z| are at most in each coordinate."""
    stride = s.G / s.eps
    return s.K * s.eta_l * stride, (1 - s.alpha) / s.alpha * s.r * stride


def reach(s: Instance) -> tuple[Any, Any]:
    """What |y - x|^2 and |x - z|^2 are at most in a round."""
    way, away = sides(s)
    return s.d * (way * way), s.d * (away * away)


def averaged(proof: Derivation, s: Instance, says: str, pairs: Sequence[tuple[Any, Any]]) -> tuple[Any, Any]:
    """low_k <= high_k: their means."""
    X, Y, n = reals("X Y n")
    low, high = (np.stack(column, -1).sum(axis=-1) for column in zip(*pairs, strict=True))
    proof.cross(sums, f"over {says}", low=np.stack([a for a, _ in pairs], -1), high=np.stack([b for _, b in pairs], -1))
    proof.setting("there is one", len(pairs), 1)
    proof.leaf(f"mean over {says}", [X <= Y, n >= 1], X / n <= Y / n, X=low, Y=high, n=s.nb.number(len(pairs)))
    return low / len(pairs), high / len(pairs)


def sizes(proof: Derivation, s: Instance) -> Any:
    """0 < beta1 < 1, 0 < 2 C <= c <= 1 for the mean c of 1 - beta1^k, and signs."""
    b, n, p, q, X, Y, Z, e, G = reals("b n p q X Y Z e G")
    K, number = s.nb.number(s.K), s.nb.number
    proof.setting("K >= 1", s.K, 1)
    proof.leaf("beta1 < 1", [0 < b, b * (n + 1) < n, n >= 1], b < 1, b=s.beta1, n=K)
    proof.cross(powers, "beta1^k <= 1", low=s.beta1, high=s.beta1 * 0 + 1, exponents=range(s.K + 1))
    shares = [1 - s.beta1**k for k in range(1, s.K + 1)]
    for k in range(1, s.K + 1):
        proof.leaf("1 - beta1^k <= 1", [0 <= p], 1 - p <= 1, p=s.beta1**k)
    proof.cross(sums, "K c <= K", low=np.stack(shares, -1), high=np.stack([s.beta1 * 0 + 1] * s.K, -1))
    c = mean(shares)
    proof.leaf("c <= 1", [X <= n, n >= 1], X / n <= 1, X=sum(shares), n=K)
    proof.cross(geometric_sum, "(1 - beta1) sum beta1^k = 1 - beta1^K", ratio=s.beta1, count=s.K)
    total = sum((s.beta1**k for k in range(1, s.K)), s.beta1 * 0 + 1)
    proof.leaf("sum beta1^k <= 1/(1 - beta1)", [(1 - b) * Z == 1 - q, 0 <= q, b < 1], Z <= 1 / (1 - b),
               b=s.beta1, Z=total, q=s.beta1**s.K)  # fmt: skip
    proof.leaf("2 C <= c", [Z <= Y, 0 < b, n >= 1], 1 - b * Y / n <= 1 - b * Z / n,
               b=s.beta1, Y=1 / (1 - s.beta1), Z=total, n=K)  # fmt: skip
    proof.leaf("C > 0", [0 < b, b < 1, b * (n + 1) < n, n >= 1], 0 < 1 - b / (1 - b) / n, b=s.beta1, n=K)
    proof.leaf("c > 0", [0 < X, X <= Y], 0 < Y, X=2 * constant(s), Y=c)
    proof.leaf("G_g > 0", [0 < e, e <= G], 0 < G, e=s.eps, G=s.G)
    proof.leaf("G_g/eps_v >= 0", [0 < e, 0 < G], 0 <= G / e, e=s.eps, G=s.G)
    bends = [s.A[..., i, :] for i in range(s.m)]
    averaged(proof, s, "clients", [(each, column(s.L) + 0 * each) for each in bends])
    proof.leaf("L > 0", [0 < X, X <= Y], 0 < Y, X=bend(s), Y=column(s.L))
    proof.setting("d >= 1", s.d, 1)
    for side in sides(s):
        proof.leaf("drift >= 0", [n >= 1], 0 <= X * X * (n * (Y * Y)), X=s.L, n=number(s.d), Y=side)
    m, S = reals("m S")
    for value, least in ((s.m - s.S, 0), (s.S, 1), (max(s.m - 1, 1), 1)):
        proof.setting("clients", value, least)
    proof.leaf("(m - S)/(S (m - 1)) >= 0", [X >= 0, S >= 1, m >= 1], 0 <= X / (S * m), X=number(s.m - s.S),
               S=number(s.S), m=number(max(s.m - 1, 1)))  # fmt: skip
    return c


def scales(proof: Derivation, s: Instance, v: Any) -> Any:
    """eps_v <= sqrt(v) <= G_g for eps_v^2 <= v <= G_g^2; the root."""
    e, G, X, a = reals("e G X a")
    root = s.nb.sqrt(v)
    proof.leaf("v-hat >= 0", [0 < e, e * e <= X], 0 <= X, e=column(s.eps), X=v)
    proof.cross(roots, "sqrt(v-hat)", nb=s.nb, x=v)
    here = {"e": column(s.eps), "G": column(s.G), "X": v, "a": root}
    proof.leaf("eps_v <= sqrt(v-hat)", [0 < e, e * e <= X, a * a == X, 0 <= a], e <= a, **here)
    proof.leaf("sqrt(v-hat) <= G_g", [X <= G * G, a * a == X, 0 <= a, 0 < G], a <= G, **here)
    proof.leaf("sqrt(v-hat) > 0", [0 < e, e <= a], 0 < a, e=here["e"], a=root)
    return root


def steps_of(proof: Derivation, s: Instance, node: Instance, steps: Instance) -> None:
    """|m| <= G_g, eps_v^2 <= v-hat <= G_g^2, v-hat does not fall, |m theta| <= G_g/eps_v, and how far y is from x."""
    M, b, g, G, v, h, a, u, w, q, Y, Z, R, e, X, n = reals("M b g G v h a u w q Y Z R e X n")
    G_, e_, h_, stride = column(s.G), column(s.eps), column(s.eta_l), column(s.G / s.eps)
    m, slow, peak, way, most = node.x * 0, node.v, node.v, node.x * 0, h_ * 0
    for k in range(s.K):
        proof.setting("steps left", s.K - k, 0)
        proof.leaf("k steps <= K steps", [0 < h, 0 <= q, n >= 0], Z <= Z + n * (h * q), h=h_, q=stride, Z=most,
                   n=s.nb.number(s.K - k))  # fmt: skip
        proof.leaf("|y - x| <= K eta_l G_g/eps_v", [Y <= Z, -Y <= Z, Z <= n], Y * Y <= n * n, Y=way, Z=most,
                   n=s.K * h_ * stride)  # fmt: skip
        proof.cross(sums, "over coordinates", low=way * way, high=(s.K * h_ * stride) ** 2 + 0 * way)
        seen, grad = steps.seen[k], {"g": steps.seen[k], "G": G_}
        proof.leaf("g^2 <= G_g^2", [g <= G, -g <= G], g * g <= G * G, **grad)
        proof.leaf("v <= G_g^2", [v <= G * G, g * g <= G * G, 0 <= b, b < 1], b * v + (1 - b) * (g * g) <= G * G,
                   v=slow, b=column(s.beta2), **grad)  # fmt: skip
        slow = column(s.beta2) * slow + (1 - column(s.beta2)) * (seen * seen)
        proof.cross(larger, "v-hat does not fall", nb=s.nb, x=slow, y=peak)
        proof.cross(larger_below, "v-hat <= G_g^2", nb=s.nb, x=slow, y=peak, most=G_ * G_ + 0 * slow)
        proof.leaf("v-hat of the round's start", [Y <= X, X <= Z], Y <= Z, Y=node.v, X=peak, Z=steps.vhat[k])
        peak = steps.vhat[k]
        proof.leaf("v-hat >= eps_v^2", [e * e <= Y, Y <= X], e * e <= X, e=e_, Y=node.v, X=peak)
        root = scales(proof, s, peak)
        old, m = m, steps.m[k]
        share = m / root
        moved = h_ * (column(s.alpha) * share + (1 - column(s.alpha)) * node.g_a)
        for sign in (1, -1):
            proof.leaf("|m| <= G_g", [M <= G, -M <= G, g <= G, -g <= G, 0 < b, b < 1],
                       sign * (b * M + (1 - b) * g) <= G, M=old, b=column(s.beta1), **grad)  # fmt: skip
            proof.leaf("|m theta| <= G_g/eps_v", [sign * M <= G, 0 < G, 0 < e, e <= R], sign * (M / R) <= G / e,
                       M=m, G=G_, e=e_, R=root)  # fmt: skip
            proof.leaf("a step", [sign * u <= q, sign * w <= q, 0 < a, a <= 1, 0 < h],
                       sign * (h * (a * u + (1 - a) * w)) <= h * q, u=share, w=node.g_a, q=stride, h=h_,
                       a=column(s.alpha))  # fmt: skip
            proof.leaf("the way so far", [-sign * Y <= Z, sign * u <= w], -sign * (Y - u) <= Z + w,
                       Y=way, Z=most, u=moved, w=h_ * stride)  # fmt: skip
        way, most = way - moved, most + h_ * stride


def drifts(proof: Derivation, s: Instance, i: int, near: Any, steps: Instance, far: Any) -> list[Any]:
    """n_k = mbar_k - (1 - beta1^k) grad F_i(near), |n_k|^2 <= (1 - beta1^k) L^2 far, where |y - near|^2 <= far."""
    M, b, g, Y, D, Q, lip, p, a, B, E = reals("M b g Y D Q L p a B E")
    f, beta, found = s.A[..., i, :] * (near - s.c[..., i, :]), column(s.beta1), []
    bare, power = near * 0, s.beta1 * 0 + 1
    for y, slope, new_bare in zip(steps.points, steps.slopes, steps.bare, strict=True):
        proof.cross(lipschitz_gradient, "drift", A=s.A[..., i, :], c=s.c[..., i, :], x=near, y=y, L=s.L)
        off, way = slope - f, y - near
        proof.leaf("drift of the gradient", [D <= lip * lip * Y, Y <= Q], D <= lip * lip * Q, L=s.L,
                   D=(off * off).sum(axis=-1), Y=(way * way).sum(axis=-1), Q=far)  # fmt: skip
        proof.leaf(
            "momenta are linear", [],
            b * M + (1 - b) * g - (1 - b * p) * a == b * (M - (1 - p) * a) + (1 - b) * (g - a),
            b=beta, M=bare, g=slope, a=f, p=column(power),
        )  # fmt: skip
        past = bare - (1 - column(power)) * f
        bare, new = new_bare, beta * past + (1 - beta) * off
        step = b * M + (1 - b) * g
        proof.leaf("Jensen", [0 < b, b < 1], step * step <= b * (M * M) + (1 - b) * (g * g),
                   b=beta, M=past, g=off)  # fmt: skip
        convex = beta * (past * past) + (1 - beta) * (off * off)
        proof.cross(sums, "over coordinates", low=new * new, high=convex)
        proof.leaf(
            "what drift adds to a momentum", [a <= b * Y + (1 - b) * B, Y <= (1 - p) * E, B <= E, 0 < b, b < 1],
            a <= (1 - b * p) * E, a=(new * new).sum(axis=-1), b=s.beta1, Y=(past * past).sum(axis=-1),
            B=(off * off).sum(axis=-1), p=power, E=s.L * s.L * far,
        )  # fmt: skip
        power = power * s.beta1
        found.append(new)
    return found


def from_ahead(proof: Derivation, s: Instance, node: Instance, z: Any, steps: Instance) -> Any:
    """|y - z|^2 <= 2 |y - x|^2 + 2 |x - z|^2: what it is at most."""
    u, v, X, Y, Z, P, Q = reals("u v X Y Z P Q")
    near, away = reach(s)
    for y in steps.points:
        first, second = y - node.x, node.x - z
        proof.leaf("y - z", [], (u + v) * (u + v) <= 2 * (u * u) + 2 * (v * v), u=first, v=second)
        proof.cross(sums, "over coordinates", low=(y - z) * (y - z), high=2 * (first * first) + 2 * (second * second))
        proof.leaf("|y - z|^2", [X <= 2 * Y + 2 * Z, Y <= P, Z <= Q], X <= 2 * P + 2 * Q, P=near, Q=away,
                   X=((y - z) * (y - z)).sum(axis=-1), Y=(first * first).sum(axis=-1),
                   Z=(second * second).sum(axis=-1))  # fmt: skip
    return 2 * near + 2 * away


def mean_of_drifts(proof: Derivation, s: Instance, vectors: list[Any], most: list[Any]) -> Any:
    """|mean v_k|^2 <= mean |v_k|^2 <= mean of the bounds; the mean vector."""
    stacked = np.stack(vectors, -1)
    count = len(vectors)
    proof.cross(mean_square, "coordinate by coordinate", values=stacked)
    whole = stacked.sum(axis=-1) / count
    proof.cross(sums, "over coordinates", low=whole * whole, high=(stacked * stacked).sum(axis=-1) / count)
    squares = np.stack([(v * v).sum(axis=-1) for v in vectors], -1)
    proof.cross(sums, "over the vectors of a mean", low=squares, high=np.stack(most, -1))
    X, B, H, n = reals("X B H n")
    proof.setting("there is a vector", count, 1)
    proof.leaf("square of a mean of drifts", [X <= B / n, B <= H, n >= 1], X <= H / n, X=(whole * whole).sum(axis=-1),
               B=squares.sum(axis=-1), H=sum(most), n=s.nb.number(count))  # fmt: skip
    return whole


def changed_scales(proof: Derivation, s: Instance, node: Instance, root: Any, steps: Instance, f: Any) -> list[Any]:
    """D_k = m_k (theta_k - theta_0): -f D_k <= G^2 (v-hat_K - v)/(2 eps^3), D_k^2 <= G^2 (v-hat_K - v)/eps^4."""
    a, b, e, P, V, g, M, G, X, Y, Z, p, Q = reals("a b e P V g M G X Y Z p Q")
    e_, G_, end, found = column(s.eps), column(s.G), steps.vhat[-1], []
    proof.leaf("v-hat_K is the last", [], X <= X, X=end)
    for k in range(s.K):
        now, peak, m = steps.root[k], steps.vhat[k], steps.m[k]
        gap, rise = 1 / root - 1 / now, now - root
        for later in range(k + 2, s.K):
            proof.leaf("v-hat of the round's end", [X <= Y, Y <= Z], X <= Z, X=peak, Y=steps.vhat[later - 1],
                       Z=steps.vhat[later])  # fmt: skip
        here = {"a": root, "b": now, "e": e_}
        proof.leaf(
            "roots grow", [a * a == X, b * b == Y, X <= Y, 0 < a, 0 < b], a <= b, a=root, b=now, X=node.v, Y=peak
        )
        proof.leaf("2 eps_v (sqrt(v-hat) - sqrt(v)) <= v-hat - v", [0 < e, e <= a, a <= b],
                   2 * e * (b - a) <= b * b - a * a, **here)  # fmt: skip
        proof.leaf("the square of the difference", [0 < a, a <= b], (b - a) * (b - a) <= b * b - a * a, a=root, b=now)
        proof.leaf("theta falls", [0 < a, a <= b], 0 <= 1 / a - 1 / b, a=root, b=now)
        proof.leaf("theta falls little", [0 < e, e <= a, a <= b], 1 / a - 1 / b <= (b - a) / (e * e), **here)
        grown = now * now - root * root
        proof.leaf("by v-hat's growth", [2 * e * P <= V, g <= P / (e * e), 0 < e], g <= V / (2 * (e * e * e)),
                   P=rise, V=grown, g=gap, e=e_)  # fmt: skip
        proof.leaf("its square", [0 <= g, g <= P / (e * e), P * P <= V, 0 < e], g * g <= V / (e * e * (e * e)),
                   P=rise, V=grown, g=gap, e=e_)  # fmt: skip
        proof.leaf("m grad F", [M <= G, -M <= G, p <= G, -p <= G], p * M <= G * G, M=m, p=f, G=G_)
        proof.leaf("m^2 <= G_g^2", [M <= G, -M <= G], M * M <= G * G, M=m, G=G_)
        ended = {"V": grown, "X": end - node.v, "e": e_, "g": gap, "G": G_}
        proof.leaf("growth so far", [X <= Y], X - Z <= Y - Z, X=peak, Y=end, Z=node.v)
        proof.leaf("against the gradient", [p <= G * G, 0 <= g, g <= V / (2 * (e * e * e)), V <= X, 0 < e],
                   p * g <= G * G * X / (2 * (e * e * e)), p=f * m, **ended)  # fmt: skip
        proof.leaf("squares", [], 0 <= M * M, M=m)
        proof.leaf("squares", [], 0 <= M * M, M=gap)
        fourth = e_ * e_ * (e_ * e_)
        proof.leaf("eps_v^4 > 0", [0 < e], 0 < e * e * (e * e), e=e_)
        proof.leaf("its square, at the round's end", [Q <= V / Z, V <= X, 0 < Z], Q <= X / Z, Q=gap * gap, V=grown,
                   X=end - node.v, Z=fourth)  # fmt: skip
        proof.leaf("square of a change", [p <= P, Q <= X, 0 <= p, 0 <= Q], p * Q <= P * X, p=m * m, Q=gap * gap,
                   P=G_ * G_, X=(end - node.v) / fourth)  # fmt: skip
        found.append(-m * gap)
    return found


def turned_against(proof: Derivation, s: Instance, f: Any, c: Any, n: Any, E: Any, root: Any) -> None:
    """-<f, D a> <= -C |f|^2/G - <a, D a>/2 + E/(2 eps) for a = c f + n, |n|^2 <= c E, D = 1/sqrt(v-hat)."""
    F, N, k, R, e, G = reals("F N k R e G")
    a = k * F + N
    here = {"F": f, "N": n, "k": column(c), "R": root}
    cut = -k * (F * F) - a * a + N * N / k
    proof.leaf("completed square", [0 < k, k <= 1], -(2 * F * a) <= cut, **here)
    proof.leaf("divided by sqrt(v-hat)", [-(2 * F * a) <= cut, 0 < R, 0 < k],
               -(2 * F * a / R) <= N * N / R / k - k * (F * F / R) - a * a / R, **here)  # fmt: skip
    proof.leaf("n^2/sqrt(v-hat) <= n^2/eps_v", [0 < e, e <= R], N * N / R <= N * N / e, N=n, R=root, e=column(s.eps))
    proof.leaf("f^2/G_g <= f^2/sqrt(v-hat)", [0 < R, R <= G], F * F / G <= F * F / R, F=f, R=root, G=column(s.G))
    sent = column(c) * f + n
    turned, mine = -(2 * f * sent / root), sent * sent / root
    left, squares, drift = f * f / column(s.G), f * f / root, n * n / root
    proof.leaf("f^2/G_g >= 0", [0 < G], 0 <= F * F / G, F=f, G=column(s.G))
    proof.cross(sums, "over coordinates", low=left * 0, high=left)
    proof.cross(sums, "over coordinates", low=turned, high=drift / column(c) - column(c) * squares - mine)
    proof.cross(sums, "over coordinates", low=drift, high=n * n / column(s.eps))
    proof.cross(sums, "over coordinates", low=left, high=squares)
    P, Q, S, X, Y, Z, C, E_ = reals("P Q S X Y Z C E")
    proof.leaf("drift's share", [X <= P / e, P <= k * E_, 0 < k, 0 < e], X / k <= E_ / e, X=drift.sum(axis=-1),
               P=(n * n).sum(axis=-1), e=s.eps, k=c, E=E)  # fmt: skip
    proof.leaf("the gradient's share", [Y <= S, 2 * C <= k, 0 < 2 * C, 0 <= Y], 2 * C * Y <= k * S,
               Y=left.sum(axis=-1), S=squares.sum(axis=-1), C=constant(s), k=c)  # fmt: skip
    proof.leaf(
        "a turn", [P <= X - S - Q, X <= Z, Y <= S], P / 2 + Q / 2 <= Z / 2 - Y / 2, P=turned.sum(axis=-1),
        X=drift.sum(axis=-1) / c, S=c * squares.sum(axis=-1), Q=mine.sum(axis=-1), Z=E / s.eps,
        Y=2 * constant(s) * left.sum(axis=-1),
    )  # fmt: skip


def spread_of_clients(proof: Derivation, s: Instance, fields: list[Any], c: Any, drifts: list[Any], E: Any) -> None:
    """mean_i |a_i - c f|^2 <= 2 sigma_g^2 + 2 E for a_i = c grad F_i + n_i, |n_i|^2 <= c E, f = mean grad F_i."""
    u, v, k, X, Y, Z, W, n = reals("u v k X Y Z W n")
    totals, parts, f = [], [], mean(fields)
    for g, drift in zip(fields, drifts, strict=True):
        away = g - f
        proof.leaf("a client's distance", [0 < k, k <= 1], (k * u + v) * (k * u + v) <= 2 * (u * u) + 2 * (v * v),
                   k=column(c), u=away, v=drift)  # fmt: skip
        whole = column(c) * away + drift
        proof.cross(sums, "over coordinates", low=whole * whole, high=2 * (away * away) + 2 * (drift * drift))
        proof.leaf("with its drift", [X <= 2 * Y + 2 * Z, Z <= k * W, k <= 1, 0 <= W], X <= 2 * Y + 2 * W,
                   X=(whole * whole).sum(axis=-1), Y=(away * away).sum(axis=-1), Z=(drift * drift).sum(axis=-1), k=c,
                   W=E)  # fmt: skip
        totals.append((whole * whole).sum(axis=-1))
        parts.append(2 * (away * away).sum(axis=-1) + 2 * E)
    proof.cross(sums, "over clients", low=np.stack(totals, -1), high=np.stack(parts, -1))
    proof.setting("m >= 1", s.m, 1)
    apart = sum(((g - f) * (g - f)).sum(axis=-1) for g in fields)
    proof.leaf("mean over clients' distances", [X <= 2 * Y + 2 * n * W, Y / n <= Z, n >= 1], X / n <= 2 * Z + 2 * W,
               X=sum(totals), Y=apart, Z=s.apart, W=E, n=s.nb.number(s.m))  # fmt: skip
