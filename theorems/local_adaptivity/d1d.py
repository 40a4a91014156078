"""LA section 4: a common preconditioner makes convergence depend on the condition numbers of P H_i, in many rounds."""

from theorems.local_adaptivity.common import WEIGHTS, between
from theorems.vocabulary import *


def instance(cursor: Cursor, n: int, d: int, turned: bool) -> Instance:
    """P = I, tau = 1, d = 2. ``turned``: the second client's Hessian is the first's, turned by a right angle."""
    p = clients(cursor, n, d, same="A", least_mu=Fraction(1, 50))
    if turned:
        R = p.R.copy()
        R[:, 1] = R[:, 1][..., ::-1]
        p = type(p)(p.nb, p.lam, R, p.c, p.w)
    return Instance(nb=cursor.nb, p=p, turned=str(turned))


def common(cursor: Cursor, n: int, d: int) -> Instance:
    """Any clients, and P = C C^T with a frame of its own; P H_i has the spectrum of C^T H_i C."""
    p = clients(cursor, n, d, weighted=True, least_mu=Fraction(1, 50))
    q = clients(cursor, 1, d, least_mu=Fraction(1, 50))
    return Instance(nb=cursor.nb, p=p, C=q.R[:, 0] * q.lam)


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

    mu, L: the extreme eigenvalues of all P H_i.
    """
    turned = [np.swapaxes(s.C, -1, -2) @ A @ s.C for A in (s.p.A[:, i] for i in range(s.p.n))]
    spectra = np.stack([s.nb.eigenvalues(S) for S in turned], 1)
    mean = s.nb.eigenvalues(s.p.mean(np.stack(turned, 1)))
    mu, L = s.nb.smallest(spectra, 2), s.nb.largest(spectra, 2)
    return [that("condition number", mean[..., -1] / mean[..., 0]) <= L / mu]


def prove() -> None:
    """z3: The spectrum of a mean of symmetric matrices (C^T H_i C with P = C C^T) lies within their extremes, and (high
    - low)/(high + low) grows with high/low; it is what the best rate alpha eta = 2/(high + low) reaches in the P^-1
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
    hypotheses=(
        WEIGHTS,
        between("H_i > 0", lambda s: s.p.lam.reshape(len(s.p.lam), -1), 0, role="condition numbers are of H_i > 0"),
        Hypothesis("condition numbers above 1", _conditioned, role="else one round suffices, for every client"),
    ),
    printed=claim_of(printed),
    corrected=claim_of(
        corrected,
        prove=prove,
        domain=Domain(common, grid(n=(2, 3), d=(1, 2)), "two or three clients in d <= 2 with any common P"),
    ),
    note="True where P sum w H_i is not a multiple of the identity, which is what is missing. Two clients diag(1, m) "
    "and diag(m, 1) average to a multiple of I: one round, however ill-conditioned each is. In d = 1 one round always "
    "suffices.",
)
