"""Lines on how far local momentum and FedDA's stray from SGDM's along Euler steps, for any L_i-Lipschitz gradients."""

from theorems.bridges import combined, exponential, extremes, lengths, lipschitz_gradient, powers, roots, sums
from theorems.fedda.common_euler import growth, pace, paths, slope, source, speed, total
from theorems.vocabulary import *


def derive_deviations(proof: Derivation, s: Instance) -> None:
    """Local: |D| + (lambda + k) |E| grows by 1 + h lambda a step. FedDA: |D| gains at most h k C* n h at step n."""
    rates(proof, s)
    _speed(proof, s)
    run = paths(s)
    for i in range(s.n):
        _local(proof, s, run, i)
    _fedda(proof, s, run)


def rates(proof: Derivation, s: Instance) -> None:
    """0 < k, 0 < h, h k <= 1, k eta <= 1."""
    b, e, n, k, h = reals("beta eta N k h")
    (K, H), number = pace(s), s.nb.number
    proof.setting("N >= 1", s.N, 1)
    proof.setting("1 >= 0", 1, 0)
    proof.leaf("k > 0", [b < 1, e > 0], 0 < (1 - b) / e, beta=s.beta, eta=s.eta)
    proof.leaf("h > 0", [e > 0, n >= 1], 0 < e / n, eta=s.eta, N=number(s.N))
    proof.leaf("h k <= 1", [0 <= b, e > 0, n >= 1], e / n * ((1 - b) / e) <= 1, beta=s.beta, eta=s.eta, N=number(s.N))
    proof.leaf("h k >= 0", [0 < k, 0 < h], 0 <= h * k, k=K, h=H)
    proof.leaf("1 - h k >= 0", [h * k <= 1], 0 <= 1 - h * k, k=K, h=H)
    proof.leaf("k eta <= 1", [0 <= b, e > 0], (1 - b) / e * e <= 1, beta=s.beta, eta=s.eta)


def _speed(proof: Derivation, s: Instance) -> None:
    """lambda > 0 and lambda (lambda + k) = k L."""
    k, L, q, X = reals("k L q X")
    K, top = pace(s)[0], s.nb.largest(s.L)
    proof.cross(extremes, "L_i <= L", nb=s.nb, x=s.L)
    proof.leaf("L > 0", [0 < X, X <= L], 0 < L, X=s.L, L=top[..., None])
    proof.leaf("k^2 + 4 k L >= 0", [0 < k, 0 < L], 0 <= k * k + 4 * k * L, k=K, L=top)
    proof.cross(roots, "sqrt(k^2 + 4 k L)", nb=s.nb, x=K * K + 4 * K * top)
    given, here = [q * q == k * k + 4 * k * L, 0 < k, 0 < L, 0 <= q], {"q": 2 * growth(s) + K, "k": K, "L": top}
    proof.leaf("lambda > 0", given, 0 < (q - k) / 2, **here)
    proof.leaf("lambda (lambda + k) = k L", given[:1], (q - k) / 2 * ((q - k) / 2 + k) == k * L, **here)


def _change(proof: Derivation, s: Instance, i: int, x: Any, y: Any) -> Any:
    """|g^i(y) - g^i(x)| <= L_i |y - x|: its left side."""
    off, way = slope(s, y, i) - slope(s, x, i), y - x
    proof.cross(lipschitz_gradient, "Lipschitz", A=s.A[..., i, :], c=s.c[..., i, :], x=x, y=y, L=s.L[..., i])
    u, v, L = reals("u v L")
    for vector in (off, way):
        proof.cross(lengths, "lengths", nb=s.nb, v=vector)
    proof.leaf("|g(y) - g(x)| <= L |y - x|", [u * u <= L * L * (v * v), 0 <= u, 0 <= v, 0 < L], u <= L * v,
               u=s.nb.length(off), v=s.nb.length(way), L=s.L[..., i])  # fmt: skip
    return s.nb.length(off)


def _local(proof: Derivation, s: Instance, run: Instance, i: int) -> None:
    """|m^i - m| <= k R (e^(lambda t eta) - 1)/lambda."""
    nb, (k_, h_), fast, top, R_ = s.nb, pace(s), growth(s), s.nb.largest(s.L), s.R_i[..., i]
    D, E, d, r, R, L, M, h, k, a, P, V, X, Y = reals("D E d r R L M h k a P V X Y")
    gap, off, power, weight = s.x * 0, s.x * 0, k_ * 0 + 1, fast + k_
    for step, rest in enumerate(source(s, run, i)):
        size, far = nb.length(gap), nb.length(off)
        change = _change(proof, s, i, run.W[step], run.W_i[i][step])
        jump = slope(s, run.W_i[i][step], i) - slope(s, run.W[step], i)
        proof.cross(combined, "D a step on", nb=nb, weights=[1 - h_ * k_, h_ * k_, h_ * k_], vectors=[gap, jump, -rest])
        proof.cross(combined, "E a step on", nb=nb, weights=[k_ * 0 + 1, h_], vectors=[off, -gap])
        new = (1 - h_ * k_)[..., None] * gap + (h_ * k_)[..., None] * (jump - rest)
        moved = off - h_[..., None] * gap
        proof.leaf(
            "|D| a step on",
            [X <= (1 - h * k) * D + h * k * d + h * k * r, d <= M * E, M <= L, r <= R, 0 <= h * k, 0 <= E],
            X <= (1 - h * k) * D + h * k * (L * E + R), X=nb.length(new), D=size, E=far, d=change, r=nb.length(rest),
            R=R_, M=s.L[..., i], L=top, h=h_, k=k_,
        )  # fmt: skip
        proof.leaf(
            "|D| + (lambda + k) |E| a step on",
            [X <= (1 - h * k) * D + h * k * (L * E + R), Y <= E + h * D, a * (a + k) == k * L, 0 < a, 0 < k],
            X + (a + k) * Y <= (1 + h * a) * (D + (a + k) * E) + h * k * R, X=nb.length(new), Y=nb.length(moved),
            D=size, E=far, R=R_, L=top, h=h_, k=k_, a=fast,
        )  # fmt: skip
        proof.leaf(
            "it grows by 1 + h lambda", [V <= k * R * (P - 1) / a, X <= (1 + h * a) * V + h * k * R, 0 < a, 0 < h],
            X <= k * R * ((1 + h * a) * P - 1) / a, V=size + weight * far, X=nb.length(new) + weight * nb.length(moved),
            k=k_, R=R_, P=power, a=fast, h=h_,
        )  # fmt: skip
        gap, off, power = new, moved, (1 + h_ * fast) * power
    steps, n = s.t * s.N, reals("n")
    proof.setting("there are steps", steps, 1)
    proof.leaf("h lambda >= 0", [0 < h, 0 < a], 0 <= h * a, h=h_, a=fast)
    proof.leaf("h lambda <= t eta lambda", [0 <= X, n >= 1], X <= n * X, X=h_ * fast, n=nb.number(steps))
    proof.cross(exponential, "1 + h lambda <= e^(h lambda)", nb=nb, x=h_ * fast, y=h_ * fast * steps)
    proof.leaf("1 + h lambda >= 0", [0 <= X], 0 <= 1 + X, X=h_ * fast)
    grown = nb.exp(h_ * fast)
    proof.cross(powers, "over the steps", low=1 + h_ * fast, high=grown, exponents=range(steps + 1))
    proof.define("e^(t eta lambda) is the power of e^(h lambda)", grown**steps, nb.exp(fast * (s.t * s.eta)))
    proof.cross(lengths, "|R|", nb=nb, v=source(s, run, i)[0])
    proof.leaf("R >= 0", [0 <= r, r <= R], 0 <= R, r=nb.length(source(s, run, i)[0]), R=R_)
    proof.leaf(
        "local momentum", [D + (a + k) * E <= k * R * (P - 1) / a, P <= X, 0 < a, 0 < k, 0 <= R, 0 <= E],
        D <= k * R * (X - 1) / a, D=nb.length(gap), E=nb.length(off), a=fast, k=k_, R=R_, P=power, X=grown**steps,
    )  # fmt: skip


def _fedda(proof: Derivation, s: Instance, run: Instance) -> None:
    """|mbar - m| <= C* eta t^2/2."""
    nb, (k_, h_), number = s.nb, pace(s), s.nb.number
    first, C_ = nb.length(s.m), nb.largest(np.stack(speed(s), -1))
    proof.cross(lengths, "|m(0)|", nb=nb, v=s.m)
    X, D, Y, Z, G, M, q, C, L, B, p, S, k, h, n, e, t = reals("X D Y Z G M q C L B p S k h n e t")
    proof.cross(lengths, "|g|", nb=nb, v=total(s, s.x))
    proof.leaf("G >= 0", [0 <= X, X <= G], 0 <= G, X=nb.length(total(s, s.x)), G=s.G)
    proof.leaf("|m(0)| <= |m(0)| + G", [0 <= G], M <= M + G, M=first, G=s.G)
    proof.cross(extremes, "C*", nb=nb, x=np.stack(speed(s), -1))
    for i in range(s.n):
        proof.cross(lengths, "|g^i|", nb=nb, v=slope(s, s.x, i))
        proof.leaf("C* >= 0", [0 <= X, X <= Y, 0 <= M, 0 <= G, 0 < L, L * (Y + M + G) <= C], 0 <= C, C=C_,
                   X=nb.length(slope(s, s.x, i)), Y=s.G_i[..., i], M=first, G=s.G, L=s.L[..., i])  # fmt: skip
    gap, m, apart = s.x * 0, s.m, [s.x * 0] * s.n
    for step in range(s.t * s.N):
        W, ways = run.W[step], []
        count = number(step)
        for i in range(s.n):
            y, g = run.flow[i][step], slope(s, run.flow[i][step], i)
            far, reach = nb.length(apart[i]), s.G_i[..., i] + first + s.G
            change = _change(proof, s, i, W, y)
            proof.setting("steps so far", step, 0)
            proof.leaf(
                "the gradients' change", [X <= L * Y, Y <= n * h * B, L * B <= C, 0 < L, 0 < h, n >= 0], X <= n * h * C,
                X=change, Y=far, L=s.L[..., i], B=reach, C=C_, h=h_, n=count,
            )  # fmt: skip
            share = h_ * k_ * s.p[..., i]
            proof.leaf("a share", [0 <= p, 0 <= q], 0 <= q * p, p=s.p[..., i], q=h_ * k_)
            proof.leaf("a client's share", [X <= Z, 0 <= p], p * X <= p * Z, X=change, Z=step * h_ * C_, p=share)
            ways.append((share, slope(s, y, i) - slope(s, W, i), share * change, share * (step * h_ * C_)))
            proof.cross(combined, "W^i - W a step on", nb=nb, weights=[k_ * 0 + 1, h_, h_], vectors=[apart[i], -g, m])
            apart[i] = apart[i] - h_[..., None] * (g - m)
            proof.leaf(
                "|W^i - W| a step on", [X <= Y + h * Z + h * D, Y <= n * h * (G + B), Z <= G, D <= B, 0 < h],
                X <= (n + 1) * h * (G + B), X=nb.length(apart[i]), Y=far, Z=nb.length(g), D=nb.length(m),
                G=s.G_i[..., i], B=first + s.G, h=h_, n=count,
            )  # fmt: skip
        proof.cross(combined, "mbar - m a step on", nb=nb, weights=[1 - h_ * k_, *(way[0] for way in ways)],
                    vectors=[gap, *(way[1] for way in ways)])  # fmt: skip
        proof.cross(sums, "over clients", low=np.stack([way[2] for way in ways], -1),
                    high=np.stack([way[3] for way in ways], -1))  # fmt: skip
        new = (1 - h_ * k_)[..., None] * gap + sum(way[0][..., None] * way[1] for way in ways)
        size, after = nb.length(gap), nb.length(new)
        proof.leaf(
            "|mbar - m| a step on", [X <= (1 - h * k) * D + Y, Y <= h * k * S * Z, S == 1, 0 <= h * k, 0 <= D],
            X <= D + h * k * Z, X=after, D=size, Y=sum(way[2] for way in ways), S=s.p.sum(axis=-1), Z=step * h_ * C_,
            h=h_, k=k_,
        )  # fmt: skip
        proof.leaf("it gains h k C* n h", [X <= D + h * k * (n * h * C), D <= k * C * h * h * n * (n - 1) / 2],
                   X <= k * C * h * h * (n + 1) * n / 2, X=after, D=size, h=h_, k=k_, C=C_, n=count)  # fmt: skip
        slope_ = total(s, W)
        proof.cross(combined, "m a step on", nb=nb, weights=[1 - h_ * k_, h_ * k_], vectors=[m, slope_])
        old, m = nb.length(m), (1 - h_ * k_)[..., None] * m + (h_ * k_)[..., None] * slope_
        proof.leaf(
            "|m| <= |m(0)| + G", [X <= (1 - q) * Y + q * Z, Y <= M + G, Z <= G, 0 <= M, 0 <= q, 0 <= 1 - q], X <= M + G,
            X=nb.length(m), Y=old, Z=nb.length(slope_), M=first, G=s.G, q=h_ * k_,
        )  # fmt: skip
        gap = new
    steps = number(s.t * s.N)
    proof.leaf("n (n - 1) <= n^2", [n >= 1, 0 < k, 0 <= C],
               k * C * h * h * n * (n - 1) / 2 <= k * C * (n * h) * (n * h) / 2, n=steps, k=k_, C=C_, h=h_)  # fmt: skip
    proof.leaf("FedDA's momentum", [X <= D, D <= k * C * (t * e) * (t * e) / 2, k * e <= 1, 0 <= C, 0 < e],
               X <= C * e * t * t / 2, X=nb.length(gap), D=k_ * C_ * h_ * h_ * steps * (steps - 1) / 2, k=k_, C=C_,
               t=number(s.t), e=s.eta)  # fmt: skip
