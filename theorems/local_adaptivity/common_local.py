"""LA Theorem 3's runs: local correction (96) to (98) on quadratics in any dimension, B_i^(k) that commute."""

from typing import NamedTuple

from theorems.local_adaptivity.common import positive
from theorems.local_adaptivity.common_matrices import apply
from theorems.vocabulary import *


def corrected_clients(cursor: Cursor, tau: int, n: int, T: int, d: int) -> Instance:
    """Hessians ``p``; B_i^(k) has eigenvalues B in (0, 1] in client i's frame, the same in every round.

    ``root`` is eta tau of the second rate of (99) where G allows it; G is then as large as that rate says.
    """
    p, frames = clients(cursor, n, d, weighted=True), Instance(R=clients(cursor, n, d, same="c").R)
    p = replace(p, lam=p.lam * 4 * positive(cursor, 1e-2)[..., None, None])
    B = np.stack([_positives(cursor, n, d) for _ in range(tau)], 2)
    x = np.stack([4 * cursor.take() - 2 for _ in range(d)], -1)
    slack, root = 1 + cursor.take(), 4 * positive(cursor, 1e-2)
    return Instance(
        nb=cursor.nb, n=n, tau=tau, T=T, d=d, p=p, frames=frames, B=B, x=x, slack=slack, root=root, cap=slack * 0 + 1
    )


def _positives(cursor: Cursor, n: int, d: int) -> Any:
    """(batch, n, d), entries in (0, 1]."""
    return np.stack([np.stack([positive(cursor, 1e-2) for _ in range(d)], -1) for _ in range(n)], 1)


def normalised(s: Instance) -> Any:
    """Eigenvalues of tau A_i^(k) = tau (sum_k B_i^(k))^-1 B_i^(k), (batch, n, tau, d)."""
    return s.tau * s.B / s.B.sum(axis=2)[:, :, None]


def framed(s: Instance, i: int, k: int, values: Numbers) -> Any:
    """The matrix with these eigenvalues (batch, n, tau, d) in client i's frame at step k."""
    R = s.frames.R[:, i]
    return (R * values[:, i, k][..., None, :]) @ np.swapaxes(R, -1, -2)


def gap(s: Instance, x: Numbers) -> Any:
    """F(x) - F_inf."""
    y = x - s.p.minimizer
    return (y * apply(s.p.mean(s.p.A), y)).sum(axis=-1) / 2


def Lambda(s: Instance) -> Any:
    """The least bound of tau |A_i^(k)|."""
    return s.nb.largest(normalised(s), 3)


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
    met = (s.slack * s.nb.largest(s.B, 3) * s.p.L) ** 2 * ((high - low) ** 2).sum(axis=-1)
    D, scale = gap(s, s.x), s.p.L**2 * Lambda(s) * s.T
    q = s.nb.minimum(s.root, D / (scale * met * s.root**2))  # q^3 <= D/(scale met), as q^3 <= root^2 q
    return Rates(D, Lambda(s), q, s.nb.minimum(s.cap / s.p.L, q), D / (scale * q**3))


class Round(NamedTuple):
    """One round from x: per client the points y_k, gradients and preconditioned gradients of its steps; then x+."""

    x: Any
    points: list[list[Any]]
    gradients: list[list[Any]]
    moved: list[list[Any]]
    h: Any  # h_i = sum_k A_i^(k) grad F_i(y_k), (batch, n, d)
    after: Any


def rounds(s: Instance) -> list[Round]:
    """T rounds of (96) to (98)."""
    y, A, x, found = rates(s).y[..., None], s.p.A, s.x, []
    scaled, B = normalised(s), [[framed(s, i, k, s.B) for k in range(s.tau)] for i in range(s.n)]
    weights = [[framed(s, i, k, scaled) for k in range(s.tau)] for i in range(s.n)]
    for _ in range(s.T):
        played = [_steps(s, i, x, y / s.tau, A[:, i], B[i]) for i in range(s.n)]
        points, gradients, moved = ([each[j] for each in played] for j in range(3))
        parts = [[apply(M, g) / s.tau for M, g in zip(weights[i], gradients[i], strict=True)] for i in range(s.n)]
        means = [sum(part[1:], start=part[0]) for part in parts]
        h = np.stack(means, 1)
        found.append(Round(x, points, gradients, moved, h, x - y * s.p.mean(h)))
        x = found[-1].after
    return found


def _steps(s: Instance, i: int, x: Any, eta: Any, A: Any, B: list[Any]) -> tuple[list[Any], list[Any], list[Any]]:
    """Points, gradients and preconditioned gradients of client i's steps from x."""
    y, points, gradients, moved = x, [x], [], []
    for M in B:
        gradients.append(apply(A, y - s.p.c[:, i]))
        moved.append(apply(M, gradients[-1]))
        y = y - eta * moved[-1]
        points.append(y)
    return points[:-1], gradients, moved


def gradient(s: Instance, x: Numbers) -> Any:
    """grad F(x)."""
    return s.p.mean(apply(s.p.A, x[..., None, :] - s.p.c))
