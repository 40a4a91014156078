"""LA's quadratic example in any dimension: Hessians and preconditioners with frames of their own, steps one by one."""

from theorems.local_adaptivity.common import positives
from theorems.vocabulary import *


def preconditioned(cursor: Cursor, tau: tuple[int, ...], d: int) -> Instance:
    """Hessians ``p``, preconditioners ``q`` with spectra in (0, 1], and rates in (0, 1]."""
    n = len(tau)
    p, q = clients(cursor, n, d, weighted=True), clients(cursor, n, d, same="c")
    return Instance(nb=cursor.nb, n=n, d=d, tau=tau, steps=str(tau), p=p, q=q, eta=positives(cursor, n, 1e-2))


def _positive(s: Instance) -> list[Comparison]:
    letters = (("H_i", s.p.lam), ("P_i", s.q.lam), ("eta_i", s.eta[..., None]))
    return [
        that(f"{name} {i}{k}", x[:, i, k]) > x[:, i, k] * 0
        for name, x in letters
        for i in range(x.shape[1])
        for k in range(x.shape[2])
    ]


POSITIVE = Hypothesis(
    "H_i, P_i, eta_i > 0", _positive, role="Hessians and preconditioners are positive definite, rates positive"
)


def played(s: Instance, i: int, start: Any) -> Any:
    """A_i(start): tau_i steps of preconditioned gradient descent, one by one; start (batch, d)."""
    H, P, y = s.p.A[:, i], s.q.A[:, i], start
    for _ in range(s.tau[i]):
        step = (P @ (H @ (y - s.p.c[:, i])[..., None]))[..., 0]
        y = y - s.eta[:, i][..., None] * step
    return y
