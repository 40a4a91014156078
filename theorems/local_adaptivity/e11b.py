"""LA (11), sharper (ours): what local correction leaves where preconditioners and Hessians commute."""

from theorems.local_adaptivity.common import WEIGHTS, between, places, positives, shares
from theorems.local_adaptivity.common_quadratic import gradients, minimizer
from theorems.vocabulary import *


def instance(cursor: Cursor, tau: tuple[int, ...]) -> Instance:
    """d = 1; client i's k-th local step uses B_i^(k) in (0, 1], as any optimizer might; eta H B <= 1."""
    n = len(tau)
    H, eta = positives(cursor, n, 1e-3), positives(cursor, n, 1e-3)
    B = tuple(positives(cursor, t, 1e-3) for t in tau)
    x, w = places(cursor, n), shares(cursor, n)
    return Instance(nb=cursor.nb, n=n, tau=tau, steps=str(tau), H=H, eta=eta, B=B, x=x, w=w)


def fast(cursor: Cursor, tau: tuple[int, ...]) -> Instance:
    s = instance(cursor, tau)
    s.eta = 4 * s.eta
    return s


def printed(s: Instance) -> list[Comparison]:
    r"""the bias is at most sum w eta H sum_{k < tau - 1} B |grad F_i(x*)|

    \Big\|\sum_iw_iN_i^{-1}(x^*-\mathcal{A}_i(x^*))\Big\|\le\sum_iw_i\eta_iH_i\sum_{k<\tau_i-1}B_i^{(k)}\|%
      \nabla F_i(x^*)\|

    Each client's normalised change is its gradient up to eta_i H_i sum_k B_i^(k) |grad F_i(x*)|.
    """
    x = minimizer(s)
    g, total, bound = gradients(s, x), x * 0, x * 0
    for i in range(s.n):
        H, eta, B = s.H[:, i], s.eta[:, i], s.B[i]
        y = x
        for k in range(s.tau[i]):
            y = y - eta * B[:, k] * H * (y - s.x[:, i])
        N = eta * B.sum(axis=-1)
        total = total + s.w[:, i] * (x - y) / N
        bound = bound + s.w[:, i] * eta * H * (B.sum(axis=-1) - B[:, -1]) * s.nb.abs(g[:, i])
    return [
        that("bias", s.nb.abs(total)) <= bound,
        that("what is lost", s.nb.abs(lost(s, g))) <= bound,
    ]


def lost(s: Instance, g: Numbers) -> Any:
    """sum w (grad F_i(x*) - N_i^-1 (x* - A_i(x*))) without cancellation: before step k the part d_k of client i's
    gradient is gone, d_1 = 0, d_{k+1} = d_k + z_k (1 - d_k) with z_k = eta H B_k, and B_k weighs it."""
    total = 0 * g[:, 0]
    for i in range(s.n):
        gone, weighed = 0 * g[:, i], 0 * g[:, i]
        for k in range(s.tau[i]):
            weighed = weighed + s.B[i][:, k] * gone
            gone = gone + s.eta[:, i] * s.H[:, i] * s.B[i][:, k] * (1 - gone)
        total = total + s.w[:, i] * g[:, i] * weighed / s.B[i].sum(axis=-1)
    return total


def prove() -> None:
    """z3, for d = 1, or H_i and B_i that commute: N_i^-1 (x* - A_i(x*)) is the mean of the local gradients with weights
    B_i^(k)/sum B_i. In d = 1 (or where B_i^(k) and H_i commute) a step shrinks the gradient by 1 - eta B H, so after
    steps of total S it is between 1 - S and 1 of grad F_i(x*), by induction; S <= eta_i H_i sum_k B_i^(k) = O(eta_i
    tau_i). The gradients at x* sum to 0.
    """
    r, b, S, u, N, D = reals("r b S u N D")
    # r: the gradient left (of 1) after steps of total S; it falls by b r and stays above 1 - S.
    smt([0 <= r, r <= 1, r >= 1 - S, S >= 0, 0 <= b, b <= 1], both((1 - b) * r >= 1 - S - b, (1 - b) * r >= 0))
    # A weighted mean of such r, with weights that sum to 1, lies between 1 - u and 1 where every S <= u.
    smt([N > 0, D <= N, D >= (1 - u) * N, u >= 0], both(D / N <= 1, D / N >= 1 - u))


def _stable(s: Instance) -> list[Comparison]:
    found = []
    for i, B in enumerate(s.B):
        for k in range(s.tau[i]):
            z = s.eta[:, i] * s.H[:, i] * B[:, k]
            found.append(that("at most 1", z) <= z * 0 + 1)
    return found


STATEMENT = Statement(
    kind="upper bound",
    location="not in the paper: a sharper (11), section 5",
    says="Where the B_i^(k) commute with H_i, as in d = 1, local correction leaves at x* at most sum w eta_i H_i "
    "sum_{k < tau_i - 1} B_i^(k) |grad F_i(x*)|: nothing with one local step.",
    reading="Quadratics with 0 < eta_i H_i B_i^(k) <= 1.",
    domain=Domain(instance, tuple({"tau": t} for t in ((1,), (2,), (1, 2), (3, 3), (1, 2, 3), (8, 4))), "d = 1"),
    hypotheses=(
        WEIGHTS,
        between("B_i^(k) > 0", lambda s: np.concatenate(s.B, -1), 0, role="section 5 has them positive definite"),
        between("H_i, eta_i > 0", lambda s: np.concatenate([s.H, s.eta], -1), 0, role="section 4's example"),
        Hypothesis("eta_i H_i B_i^(k) <= 1", _stable, Domain(fast, ({"tau": (8, 4)},), "eta H B up to 4")),
    ),
    printed=claim_of(printed, prove=prove),
    note="The bound is approached where the last B_i^(k) outweighs the others.",
)
