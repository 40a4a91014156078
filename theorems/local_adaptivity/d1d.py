"""LA section 4: a common preconditioner makes convergence depend on the condition numbers of P H_i, in many rounds."""

from theorems.local_adaptivity.common import between
from theorems.vocabulary import *


def instance(cursor: Cursor, n: int, d: int, turned: bool) -> Instance:
    """P = I, tau = 1, d = 2. ``turned``: the second client's Hessian is the first's, turned by a right angle."""
    p = clients(cursor, n, d, same="A", least_mu=Fraction(1, 50))
    if turned:
        R = p.R.copy()
        R[:, 1] = R[:, 1][..., ::-1]
        p = type(p)(p.nb, p.lam, R, p.c, p.w)
    return Instance(nb=cursor.nb, p=p, turned=str(turned))


def _ends(s: Instance) -> tuple[Any, Any]:
    values = s.nb.eigenvalues(s.p.hessian(s.p.lam))
    return values[..., 0], values[..., -1]


def printed(s: Instance) -> list[Comparison]:
    r"""the best contraction factor is positive

    \frac{\lambda_{\max}-\lambda_{\min}}{\lambda_{\max}+\lambda_{\min}}\big(P\textstyle\sum_iw_iH_i\big)>0

    (lam_max - lam_min)^2 of the mean Hessian: where it is 0, one rate reaches x~ in one round.
    """
    J = s.p.hessian(s.p.lam)
    apart = J[..., 0, 0] - J[..., 1, 1]  # squared by a product: python-flint's [0 +- r]**2 is nan
    spread = apart * apart + 4 * J[..., 0, 1] * J[..., 1, 0]
    return [that("more than one round", spread) > spread * 0]


def corrected(s: Instance) -> list[Comparison]:
    r"""what counts is the condition number of P sum w H_i, which the worst P H_i (their joint L/mu) bounds

    \kappa\big(P\textstyle\sum_iw_iH_i\big)\le L/\mu
    """
    low, high = _ends(s)
    return [that("condition number", high / low) <= s.p.L / s.p.mu]


def prove() -> None:
    """z3: The spectrum of the mean Hessian (of P^(1/2) H P^(1/2)) lies within the clients' extremes, and (high -
    low)/(high + low) grows with high/low; it is what the best rate alpha eta = 2/(high + low) reaches in the P^-1
    metric.
    """
    m, L, lo, hi = reals("m L lo hi")
    given = [0 < m, m <= lo, lo <= hi, hi <= L]
    smt(given, hi * m <= L * lo)
    smt(given, (hi - lo) * (L + m) <= (L - m) * (hi + lo))


def _conditioned(s: Instance) -> list[Comparison]:
    return [that("every P H_i is ill-conditioned", s.p.lam[:, 0, 1]) < s.p.lam[:, 0, 0]]


STATEMENT = Statement(
    kind="necessity",
    location="section 4, after (10)",
    says="If all clients use the same preconditioner P, convergence depends on the condition numbers of the P H_i and "
    "requires multiple rounds.",
    reading="tau = 1, P = I, two clients in d = 2, neither of condition number 1: no choice of rates converges in "
    "one round, that is the best contraction factor of I - alpha eta sum w H_i is positive.",
    severity="missing-hypothesis",
    domain=Domain(instance, grid(n=(2,), d=(2,), turned=(False, True)), "two clients in d = 2, equal up to a rotation"),
    hypotheses=(between("mu > 0", lambda s: s.p.mu, 0), Hypothesis("condition numbers above 1", _conditioned)),
    printed=claim_of(printed),
    corrected=claim_of(
        corrected,
        prove=prove,
        domain=Domain(instance, grid(n=(2, 3), d=(1, 2), turned=(False,)), "two or three clients, d <= 2"),
    ),
    note="True where P sum w H_i is not a multiple of the identity, which is what is missing. Two clients diag(1, m) "
    "and diag(m, 1) average to a multiple of I: one round, however ill-conditioned each is. In d = 1 one round always "
    "suffices.",
)
