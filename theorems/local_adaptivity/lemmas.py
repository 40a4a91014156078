"""Lines that derivations of LA share: preconditioned clients on quadratics in any dimension, x~, its limit, gaps."""

from theorems.bridges import (
    affine_steps,
    equal_lengths,
    equal_sums,
    extremes,
    inverse,
    lengths,
    matrix_laws,
    normal_equations,
    operator_norms,
    sums,
    triangle,
    weighted_rest,
)
from theorems.local_adaptivity.common import identity_like
from theorems.local_adaptivity.common_matrices import (
    apply,
    first_order,
    played,
    preconditioners,
    pulls,
    rest,
    slopes,
    steps,
)
from theorems.vocabulary import *


def local_changes(proof: Derivation, s: Instance, x: Any) -> Any:
    """x - A_i(x) = (I - K_i)(x - c_i) = M_i grad F_i(x), (batch, n, d)."""
    for i, t in enumerate(s.tau):
        proof.cross(affine_steps, "x - A_i(x) = (I - K_i)(x - x_i*)", Z=steps(s)[:, i], c=s.p.c[:, i], x=x, count=t)
    return np.stack([x - played(s, i, x) for i in range(s.n)], 1)


def fixed_point(proof: Derivation, s: Instance) -> None:
    """sum w A_i(x~) = x~: the mean of x - A_i(x) is [sum w (I - K_i)](x - x~)."""
    x, w = rest(s, pulls(s)), s.p.w[..., None]
    changes, pulled = local_changes(proof, s, x), apply(pulls(s), rest(s, pulls(s))[..., None, :] - s.p.c)
    proof.cross(weighted_rest, "sum w (I - K_i)(x - x_i*) at x~", nb=s.nb, w=s.p.w, M=pulls(s), c=s.p.c, x=x)
    proof.cross(equal_sums, "the mean change", low=_last(changes), high=_last(pulled), weights=s.p.w[..., None, :])
    p, a, y, B, D, S = reals("w a x W D S")
    total, weight, mean = (v * 0 for v in (x, w[:, 0], x))
    for i in range(s.n):
        after = x - changes[:, i]
        if i == 0:
            proof.leaf("the first client", [], p * (y - a) == p * y - p * a, w=w[:, i], a=after, x=x)
        else:
            proof.leaf("one client more", [D == B * y - S], D + p * (y - a) == (B + p) * y - (S + p * a),
                       D=total, W=weight, S=mean, w=w[:, i], a=after, x=x)  # fmt: skip
        total, weight, mean = total + w[:, i] * changes[:, i], weight + w[:, i], mean + w[:, i] * after
    proof.leaf("x~ = A(x~)", [D == B * y - S, D == 0 * y, B == 1], S == y, D=total, W=weight, S=mean, x=x)


def limit(proof: Derivation, s: Instance, most: Any) -> None:
    """|J (x~ - lim)| <= sum w rho_i (|x~ - lim| + |lim - c_i|), as J (x~ - lim) = sum w E_i (x~ - c_i).

    J_i = tau_i Z_i, E_i = J_i - (I - K_i), |E_i| <= rho_i (``most``).
    """
    nb, w, J, pull = s.nb, s.p.w, first_order(s) @ s.p.A, pulls(s)
    x, far = rest(s, pull), rest(s, J)
    v = x[..., None, :] - s.p.c
    linear, pulled, left = apply(J, v), apply(pull, v), apply(J - pull, v)
    proof.cross(weighted_rest, "sum w J_i (x~ - x_i*)", nb=nb, w=w, M=J, c=s.p.c, x=x)
    proof.cross(weighted_rest, "sum w (I - K_i)(x~ - x_i*)", nb=nb, w=w, M=pull, c=s.p.c, x=x)
    proof.cross(matrix_laws, "E_i = J_i - (I - K_i)", A=J, B=pull, v=v)
    p, a, b, e, A, B, D = reals("w a b e A B D")
    sides = [x * 0, x * 0, x * 0]
    for i in range(s.n):
        here = {"w": w[:, i][..., None], "a": linear[:, i], "b": pulled[:, i], "e": left[:, i]}
        if i == 0:
            proof.leaf("the first client's rest", [e == a - b], p * e == p * a - p * b, **here)
        else:
            proof.leaf("one client's rest more", [D == A - B, e == a - b], D + p * e == (A + p * a) - (B + p * b),
                       D=sides[0], A=sides[1], B=sides[2], **here)  # fmt: skip
        sides = [side + here["w"] * here[name] for side, name in zip(sides, "eab", strict=True)]
    moved = apply(s.p.mean(J), x - far)
    proof.leaf("J (x~ - lim) = sum w E_i (x~ - x_i*)", [D == A - B, A == a, B == 0 * a], a == D,
               D=sides[0], A=sides[1], B=sides[2], a=moved)  # fmt: skip
    proof.cross(equal_lengths, nb=nb, u=moved, v=sides[0])
    shares = [w[:, i][..., None] * left[:, i] for i in range(s.n)]
    proof.cross(triangle, "sum w E_i (x~ - x_i*)", nb=nb, vectors=shares)
    low, high = [], []
    k, r, y, z = reals("k r y z")
    for i in range(s.n):
        _remainder(proof, s, i)
        E, ways = (J - pull)[:, i], [x - far, far - s.p.c[:, i]]
        proof.cross(operator_norms, "E_i (x~ - x_i*)", nb=nb, A=E, B=E, v=v[:, i])
        proof.cross(triangle, "by way of the limit", nb=nb, vectors=ways)
        spread = nb.length(ways[0]) + nb.length(ways[1])
        proof.leaf("one client", [k <= e * y, 0 <= e, e <= r, 0 <= y, y <= z, p > 0], p * k <= p * (r * z),
                   w=w[:, i], k=nb.length(left[:, i]), e=nb.opnorm(E), r=most[:, i], y=nb.length(v[:, i]),
                   z=spread)  # fmt: skip
        low.append(nb.length(shares[i]))
        high.append(w[:, i] * (most[:, i] * spread))
    proof.cross(sums, "all clients", low=np.stack(low, -1), high=np.stack(high, -1))
    proof.leaf("the limit", [a == b, b <= A, A <= B], a <= B,
               a=nb.length(moved), b=nb.length(sides[0]), A=sum(low), B=sum(high))  # fmt: skip


def _remainder(proof: Derivation, s: Instance, i: int) -> None:
    """|E| <= rho after each step: E_(t+1) = E_t + (t Z - E_t) Z, rho_(t+1) = (1 + z) rho_t + t z^2, z = |Z|."""
    nb, Z = s.nb, steps(s)[:, i]
    z, unit = nb.opnorm(Z), identity_like(Z)
    K, rho = unit, z * 0
    e, f, g, m, r, t, y = reals("e f g m r t z")
    for k in range(s.tau[i]):
        E = k * Z - (unit - K)
        after = E + (unit - K) @ Z
        proof.cross(operator_norms, "E + (t Z - E) Z", nb=nb, A=E, B=(unit - K) @ Z, v=Z[..., 0])
        proof.cross(operator_norms, "(t Z - E) Z", nb=nb, A=unit - K, B=Z, v=Z[..., 0])
        proof.cross(operator_norms, "t Z - E", nb=nb, A=k * Z, B=-E, v=Z[..., 0])
        proof.cross(operator_norms, "Z", nb=nb, A=Z, B=Z, v=Z[..., 0])
        proof.leaf("|E_(t+1)| <= |E_t| + (t z + |E_t|) z", [g <= e + m, m <= f * y, f <= t * y + e, 0 <= y],
                   g <= e + (t * y + e) * y, g=nb.opnorm(after), e=nb.opnorm(E), m=nb.opnorm((unit - K) @ Z),
                   f=nb.opnorm(unit - K), t=nb.number(k), z=z)  # fmt: skip
        proof.leaf("|E_(t+1)| <= (1 + z) rho_t + t z^2", [g <= e + (t * y + e) * y, e <= r, 0 <= y],
                   g <= (1 + y) * r + t * y * y, g=nb.opnorm(after), e=nb.opnorm(E), t=nb.number(k), r=rho,
                   z=z)  # fmt: skip
        K, rho = (unit - Z) @ K, (1 + z) * rho + k * z * z


def moved_by_gradients(proof: Derivation, s: Instance, M: Any, pull: Any) -> None:
    """[sum w P_i](r - x*) = -sum w M_i grad F_i(x*), where r rests for the P_i = M_i H_i (``pull``)."""
    x = s.p.minimizer
    pulled, gradients = apply(pull, x[..., None, :] - s.p.c), apply(M, slopes(s, x))
    proof.cross(weighted_rest, "sum w P_i (x* - x_i*)", nb=s.nb, w=s.p.w, M=pull, c=s.p.c, x=x)
    proof.cross(equal_sums, "sum w M_i grad F_i(x*)", low=_last(pulled), high=_last(gradients),
                weights=s.p.w[..., None, :])  # fmt: skip
    a, b, c = reals("a b c")
    proof.leaf("the gap", [a == b, a == c], -b == -c, a=s.p.mean(pulled),
               b=apply(s.p.mean(pull), x - rest(s, pull)), c=s.p.mean(gradients))  # fmt: skip


def gap_of_two(proof: Derivation, s: Instance) -> None:
    """J (lim - x*) = -w_1 (B_1 - B_2) grad F_1(x*) of two clients, B_i = eta_i tau_i P_i, J = sum w B_i H_i."""
    x, B, J, w = s.p.minimizer, first_order(s), first_order(s) @ s.p.A, s.p.w[..., None]
    g, v = slopes(s, x), x[..., None, :] - s.p.c
    proof.cross(normal_equations, "sum w_i grad F_i(x*) = 0", p=s.p, values=s.p.lam, x=x)
    p, q, a, b, e, j, m, n = reals("w1 w2 a b e j m n")
    one, other = w[:, 0] * g[:, 0], w[:, 1] * g[:, 1]
    proof.leaf("w_2 grad F_2 = -w_1 grad F_1", [m + n == 0 * m], n == -m, m=one, n=other)
    low, high = (np.broadcast_to(u[..., None, :], B[:, 1].shape) for u in (other, -one))
    proof.cross(equal_sums, "B_2 of both", low=low, high=high, weights=B[:, 1])
    proof.cross(matrix_laws, "(B_1 - B_2) grad F_1", A=B[:, 0], B=B[:, 1], v=g[:, 0])
    proof.cross(matrix_laws, "B_i H_i (x* - x_i*) = B_i grad F_i", A=B, B=s.p.A, v=v)
    proof.cross(weighted_rest, "sum w_i B_i H_i (x* - x_i*)", nb=s.nb, w=s.p.w, M=J, c=s.p.c, x=x)
    pulled, left = apply(J, v), apply(s.p.mean(J), x - rest(s, J))
    proof.leaf(
        "the gap of two clients", [p * m + q * n == j, m == a, q * n == -(p * b), e == a - b], -j == -p * e,
        w1=w[:, 0], w2=w[:, 1], m=pulled[:, 0], n=pulled[:, 1], j=left, a=apply(B[:, 0], g[:, 0]),
        b=apply(B[:, 1], g[:, 0]), e=apply(B[:, 0] - B[:, 1], g[:, 0]),
    )  # fmt: skip


def gap_stays(proof: Derivation, s: Instance) -> None:
    """With one P and eta_1 tau_1 != eta_2 tau_2: |lim - x*| > 0, as P v = 0 for v = 0 alone."""
    nb, x, B, J = s.nb, s.p.minimizer, first_order(s), s.p.mean(first_order(s) @ s.p.A)
    P, g, u = preconditioners(s).A[:, 0], slopes(s, x)[:, 0], rest(s, first_order(s) @ s.p.A) - x
    turned, least = apply(P, g), nb.smallest(s.P[:, 0])
    proof.cross(extremes, "eigenvalues of P", nb=nb, x=s.P[:, 0])
    proof.cross(inverse, "|grad F_1| <= |P grad F_1| / least", nb=nb, M=P, v=turned, low=least)
    a, b, c, k, w, x2, y = reals("a b c k w x y")
    proof.leaf("P grad F_1 is not 0", [0 < a, a <= b / c, 0 < c], 0 < b, a=nb.length(g), b=nb.length(turned), c=least)
    rates = s.eta * np.array([nb.number(t) for t in s.tau], dtype=object)
    apart, weight = rates[:, 0] - rates[:, 1], s.p.w[:, 0]
    moved, sent = apply(J, u), -weight[..., None] * apply(B[:, 0] - B[:, 1], g)
    proof.cross(equal_lengths, nb=nb, u=moved, v=sent)
    for v in (turned, apart[..., None], sent):
        proof.cross(lengths, "a length, squared", nb=nb, v=v)
    squares = {"x": apart * apart, "y": (turned * turned).sum(axis=-1)}
    proof.leaf("(eta_1 tau_1 - eta_2 tau_2)^2 is not 0", [0 < a, a * a == x2], 0 < x2, a=nb.abs(apart), x=squares["x"])
    proof.leaf("|P grad F_1|^2 is not 0", [0 < b, b * b == y], 0 < y, b=nb.length(turned), y=squares["y"])
    proof.leaf("w_1 (eta_1 tau_1 - eta_2 tau_2) P grad F_1 is not 0",
               [0 < w, 0 < x2, 0 < y, k * k == w * w * (x2 * y), 0 <= k], 0 < k, w=weight, k=nb.length(sent),
               **squares)  # fmt: skip
    proof.cross(operator_norms, "|J (lim - x*)| <= |J| |lim - x*|", nb=nb, A=J, B=J, v=u)
    proof.cross(triangle, "a length", nb=nb, vectors=[u])
    proof.leaf("a gap", [k == w, 0 < w, k <= a * y, 0 <= a, 0 <= y], 0 < y, k=nb.length(moved), w=nb.length(sent),
               a=nb.opnorm(J), y=nb.length(u))  # fmt: skip


def _last(x: Any) -> Any:
    """(batch, n, d) with the clients on the last axis."""
    return np.swapaxes(x, -1, -2)
