"""Lemmas that derivations of this paper share: how phi and its deficit grow with the eigenvalue, the distance to x*."""

from theorems.bridges import (
    averages,
    cauchy_schwarz,
    geometric_sum,
    inverse,
    minkowski,
    powers,
    sums,
)
from theorems.vocabulary import *


def column(x: Any) -> Any:
    """A number an instance, against eigenvalues (batch, n, d)."""
    return x[..., None, None]


def powers_fall(proof: Derivation, gamma: Any, K: int, small: Any, large: Any) -> None:
    """0 < x <= y, gamma >= 0, gamma y <= 1: 0 <= (1 - gamma y)^k <= (1 - gamma x)^k <= 1 for k = 0 .. K."""
    g, x, y = reals("gamma x y")
    rates = {"gamma": gamma, "x": small, "y": large}
    proof.leaf("1 - gamma y >= 0", [g * y <= 1], 0 <= 1 - g * y, gamma=gamma, y=large)
    proof.leaf("1 - gamma y <= 1 - gamma x", [g >= 0, x <= y], 1 - g * y <= 1 - g * x, **rates)
    proof.leaf("1 - gamma x >= 0", [g >= 0, x <= y, g * y <= 1], 0 <= 1 - g * x, **rates)
    proof.leaf("1 - gamma x <= 1", [g >= 0, x > 0], 1 - g * x <= 1, gamma=gamma, x=small)
    first, second = 1 - gamma * small, 1 - gamma * large
    proof.cross(powers, "(1 - gamma y)^k <= (1 - gamma x)^k", low=second, high=first, exponents=range(K + 1))
    proof.cross(powers, "(1 - gamma x)^k <= 1", low=first, high=small * 0 + 1, exponents=range(K + 1))


def phi_grows(proof: Derivation, gamma: Any, K: int, small: Any, large: Any) -> None:
    """With the powers known: phi_x <= phi_y and 0 <= K x - phi_x <= K y - phi_y.

    Step by step: phi_(k+1) = x + (1 - gamma x) phi_k, and gamma phi_k = 1 - (1 - gamma x)^k <= 1; term by term.
    """
    g, x, y, p, q, S, F, G = reals("gamma x y p q S F G")
    first, second = 1 - gamma * small, 1 - gamma * large
    for k in range(K):
        shown = {"x": small, "y": large, "p": first**k, "q": second**k}
        proof.leaf("x (1 - p) <= y (1 - q)", [x > 0, x <= y, q <= p, p <= 1], x * (1 - p) <= y * (1 - q), **shown)
        proof.leaf("x (1 - p) >= 0", [x > 0, p <= 1], 0 <= x * (1 - p), x=small, p=first**k)
    losses = [np.stack([x * (1 - r**k) for k in range(K)], -1) for x, r in ((small, first), (large, second))]
    proof.cross(sums, "K x - phi_x <= K y - phi_y", low=losses[0], high=losses[1])
    proof.cross(sums, "K x - phi_x >= 0", low=losses[0] * 0, high=losses[0])
    below, above = small * first**0, large * second**0  # phi_1
    for k in range(1, K):
        proof.cross(geometric_sum, "gamma phi_k(y) = 1 - (1 - gamma y)^k", ratio=second, count=k)
        proof.leaf("gamma phi_k(y) <= 1", [g * y * S == 1 - q, q >= 0], g * (y * S) <= 1,
                   gamma=gamma, y=large, S=above / large, q=second**k)  # fmt: skip
        proof.leaf(
            "phi_(k+1) = x + (1 - gamma x) phi_k grows", [x <= y, G <= F, g * F <= 1, 0 <= 1 - g * x],
            x + (1 - g * x) * G <= y + (1 - g * y) * F, gamma=gamma, x=small, y=large, F=above, G=below,
        )  # fmt: skip
        below, above = small + first * below, large + second * above


def phi_bounds(proof: Derivation, s: Instance) -> None:
    """phi_mu <= phi_lam <= phi_L, 0 <= K lam - phi_lam <= K L - phi_L, 0 < phi_mu, for 0 < mu, 0 <= gamma <= 1/L."""
    p, gamma = s.p, column(s.gamma)
    mu, L = column(p.mu), column(p.L)
    m, x, y, g = reals("m x y gamma")
    proof.leaf("0 < lambda", [m > 0, m <= x], 0 < x, m=mu, x=p.lam)
    proof.leaf("gamma lambda <= 1", [g >= 0, x <= y, g * y <= 1], g * x <= 1, gamma=gamma, x=p.lam, y=L)
    for small, large in ((p.lam, L), (mu, p.lam)):
        powers_fall(proof, gamma, s.K, small, large)
        phi_grows(proof, gamma, s.K, small, large)
    rest = np.stack([mu * 0, *((1 - gamma * mu) ** k for k in range(1, s.K))], -1)
    proof.cross(sums, "the powers after the first", low=rest * 0, high=rest)
    proof.leaf("phi_mu > 0", [m > 0, x >= 0], 0 < m * (1 + x), m=mu, x=rest.sum(axis=-1))


def distances(proof: Derivation, s: Instance) -> Any:
    """sqrt(sum w_i |x* - c_i|^2) <= sigma_c (1 + sigma_A / mu), by x* - E c = -A^-1 sum w_i (A_i - A)(c_i - E c)."""
    p, nb = s.p, s.p.nb
    A = p.A
    proof.cross(averages, "A >= mu", p=p, values=p.lam, low=p.mu, high=p.L)
    apart = A - p.mean(A)[..., None, :, :]
    proof.cross(cauchy_schwarz, "|sum w_i (A_i - A)(c_i - E c)| <= sigma_A sigma_c", nb=nb, w=p.w, M=apart, v=p.away)
    moved = p.mean((apart @ p.away[..., None])[..., 0])
    proof.cross(inverse, "|x* - E c|", nb=nb, M=p.mean(A), v=moved, low=p.mu)
    centre = np.broadcast_to((p.minimizer - p.mean(p.c))[..., None, :], p.c.shape)
    proof.cross(minkowski, "from x* by way of E c", nb=nb, w=p.w, u=-p.away, v=centre)
    b, c, e, far, mu, size = reals("b c e far mu size")
    away = nb.length(p.minimizer - p.mean(p.c))
    proof.leaf(
        "distances", [mu > 0, e <= b * c, far <= e / mu], c + far <= c * (1 + b / mu),
        b=p.sigma_A, c=p.sigma_c, e=nb.length(moved), far=away, mu=p.mu,
    )  # fmt: skip
    total = nb.sqrt(p.mean(((p.minimizer[..., None, :] - p.c) ** 2).sum(axis=-1)))
    proof.leaf("distances", [size <= c + far, c + far <= e], size <= e, size=total, c=p.sigma_c, far=away,
               e=p.sigma_c * (1 + p.sigma_A / p.mu))  # fmt: skip
    return total
