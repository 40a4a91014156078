"""LA's quadratic example: preconditioned clients in d = 1 (closed forms, any tau) and d <= 2 (step by step)."""

from theorems.local_adaptivity.common import between, places, positives, shares
from theorems.vocabulary import *


def scalar_clients(cursor: Cursor, tau: tuple[int, ...]) -> Instance:
    """d = 1: curvatures H, preconditioners P, rates eta in (0, 1], minimizers x in [-1, 1], weights w, steps tau."""
    n = len(tau)
    H, P, eta = (positives(cursor, n, 1e-3) for _ in range(3))
    x = places(cursor, n)
    return Instance(nb=cursor.nb, n=n, tau=tau, steps=str(tau), H=H, P=P, eta=eta, x=x, w=shares(cursor, n))


def scalar_domain(taus: Sequence[tuple[int, ...]], says: str) -> Domain:
    return Domain(lambda cursor, tau: scalar_clients(cursor, tau), tuple({"tau": t} for t in taus), says)


def _stable(s: Instance) -> list[Comparison]:
    found = []
    for i in range(s.n):
        z = s.eta[:, i] * s.P[:, i] * s.H[:, i]
        found.append(that(f"at most 1 {i}", z) <= z * 0 + 1)
    return found


POSITIVE = between(
    "H_i, P_i, eta_i > 0",
    lambda s: np.concatenate([s.H, s.P, s.eta], -1),
    0,
    role="Hessians and preconditioners are positive definite, rates positive (section 4)",
)
STABLE = Hypothesis("eta_i P_i H_i <= 1", _stable)


def _sums(s: Instance, power: Scalar) -> Any:
    """Per client sum_{k < tau_i} (1 - eta_i P_i H_i)^k, times ``power``."""
    z = s.eta * s.P * s.H
    return np.stack([s.nb.geometric(z[..., i], t) for i, t in enumerate(s.tau)], -1) * power


def weighting(s: Instance) -> Any:
    """M_i = [1 - (1 - eta_i P_i H_i)^tau_i] / H_i."""
    return _sums(s, s.eta * s.P)


def limit_weights(s: Instance) -> Any:
    """gamma_i tau_i P_i, with the rates themselves for gamma_i."""
    return s.eta * s.P * np.array(s.tau, dtype=object if s.nb.exact else float)


def minimizer(s: Instance) -> Any:
    return _mean(s, s.H, s.x)


def gradients(s: Instance, y: Numbers) -> Any:
    """grad F_i(y)."""
    return s.H * (y[..., None] - s.x)


def _mean(s: Instance, weights: Scalar, x: Scalar) -> Any:
    return (s.w * weights * x).sum(axis=-1) / (s.w * weights).sum(axis=-1)


def matrix_clients(cursor: Cursor, tau: tuple[int, ...], d: int) -> Instance:
    """d <= 2: Hessians H_i and preconditioners P_i with spectra in (0, 1] and frames of their own; eta_i <= 4."""
    n = len(tau)
    p = clients(cursor, n, d, weighted=True, least_mu=Fraction(1, 50))
    q = clients(cursor, n, d, least_mu=Fraction(1, 50))
    eta = 4 * positives(cursor, n, 1e-3)
    return Instance(nb=cursor.nb, n=n, d=d, tau=tau, steps=str(tau), p=p, P=q.A, eta=eta)


DEFINITE = between(
    "H_i > 0",
    lambda s: s.p.lam.reshape(len(s.eta), -1),
    0,
    role="section 4's example; x_i* = H_i^-1 e_i",
)


def played(s: Instance, i: int, start: Any) -> Any:
    """A_i(start): tau_i steps of preconditioned gradient descent, one by one; start (batch, d)."""
    H, y = s.p.A[:, i], start
    for _ in range(s.tau[i]):
        step = (s.P[:, i] @ (H @ (y - s.p.c[:, i])[..., None]))[..., 0]
        y = y - s.eta[:, i][..., None] * step
    return y
