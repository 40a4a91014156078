"""LA (66): the special case of full gradients."""

from theorems.local_adaptivity.common import WEIGHTS, between, matrices, noncommutative
from theorems.vocabulary import *


def instance(cursor: Cursor, n: int, d: int, tau: int, T: int, top: int = 2) -> Instance:
    """Quadratic clients with L = 1, eta = top u / (mu + L), and a direction x^(0) - x~ of length 1."""
    p = clients(cursor, n, d, weighted=True, least_mu=Fraction(1, 100))
    t, eta = cursor.take(), top * cursor.take() / (p.mu + p.L)
    start = [(1 - t * t) / (1 + t * t), 2 * t / (1 + t * t)] if d == 2 else [t * 0 + 1]
    return Instance(nb=cursor.nb, p=p, eta=eta, start=tuple(start), tau=tau, T=T)


def printed(s: Instance) -> list[Comparison]:
    r"""(66)

    \|x^{(T)}-\tilde x\|^2\le(1-\eta\mu)^{2\tau T}\|x^{(0)}-\tilde x\|^2

    alpha = 1: x^(t+1) - x~ = mean((I - eta H_i)^tau) (x^(t) - x~).
    """
    K = s.p.hessian((1 - s.eta[..., None, None] * s.p.lam) ** s.tau)
    e = np.stack(s.start, -1)[..., None]
    for _ in range(s.T):
        e = K @ e
    return [that("(66)", (e[..., 0] ** 2).sum(axis=-1)) <= (1 - s.eta * s.p.mu) ** (2 * s.tau * s.T)]


def prove() -> None:
    """z3: |1 - eta lam| <= 1 - eta mu for every eigenvalue when eta (mu + L) <= 2, so each A_i has Lipschitz constant
    (1 - eta mu)^tau, and so has their mean; T rounds by induction. With a common fixed point every A_i, hence their
    mean, fixes it.
    """
    lam, mu, L, eta = reals("lam mu L eta")
    given = [0 < mu, mu <= lam, lam <= L, eta >= 0, eta * (mu + L) <= 2]
    smt(given, both(1 - eta * lam <= 1 - eta * mu, -(1 - eta * mu) <= 1 - eta * lam))
    x, c, K = matrices("x c K")
    noncommutative((K * (x - c) + c - c, K * (x - c)))


def _small(s: Instance) -> list[Comparison]:
    return [that(s.eta * (s.p.mu + s.p.L)) <= s.eta * 0 + 2, that("sign", s.eta) >= s.eta * 0]


CHOICES = grid(n=(1, 2, 3), d=(1, 2), tau=(1, 3), T=(1, 2, 5))

STATEMENT = Statement(
    kind="upper bound",
    location="(66), Appendix C",
    says="With full gradients, alpha = 1 and equal eta, tau, mu, L: ||x^(T) - x~||^2 <= (1 - eta mu)^(2 tau T) "
    "||x^(0) - x~||^2; x~ = x* if all A_i share their fixed point.",
    reading="eta (mu + L) <= 2, as in Appendix B.2. Quadratic clients (the proof covers all strongly convex ones).",
    domain=Domain(instance, CHOICES, "one to three quadratic clients in d <= 2, eta <= 2/(mu + L)"),
    hypotheses=(
        WEIGHTS,
        between("mu > 0", lambda s: s.p.mu, 0, role="x~ and x* exist"),
        Hypothesis(
            "0 <= eta <= 2/(mu + L)",
            _small,
            Domain(lambda c, **k: instance(c, top=4, **k), CHOICES, "eta up to 4/(mu + L)"),
        ),
    ),
    printed=claim_of(printed, prove=prove),
    note="Section 4 states h_i = (1 - eta mu)^(2k) without the condition on eta, which Appendix B.2 has.",
)
