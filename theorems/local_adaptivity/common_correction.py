"""LA Appendix F: matrices B_1..B_K and A = (sum B)^-1 B; runs of the local correction (98) in d = 1."""

from theorems.local_adaptivity.common import identity_like, places, positives, shares
from theorems.vocabulary import *


def vectors(cursor: Cursor, count: int, d: int) -> Any:
    """(batch, count, d), entries in [-1, 1]."""
    return np.stack([np.stack([1 - 2 * cursor.take() for _ in range(d)], -1) for _ in range(count)], -2)


def summands(cursor: Cursor, K: int, d: int, signs: bool = False) -> Instance:
    """K symmetric positive definite matrices (eigenvalues in (0, 1]) and K vectors; ``signs``: eigenvalues from -1."""
    p = clients(cursor, K, d, least_mu=Fraction(1, 1000))
    lam = 2 * p.lam - 1 if signs else p.lam
    return Instance(nb=cursor.nb, terms=K, d=d, lam=lam, B=p.spectral(lam), b=vectors(cursor, K, d))


def unit_sum(cursor: Cursor, K: int, d: int) -> Instance:
    """A_1..A_K with sum I: all but one with frames of their own and eigenvalues in (0, 1/K]."""
    p = clients(cursor, K, d, least_mu=Fraction(1, 1000))
    some = p.A[:, 1:] / K
    A = np.concatenate([(identity_like(p.A[:, 0]) - some.sum(axis=1))[:, None], some], 1)
    return Instance(nb=cursor.nb, terms=K, d=d, A=A, b=vectors(cursor, K, d))


def shares_of_sum(s: Instance) -> list[Any]:
    """A_k = (sum B)^-1 B_k of (97)."""
    S = s.B.sum(axis=1)
    return [solve_matrix(s.nb, S, s.B[:, k]) for k in range(s.terms)]


def _definite(s: Instance) -> list[Comparison]:
    found = []
    for i in range(s.terms):
        B = s.B[:, i]
        det = B[..., 0, 0] if s.d == 1 else B[..., 0, 0] * B[..., 1, 1] - B[..., 0, 1] * B[..., 1, 0]
        found += [that(f"{i} corner", B[..., 0, 0]) > det * 0, that(f"{i} det", det) > det * 0]
    return found


DEFINITE = Hypothesis("B_k > 0", _definite, role="Appendix F has them positive definite")


def solve_matrix(nb: Any, S: Any, B: Numbers) -> Any:
    """S^-1 B."""
    return np.stack([nb.solve(S, B[..., k]) for k in range(B.shape[-1])], -1)


def quadratic_form(x: Scalar, M: Scalar, y: Numbers) -> Any:
    """x^T M y for x, y (batch, d)."""
    return (x * (M @ y[..., None])[..., 0]).sum(axis=-1)


def corrected_run(cursor: Cursor, n: int, tau: tuple[int, ...], T: int) -> Instance:
    """Quadratic clients in d = 1 and step matrices B_i^(k) in (0, 1], the same in every round."""
    H, w, x = positives(cursor, n, 1e-2), shares(cursor, n), places(cursor, n)
    B = tuple(positives(cursor, t, 1e-2) for t in tau)
    start, slack = 4 * cursor.take() - 2, 1 + cursor.take()
    return Instance(nb=cursor.nb, n=n, tau=tau, steps=str(tau), T=T, H=H, w=w, x=x, B=B, start=start, slack=slack)


def steps_of(s: Instance, eta: tuple[Any, ...], alpha: Scalar) -> tuple[Any, Any, Any]:
    """(mean_t |grad F|^2, min_t |grad F|^2, largest |B grad F_i| met) over T rounds of (96)-(98)."""
    x, squares, largest = s.start, [], s.start * 0
    for _ in range(s.T):
        squares.append((s.w * s.H * (x[..., None] - s.x)).sum(axis=-1) ** 2)
        h = x * 0
        for i, t in enumerate(s.tau):
            y, total = x, x * 0
            for k in range(t):
                moved = s.B[i][:, k] * s.H[:, i] * (y - s.x[:, i])
                largest = s.nb.maximum(largest, s.nb.abs(moved))
                total, y = total + moved, y - eta[i] * moved
            h = h + s.w[:, i] * total / s.B[i].sum(axis=-1)
        x = x - alpha * h
    least = squares[0]
    for q in squares[1:]:
        least = s.nb.minimum(least, q)
    return sum(squares) / s.T, least, largest


def descent(s: Instance) -> tuple[Any, Any]:
    """(D, Lambda): F(x^(0)) - F_inf, and max tau_i B_i^(k) / sum_k B_i^(k)."""
    Hbar = (s.w * s.H).sum(axis=-1)
    centre = (s.w * s.H * s.x).sum(axis=-1) / Hbar
    ratios = [t * s.nb.largest(B) / B.sum(axis=-1) for t, B in zip(s.tau, s.B, strict=True)]
    top = ratios[0]
    for r in ratios[1:]:
        top = s.nb.maximum(top, r)
    return Hbar * (s.start - centre) ** 2 / 2, top
