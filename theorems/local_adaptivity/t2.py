"""LA Theorem 2: the fixed point of preconditioned clients on quadratics, its limit, and that neither is x*."""

from theorems.bridges import matrix_laws
from theorems.local_adaptivity.common import WEIGHTS, coordinates
from theorems.local_adaptivity.common_matrices import (
    LIMIT,
    POSITIVE,
    PULLS,
    apply,
    first_order,
    played,
    preconditioned,
    pulls,
    rest,
    slopes,
    steps,
    weightings,
)
from theorems.local_adaptivity.lemmas import fixed_point, limit, local_changes, moved_by_gradients
from theorems.vocabulary import *


def remainder(s: Instance) -> Any:
    """rho_i = (1 + z_i)^tau_i - 1 - tau_i z_i with z_i = |eta_i P_i H_i|: step by step, without cancellation."""
    z = s.nb.opnorm(steps(s))
    columns = []
    for i, t in enumerate(s.tau):
        rho = z[:, i] * 0
        for k in range(t):
            rho = (1 + z[:, i]) * rho + k * z[:, i] * z[:, i]
        columns.append(rho)
    return np.stack(columns, -1)


def formulas(s: Instance) -> list[Comparison]:
    """x~ rests, and tends to (8): |J (x~ - lim)| <= sum w_i rho_i (|x~ - lim| + |lim - x_i*|), see the reading."""
    J = first_order(s) @ s.p.A
    x, far = rest(s, pulls(s)), rest(s, J)
    result = sum(s.p.w[:, i][..., None] * played(s, i, x) for i in range(s.n))
    spread = s.nb.length(x - far)[..., None] + s.nb.length(far[..., None, :] - s.p.c)
    bound = (s.p.w * remainder(s) * spread).sum(axis=-1)
    return [
        *coordinates("x~ = A(x~)", result, x),
        that("limit", s.nb.length(apply(s.p.mean(J), x - far))) <= bound,
    ]


def printed(s: Instance) -> list[Comparison]:
    r"""the formulas, and x~ != x*, lim != x*

    \tilde x=\Big(\sum_iw_i[I-K_i]\Big)^{-1}\sum_iw_i[(I-K_i)x_i^*]\ne x^*,\quad\lim_{\eta\to0}\tilde x=\Big(%
      \sum_iw_i\gamma_i\tau_iP_iH_i\Big)^{-1}\sum_iw_i\gamma_i\tau_iP_iH_ix_i^*\ne x^*
    """
    x, far = rest(s, pulls(s)), rest(s, first_order(s) @ s.p.A)
    gaps = [s.nb.length(y - s.p.minimizer) for y in (x, far)]
    return [
        *formulas(s),
        that("x~ is not x*", gaps[0]) > gaps[0] * 0,
        that("the limit is not x*", gaps[1]) > gaps[1] * 0,
    ]


def corrected(s: Instance) -> list[Comparison]:
    r"""the formulas hold where the averages are invertible, and sum w (I - K_i) (x~ - x*) = -sum w M_i grad F_i(x*): x~
    = x* exactly if these weighted gradients cancel (the limit: with gamma_i tau_i P_i for M_i)

    \sum_iw_i(I-K_i)(\tilde x-x^*)=-\sum_iw_iM_i\nabla F_i(x^*),\ M_i=(I-K_i)H_i^{-1}
    """
    x, found = s.p.minimizer, formulas(s)
    for label, M, pull in (("x~ - x*", weightings(s), pulls(s)), ("lim - x*", first_order(s), first_order(s) @ s.p.A)):
        moved = apply(s.p.mean(pull), rest(s, pull) - x)
        found += coordinates(label, moved, -s.p.mean(apply(M, slopes(s, x))))
    return found


def derive(proof: Derivation, s: Instance) -> None:
    fixed_point(proof, s)
    limit(proof, s, remainder(s))
    local_changes(proof, s, s.p.minimizer)
    moved_by_gradients(proof, s, weightings(s), pulls(s))
    J, away = first_order(s) @ s.p.A, s.p.minimizer[..., None, :] - s.p.c
    proof.cross(matrix_laws, "(eta tau P H)(x* - x_i*) = eta tau P grad F_i(x*)", A=first_order(s), B=s.p.A, v=away)
    moved_by_gradients(proof, s, first_order(s), J)


def _different(s: Instance) -> list[Comparison]:
    apart = s.nb.largest(s.nb.abs(s.p.c - s.p.c[:, :1]), 2)
    return [that("minimizers differ", apart) > apart * 0]


def _factors(s: Instance) -> list[Comparison]:
    apart = [s.nb.largest(s.nb.abs(M - M[:, :1]), 3) for M in (weightings(s), first_order(s))]
    return [
        that("M_i differ", apart[0]) > apart[0] * 0,
        that("gamma_i tau_i P_i differ", apart[1]) > apart[1] * 0,
    ]


def equal(cursor: Cursor, tau: tuple[int, ...], d: int) -> Instance:
    s = preconditioned(cursor, tau, d)
    return Instance(**{**vars(s), "p": replace(s.p, c=s.p.c * 0)})


def alike(cursor: Cursor, tau: tuple[int, ...], d: int) -> Instance:
    """One P, one rate and one number of steps, equal Hessians: M_i = M."""
    s = preconditioned(cursor, tau, d)
    lam, R, P, eta, frames = (x[:, :1] + 0 * x for x in (s.p.lam, s.p.R, s.P, s.eta, s.frames.R))
    return Instance(**{**vars(s), "p": replace(s.p, lam=lam, R=R), "P": P, "eta": eta, "frames": Instance(R=frames)})


def instance(cursor: Cursor, tau: tuple[int, ...], d: int, centred: bool = False) -> Instance:
    """``centred``: weights 1/4, 1/4, 1/2, minimizers -1, 1, 0, and the third client has a smaller P and eta."""
    s = preconditioned(cursor, tau, d)
    if centred:
        one = s.eta[:, :1] * 0 + 1
        c, w = np.stack([-one, one, one * 0], 1), np.concatenate([one / 4, one / 4, one / 2], -1)
        H, P, eta = (np.stack([x[:, 0], x[:, 0], x[:, 2]], 1) for x in (s.p.lam, s.P, s.eta))
        s.p, scale = replace(s.p, lam=H, c=c, w=w), np.concatenate([one, one, one / 2], -1)
        s.P, s.eta = P * scale[..., None], eta * scale
    return s


TAUS = ((1, 1), (2, 2), (1, 2), (5, 5), (1, 1, 1), (1, 2, 3), (10, 30))
CENTRED = ((1, 1, 2), (2, 2, 5))
DOMAIN = Domain(
    instance,
    grid(tau=CENTRED, d=(1,), centred=(True,)) + grid(tau=TAUS, d=(1, 2)),
    "two or three clients in d <= 2 with different minimizers, tau up to 30",
)

STATEMENT = Statement(
    kind="identity",
    location="Theorem 2, section 4; proof in Appendix E",
    says="x~ = (sum w [I - K_i])^-1 sum w (I - K_i) x_i* with K_i = (I - eta_i P_i H_i)^tau_i, which tends to (8) as "
    "eta -> 0; neither is x*.",
    reading="The inequality signs are part of the theorem, where there is something to be unequal: the minimizers of "
    "two clients or more differ, and so do their factors (neither the M_i nor the gamma_i tau_i P_i are all equal). "
    "The limit as an explicit bound, for all rates: |J (x~ - lim)| <= sum w_i rho_i (|x~ - lim| + |lim - x_i*|) with J "
    "= sum w eta_i tau_i P_i H_i of order eta, rho_i = (1 + z_i)^tau_i - 1 - tau_i z_i of order eta^2, z_i = |eta_i "
    "P_i H_i|.",
    severity="missing-hypothesis",
    headline=True,
    domain=DOMAIN,
    hypotheses=(
        POSITIVE,
        WEIGHTS,
        PULLS,
        LIMIT,
        Hypothesis(
            "two clients differ",
            _different,
            Domain(equal, grid(tau=((1, 2), (3, 3)), d=(1, 2)), "equal minimizers"),
        ),
        Hypothesis(
            "factors differ",
            _factors,
            Domain(alike, grid(tau=((1, 1), (3, 3)), d=(1, 2)), "one P, eta, tau and H"),
        ),
    ),
    printed=claim_of(printed),
    corrected=claim_of(
        corrected,
        domain=Domain(
            instance, grid(tau=((1,), (4,), *TAUS), d=(1, 2)), "one to three clients in d <= 2, tau up to 30"
        ),
        given=(POSITIVE, WEIGHTS, PULLS, LIMIT),
        derive=derive,
    ),
    note="The '!=' is true generically; it fails where the weighted gradients cancel, as where only a client that "
    "rests at x* has factors of its own. FedAvg with one local step is another case of x~ = x*, with equal factors. "
    "That the average of I - K_i is invertible, and FedOpt convergent, is assumed silently, and fails for adaptive "
    "clients at every small rate: LA.T2b.",
)
