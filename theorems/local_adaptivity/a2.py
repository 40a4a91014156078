"""LA section 5: does global correction leave the fixed point?"""

from itertools import combinations

from theorems.bridges import averages, averages_norm, extremes, inverse, inverse_at_least, random_sample, triangle
from theorems.local_adaptivity.common import WEIGHTS
from theorems.local_adaptivity.common_matrices import POSITIVE, played, preconditioned
from theorems.vocabulary import *


def instance(cursor: Cursor, n: int, drawn: int, tau: int, d: int) -> Instance:
    """Quadratic clients with preconditioners of their own, ``drawn`` of them a round, and a point x."""
    s = preconditioned(cursor, (tau,) * n, d)
    s.drawn, s.x = drawn, np.stack([2 * cursor.take() - 1 for _ in range(d)], -1)
    s.eta = 4 * s.eta
    return s


def spectra(s: Instance) -> Any:
    """Eigenvalues of N_i = eta_i tau_i P_i, the sum of the B_i^(k)."""
    return (s.eta * np.array(s.tau, dtype=object if s.nb.exact else float))[..., None] * s.P


def server_matrices(s: Instance) -> Population:
    """Eigenvalues 1/nu of N_i^-1, in the frames of the P_i, with the weights of the clients."""
    return Population(s.nb, 1 / spectra(s), s.frames.R, s.p.c, s.p.w)


def normalised(s: Instance) -> Any:
    """w_i N_i^-1 (x - A_i(x)), (batch, n, d)."""
    change = np.stack([s.x - played(s, i, s.x) for i in range(s.n)], -2)
    return s.p.w[..., None] * (server_matrices(s).A @ change[..., None])[..., 0]


def corrected(s: Instance) -> Any:
    """N_s^-1 times the mean over all samples of n/m times the sum of what the drawn clients send."""
    sent, samples = normalised(s), list(combinations(range(s.n), s.drawn))
    mean = sum(sent[:, i] for S in samples for i in S) * s.n / (s.drawn * len(samples))
    N = server_matrices(s)
    return s.nb.solve(N.hessian(N.lam), mean)


def printed(s: Instance) -> list[Comparison]:
    r"""the pseudo-gradient of global correction vanishes where that of local correction does, and only there

    v=\sum_iw_iN_i^{-1}[x-\mathcal{A}_i(x)],\ N_s=\sum_iw_iN_i^{-1}:\quad\|N_s^{-1}v\|\le\max_i\|N_i\|\,\|v\|,\quad%
      \|v\|\le\max_i\|N_i^{-1}\|\,\|N_s^{-1}v\|
    """
    local, everywhere = (s.nb.length(v) for v in (normalised(s).sum(axis=-2), corrected(s)))
    return [
        that("0 where local correction's is", everywhere) <= s.nb.largest(spectra(s), 2) * local,
        that("and only there", local) <= s.nb.largest(1 / spectra(s), 2) * everywhere,
    ]


def derive(proof: Derivation, s: Instance) -> None:
    """The spectrum of N_s = sum w_i N_i^-1 lies between the extremes of those of the N_i^-1, above 0."""
    nb, N, nu = s.nb, server_matrices(s), spectra(s)
    a, b, t, lam = reals("a b tau lam")
    steps = np.array([nb.number(t) for t in s.tau], dtype=object)[:, None]
    proof.setting("tau >= 1", s.tau[0], 1)
    proof.leaf("nu = eta tau lam > 0", [0 < a, t >= 1, 0 < lam], 0 < a * t * lam,
               a=s.eta[..., None], tau=steps, lam=s.P)  # fmt: skip
    least, most = nb.smallest(1 / nu, 2), nb.largest(1 / nu, 2)
    proof.cross(extremes, "of all clients", nb=nb, x=(1 / nu).reshape(*nu.shape[:-2], -1))
    proof.leaf("1/nu > 0", [0 < a], 0 < 1 / a, a=nu)
    proof.leaf("-max 1/nu <= 1/nu", [0 < a, a <= b], -b <= a, a=1 / nu, b=most[..., None, None])
    proof.cross(averages, "N_s", p=N, values=N.lam, low=least, high=most)
    proof.cross(averages_norm, "|N_s|", p=N, values=N.lam, most=most)
    sent, matrix = normalised(s), N.hessian(N.lam)
    proof.cross(random_sample, "the drawn clients stand for all", values=sent, M=s.drawn)
    proof.cross(inverse, "N_s^-1", nb=nb, M=matrix, v=sent.sum(axis=-2), low=least)
    proof.cross(inverse_at_least, "N_s", nb=nb, M=matrix, v=sent.sum(axis=-2), low=least)
    u, w, c = reals("u w c")
    proof.cross(triangle, "a length", nb=nb, vectors=[corrected(s)])
    proof.leaf("and only there", [w <= c * u, c <= b, 0 <= u], w <= b * u,
               w=nb.length(sent.sum(axis=-2)), c=nb.opnorm(matrix), u=nb.length(corrected(s)), b=most)  # fmt: skip


CHOICES = tuple(
    {"n": n, "drawn": m, "tau": t, "d": d}
    for d in (1, 2)
    for n, m in ((1, 1), (2, 2), (2, 1), (3, 3), (3, 2), (3, 1))
    for t in (1, 2, 10)
)

STATEMENT = Statement(
    kind="convergence",
    location="section 5, global correction",
    says="With N_s = sum w_i N_i^-1, or any N_s that does not depend on the client index, global correction rests "
    "where local correction rests.",
    reading="Section 5's own N_s, over all clients. Rest: the (expected) pseudo-gradient vanishes. All clients take "
    "part, or some are drawn uniformly while N_s stays that of all. Instances: quadratics with fixed P_i, N_i = eta_i "
    "tau_i P_i. Algorithm 1 forms N_s from the drawn clients instead: LA.A2c.",
    headline=True,
    domain=Domain(instance, CHOICES, "one to three weighted clients in d <= 2 at any point, all or some drawn"),
    hypotheses=(POSITIVE, WEIGHTS),
    printed=claim_of(printed, derive=derive),
    note="The derivation uses nothing of the clients but that their N_i are positive definite. The server needs N_i of "
    "all clients, drawn or not, or an N_s that is independent of the draw.",
)
