"""Lines on one client's local steps: drift, what it adds to momenta, and means of it over steps and clients."""

from theorems.bridges import geometric_sum, lipschitz_gradient, mean_square, powers, sums
from theorems.fedlada.common import mean
from theorems.fedlada.common_bound import constant
from theorems.vocabulary import *


def steady(s: Instance) -> Any:
    """E: what (L |y - x|)^2 is at most on the way of a round."""
    return s.L * s.L * (s.d * (s.K * s.eta_l) ** 2)


def column(x: Any) -> Any:
    return x[..., None]


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
    b, n, p, q, X, Y, Z = reals("b n p q X Y Z")
    K = s.nb.number(s.K)
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
    Z_ = sum((s.beta1**k for k in range(1, s.K)), s.beta1 * 0 + 1)
    proof.leaf("sum beta1^k <= 1/(1 - beta1)", [(1 - b) * Z == 1 - q, 0 <= q, b < 1], Z <= 1 / (1 - b),
               b=s.beta1, Z=Z_, q=s.beta1**s.K)  # fmt: skip
    proof.leaf("2 C <= c", [Z <= Y, 0 < b, n >= 1], 1 - b * Y / n <= 1 - b * Z / n,
               b=s.beta1, Y=1 / (1 - s.beta1), Z=Z_, n=K)  # fmt: skip
    proof.leaf("C > 0", [0 < b, b < 1, b * (n + 1) < n, n >= 1], 0 < 1 - b / (1 - b) / n, b=s.beta1, n=K)
    proof.leaf("c > 0", [0 < X, X <= Y], 0 < Y, X=2 * constant(s), Y=c)
    e, R, G = reals("e R G")
    here = {"e": s.eps[..., None], "R": s.root, "G": s.G[..., None]}
    proof.leaf("sqrt(v-hat) > 0", [0 < e, e <= R], 0 < R, **here)
    proof.leaf("G_g > 0", [0 < e, e <= R, R <= G], 0 < G, **here)
    proof.leaf("G_g >= eps_v", [e <= R, R <= G], e <= G, **here)
    bends = [s.A[..., i, :] for i in range(s.m)]
    for bend in bends:
        proof.leaf("A >= -L", [-X <= Y], -Y <= X, X=bend, Y=column(s.L))
    averaged(proof, s, "clients", [(bend, column(s.L) + 0 * bend) for bend in bends])
    proof.leaf("L > 0", [0 < X, X <= Y], 0 < Y, X=mean(bends), Y=column(s.L))
    proof.setting("d >= 1", s.d, 1)
    proof.leaf("E >= 0", [n >= 1], 0 <= X * X * (n * (Y * Y)), X=s.L, n=s.nb.number(s.d), Y=s.K * s.eta_l)
    m, S = reals("m S")
    for value, least in ((s.m - s.S, 0), (s.S, 1), (max(s.m - 1, 1), 1)):
        proof.setting("clients", value, least)
    proof.leaf("(m - S)/(S (m - 1)) >= 0", [X >= 0, S >= 1, m >= 1], 0 <= X / (S * m), X=s.nb.number(s.m - s.S),
               S=s.nb.number(s.S), m=s.nb.number(max(s.m - 1, 1)))  # fmt: skip
    return c


def drifts(proof: Derivation, s: Instance, i: int, x: Any, steps: Instance) -> list[Any]:
    """n_k = mbar_k - (1 - beta1^k) grad F_i(x), with |n_k|^2 <= (1 - beta1^k) E; the list of them."""
    M, R, b, g, Y, Z, h, u, n = reals("M R b g Y Z h u n")
    f, beta, h_ = steps.slopes[0], column(s.beta1), column(s.eta_l)
    way, most, found = x * 0, h_ * 0, []
    m, bare, power = x * 0, x * 0, s.beta1 * 0 + 1
    for k in range(s.K):
        # the point: |y - x| <= k eta_l <= K eta_l in each coordinate
        proof.setting("steps left", s.K - k, 0)
        proof.leaf("k eta_l <= K eta_l", [0 < h, n >= 0], Z <= Z + n * h, h=h_, Z=most, n=s.nb.number(s.K - k))
        wide = h_ * s.K
        proof.leaf("|y - x| <= K eta_l", [Y <= Z, -Y <= Z, Z <= n], Y * Y <= n * n, Y=way, Z=most, n=wide)
        proof.cross(sums, "over coordinates", low=way * way, high=np.broadcast_to(wide * wide, way.shape))
        y, slope = steps.points[k], steps.slopes[k]
        proof.cross(lipschitz_gradient, "drift", A=s.A[..., i, :], c=s.c[..., i, :], x=x, y=y, L=s.L)
        off = slope - f
        D, Q, lip = reals("D Q L")
        proof.leaf("drift of the gradient", [D <= lip * lip * Y, Y <= Q], D <= lip * lip * Q, L=s.L,
                   D=(off * off).sum(axis=-1), Y=(way * way).sum(axis=-1), Q=s.d * (s.K * s.eta_l) ** 2)  # fmt: skip
        # what drift adds to the momentum
        p, a, B, E = reals("p a B E")
        proof.leaf(
            "momenta are linear", [],
            b * M + (1 - b) * g - (1 - b * p) * a == b * (M - (1 - p) * a) + (1 - b) * (g - a),
            b=beta, M=bare, g=slope, a=f, p=column(power),
        )  # fmt: skip
        past = bare - (1 - column(power)) * f
        bare, new = steps.bare[k], beta * past + (1 - beta) * off
        step = b * M + (1 - b) * g
        proof.leaf("Jensen", [0 < b, b < 1], step * step <= b * (M * M) + (1 - b) * (g * g),
                   b=beta, M=past, g=off)  # fmt: skip
        convex = beta * (past * past) + (1 - beta) * (off * off)
        proof.cross(sums, "over coordinates", low=new * new, high=convex)
        proof.leaf(
            "what drift adds to a momentum", [a <= b * Y + (1 - b) * B, Y <= (1 - p) * E, B <= E, 0 < b, b < 1],
            a <= (1 - b * p) * E, a=(new * new).sum(axis=-1), b=s.beta1, Y=(past * past).sum(axis=-1),
            B=(off * off).sum(axis=-1), p=power, E=steady(s),
        )  # fmt: skip
        power = power * s.beta1
        found.append(new)
        # the step: |m| <= sqrt(v-hat)
        here = {"b": beta, "M": m, "g": steps.seen[k], "R": s.root}
        bounds = [M <= R, -M <= R, g <= R, -g <= R, 0 < b, b < 1]
        m = steps.m[k]
        moved = h_ * m / s.root
        for sign in (1, -1):
            proof.leaf("a momentum is at most sqrt(v-hat)", bounds, sign * (b * M + (1 - b) * g) <= R, **here)
            proof.leaf("a step is at most eta_l", [sign * M <= R, 0 < R, 0 < h], sign * (h * M / R) <= h,
                       M=m, R=s.root, h=h_)  # fmt: skip
            proof.leaf("the way so far", [-sign * Y <= Z, sign * u <= h], -sign * (Y - u) <= Z + h,
                       Y=way, Z=most, u=moved, h=h_)  # fmt: skip
        way, most = way - moved, most + h_
    return found


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


def turned_against(proof: Derivation, s: Instance, f: Any, c: Any, n: Any, E: Any) -> None:
    """-<f, D a> <= -C |f|^2/G - <a, D a>/2 + E/(2 eps) for a = c f + n, |n|^2 <= c E, D = 1/sqrt(v-hat)."""
    F, N, k, R, e, G = reals("F N k R e G")
    a = k * F + N
    here = {"F": f, "N": n, "k": column(c), "R": s.root}
    cut = -k * (F * F) - a * a + N * N / k
    proof.leaf("completed square", [0 < k, k <= 1], -(2 * F * a) <= cut, **here)
    proof.leaf("divided by sqrt(v-hat)", [-(2 * F * a) <= cut, 0 < R, 0 < k],
               -(2 * F * a / R) <= N * N / R / k - k * (F * F / R) - a * a / R, **here)  # fmt: skip
    proof.leaf("n^2/sqrt(v-hat) <= n^2/eps_v", [0 < e, e <= R], N * N / R <= N * N / e, N=n, R=s.root, e=column(s.eps))
    proof.leaf("f^2/G_g <= f^2/sqrt(v-hat)", [0 < R, R <= G], F * F / G <= F * F / R, F=f, R=s.root, G=column(s.G))
    sent = column(c) * f + n
    turned, mine = -(2 * f * sent / s.root), sent * sent / s.root
    left, squares, drift = f * f / column(s.G), f * f / s.root, n * n / s.root
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
        "against the gradient", [P <= X - S - Q, X <= Z, Y <= S], P / 2 + Q / 2 <= Z / 2 - Y / 2, P=turned.sum(axis=-1),
        X=drift.sum(axis=-1) / c, S=c * squares.sum(axis=-1), Q=mine.sum(axis=-1), Z=E / s.eps,
        Y=2 * constant(s) * left.sum(axis=-1),
    )  # fmt: skip


def spread_of_clients(proof: Derivation, s: Instance, fields: list[Any], f: Any, c: Any, drifts: list[Any]) -> None:
    """mean_i |a_i - c f|^2 <= 2 sigma_g^2 + 2 E for a_i = c grad F_i + n_i, |n_i|^2 <= c E."""
    u, v, k, X, Y, Z, W, n = reals("u v k X Y Z W n")
    totals, parts, E = [], [], steady(s)
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
    proof.leaf("mean over clients", [X <= 2 * Y + 2 * n * W, Y / n <= Z, n >= 1], X / n <= 2 * Z + 2 * W,
               X=sum(totals), Y=apart, Z=s.apart, W=E, n=s.nb.number(s.m))  # fmt: skip
