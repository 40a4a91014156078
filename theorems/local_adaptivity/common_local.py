"""LA Theorem 3's runs: local correction (96) to (98) on smooth losses in any dimension, symmetric A_i^(k)."""

from typing import NamedTuple

from theorems.bridges.vectors import dented
from theorems.local_adaptivity.common import positive
from theorems.local_adaptivity.common_correction import unit_sum
from theorems.local_adaptivity.common_matrices import apply
from theorems.vocabulary import *


def corrected_clients(
    cursor: Cursor, tau: int, n: int, T: int, d: int, wells: bool = False, unit: bool = False
) -> Instance:
    """Hessians ``p`` at the minimizers; B_i^(k) in a frame of client i, or ``unit``: with a multiple of I as their sum.

    Losses are quadratics, or ``wells``: bounded by theta, and then not convex.
    ``root`` is eta tau of the second rate of (99) where G allows it; G is then as large as that rate says.
    """
    p = clients(cursor, n, d, weighted=True)
    p = replace(p, lam=p.lam * 4 * positive(cursor, 1e-2)[..., None, None])
    B = np.stack([(unit_sums if unit else framed)(cursor, tau, d) for _ in range(n)], 1)
    x = np.stack([4 * cursor.take() - 2 for _ in range(d)], -1)
    slack, root = 1 + cursor.take(), 4 * positive(cursor, 1e-2)
    theta, reach = (positive(cursor), positive(cursor, 1e-2)) if wells else (slack * 0, slack * 0 + 1)
    return Instance(
        nb=cursor.nb, n=n, tau=tau, T=T, d=d, p=p, B=B, x=x, slack=slack, root=root, cap=slack * 0 + 1,
        theta=theta, reach=reach, wells=str(wells),
    )  # fmt: skip


def framed(cursor: Cursor, tau: int, d: int) -> Any:
    """tau matrices with one frame and eigenvalues in (0, 1], (batch, tau, d, d)."""
    R = clients(cursor, 1, d, same="c").R
    values = np.stack([np.stack([positive(cursor, 1e-2) for _ in range(d)], -1) for _ in range(tau)], 1)
    return (R * values[..., None, :]) @ np.swapaxes(R, -1, -2)


def unit_sums(cursor: Cursor, tau: int, d: int) -> Any:
    """tau matrices with frames of their own, whose sum is a number in (0, 1] times I."""
    return unit_sum(cursor, tau, d).A * positive(cursor, 1e-2)[..., None, None, None]


def shares(s: Instance) -> Any:
    """A_i^(k) = (sum_k B_i^(k))^-1 B_i^(k), (batch, n, tau, d, d)."""
    columns = [s.B[..., j] for j in range(s.d)]
    S = np.broadcast_to(s.B.sum(axis=2)[:, :, None], s.B.shape)
    return np.stack([s.nb.solve(S, column) for column in columns], -1)


def _bent(s: Instance, z: Numbers) -> tuple[Any, Any]:
    """Losses and slopes of coordinates (batch, n, d) about the minimizers."""
    return dented(z, s.theta[:, None, None], s.reach[:, None, None])


def height(s: Instance, x: Numbers) -> Any:
    """F(x)."""
    return s.p.mean((s.p.lam * _bent(s, s.p.turned(x))[0]).sum(axis=-1))


def slopes(s: Instance, x: Numbers) -> Any:
    """grad F_i(x_i), (batch, n, d), of one point (batch, d) or one a client (batch, n, d)."""
    z = x if x.ndim == 3 else x[:, None]
    turned = (np.swapaxes(s.p.R, -1, -2) @ (z - s.p.c)[..., None])[..., 0]
    return apply(s.p.R, s.p.lam * _bent(s, turned)[1])


def lowest(s: Instance) -> Any:
    """F_inf of quadratics; 0 is below any sum of wells."""
    return s.theta * 0 if s.wells == "True" else height(s, s.p.minimizer)


def gap(s: Instance, x: Numbers) -> Any:
    """F(x) - F_inf."""
    return height(s, x) - lowest(s)


def Lambda(s: Instance) -> Any:
    """The least bound of tau |A_i^(k)|."""
    return s.tau * s.nb.largest(s.nb.opnorm(shares(s)), 2)


class Rates(NamedTuple):
    """D = F(x^(0)) - F_inf, Lambda, q = (D / (L^2 Lambda G^2 T))^(1/3), y = eta tau = min(1/L, q), G^2."""

    D: Any
    Lambda: Any
    q: Any
    y: Any
    G2: Any


def rates(s: Instance) -> Rates:
    """q is ``root``, or less, so that G is at least about what a run can meet."""
    points = np.concatenate([s.p.c, s.x[:, None]], axis=1)
    low, high = (each(np.swapaxes(points, -1, -2)) for each in (s.nb.smallest, s.nb.largest))
    met = (s.slack * s.nb.largest(s.nb.opnorm(s.B), 2) * s.p.L) ** 2 * ((high - low) ** 2).sum(axis=-1)
    D, scale = gap(s, s.x), s.p.L**2 * Lambda(s) * s.T
    q = s.nb.minimum(s.root, D / (scale * met * s.root**2))  # q^3 <= D/(scale met), as q^3 <= root^2 q
    return Rates(D, Lambda(s), q, s.nb.minimum(s.cap / s.p.L, q), D / (scale * q**3))


class Round(NamedTuple):
    """One round from x: points y_k, gradients and preconditioned gradients of each step, (batch, n, d); then x+."""

    x: Any
    points: list[Any]
    gradients: list[Any]
    moved: list[Any]
    h: Any  # h_i = sum_k A_i^(k) grad F_i(y_k), (batch, n, d)
    after: Any


def rounds(s: Instance) -> list[Round]:
    """T rounds of (96) to (98); all clients step at once."""
    y, x, found = rates(s).y[:, None, None], s.x, []
    weights = shares(s)
    for _ in range(s.T):
        z, points, gradients, moved = x[:, None] + s.p.c * 0, [], [], []
        for k in range(s.tau):
            points.append(z)
            gradients.append(slopes(s, z))
            moved.append(apply(s.B[:, :, k], gradients[-1]))
            z = z - y / s.tau * moved[-1]
        parts = [apply(weights[:, :, k], g) for k, g in enumerate(gradients)]
        h = sum(parts[1:], start=parts[0])
        found.append(Round(x, points, gradients, moved, h, x - y[:, 0] * s.p.mean(h)))
        x = found[-1].after
    return found


def gradient(s: Instance, x: Numbers) -> Any:
    """grad F(x)."""
    return s.p.mean(slopes(s, x))
