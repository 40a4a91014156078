"""LA's quadratic example in any dimension: Hessians and preconditioners with frames of their own, steps one by one."""

from theorems.bridges.matrices import determinant
from theorems.local_adaptivity.common import identity_like, positives
from theorems.vocabulary import *


def preconditioned(cursor: Cursor, tau: tuple[int, ...], d: int) -> Instance:
    """Hessians ``p``, preconditioners with eigenvalues P in (0, 1] and frames of their own, rates in (0, 1]."""
    n = len(tau)
    p, q = clients(cursor, n, d, weighted=True), clients(cursor, n, d, same="c")
    eta, frames = positives(cursor, n, 1e-2), Instance(R=q.R)
    return Instance(nb=cursor.nb, n=n, d=d, tau=tau, steps=str(tau), p=p, P=q.lam, frames=frames, eta=eta)


def fast_clients(cursor: Cursor, tau: tuple[int, ...], d: int) -> Instance:
    """The same with rates up to 4."""
    s = preconditioned(cursor, tau, d)
    s.eta = 4 * s.eta
    return s


def preconditioners(s: Instance) -> Population:
    """The P_i, with the clients' weights."""
    return Population(s.nb, s.P, s.frames.R, s.p.c, s.p.w)


def _positive(s: Instance) -> list[Comparison]:
    letters = (("H_i", s.p.lam), ("P_i", s.P), ("eta_i", s.eta[..., None]))
    return [
        that(f"{name} {i}{k}", x[:, i, k]) > x[:, i, k] * 0
        for name, x in letters
        for i in range(x.shape[1])
        for k in range(x.shape[2])
    ]


POSITIVE = Hypothesis(
    "H_i, P_i, eta_i > 0", _positive, role="Hessians and preconditioners are positive definite, rates positive"
)


def _invertible(name: str, M: Callable[[Instance], Any], role: str) -> Hypothesis:
    def holds(s: Instance) -> list[Comparison]:
        size = s.nb.abs(determinant(s.p.mean(M(s))))
        return [that("det", size) > size * 0]

    return Hypothesis(name, holds, role=role)


PULLS = _invertible("sum w [I - K_i] is invertible", lambda s: pulls(s), "x~ inverts it")
LIMIT = _invertible("sum w gamma_i tau_i P_i H_i is invertible", lambda s: first_order(s) @ s.p.A, "(8) inverts it")


def played(s: Instance, i: int, start: Any) -> Any:
    """A_i(start): tau_i steps of preconditioned gradient descent, one by one; start (batch, d)."""
    H, P, y = s.p.A[:, i], preconditioners(s).A[:, i], start
    for _ in range(s.tau[i]):
        step = (P @ (H @ (y - s.p.c[:, i])[..., None]))[..., 0]
        y = y - s.eta[:, i][..., None] * step
    return y


def apply(M: Numbers, v: Numbers) -> Any:
    """M v, over leading axes."""
    return (M @ v[..., None])[..., 0]


def steps(s: Instance) -> Any:
    """Z_i = eta_i P_i H_i, (batch, n, d, d)."""
    return s.eta[..., None, None] * (preconditioners(s).A @ s.p.A)


def pulls(s: Instance) -> Any:
    """I - K_i = I - (I - Z_i)^tau_i."""
    Z = steps(s)
    return np.stack([identity_like(Z[:, i]) - _power(Z[:, i], t) for i, t in enumerate(s.tau)], 1)


def weightings(s: Instance) -> Any:
    """M_i = [I - K_i] H_i^-1 = eta_i sum_(k < tau_i) (I - Z_i)^k P_i."""
    Z, P = steps(s), s.eta[..., None, None] * preconditioners(s).A
    totals = []
    for i, t in enumerate(s.tau):
        total = term = P[:, i]
        for _ in range(t - 1):
            term = term - Z[:, i] @ term
            total = total + term
        totals.append(total)
    return np.stack(totals, 1)


def first_order(s: Instance) -> Any:
    """eta_i tau_i P_i: M_i to first order in the rates, gamma_i tau_i P_i in (8)."""
    count = np.array(s.tau, dtype=object if s.nb.exact else float)
    return (s.eta * count)[..., None, None] * preconditioners(s).A


def rest(s: Instance, M: Numbers) -> Any:
    """(sum w M_i)^-1 sum w M_i c_i."""
    return s.nb.solve(s.p.mean(M), s.p.mean(apply(M, s.p.c)))


def slopes(s: Instance, x: Numbers) -> Any:
    """grad F_i(x), (batch, n, d)."""
    return apply(s.p.A, x[..., None, :] - s.p.c)


def _power(Z: Numbers, t: int) -> Any:
    K = unit = identity_like(Z)
    for _ in range(t):
        K = (unit - Z) @ K
    return K


def _short(s: Instance) -> list[Comparison]:
    sizes = s.eta * s.nb.largest(s.P) * s.nb.largest(s.p.lam)
    return [that(f"client {i + 1}", sizes[:, i]) <= sizes[:, i] * 0 + 1 for i in range(s.n)]


def short_steps(without: Domain) -> Hypothesis:
    """eta_i |P_i| |H_i| <= 1."""
    return Hypothesis("eta_i |P_i| |H_i| <= 1", _short, without)
