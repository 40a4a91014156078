"""LA section 5: local correction leaves no bias that outlives the client rate, whatever the preconditioners."""

from theorems.local_adaptivity.common import WEIGHTS, coordinates
from theorems.local_adaptivity.common_matrices import (
    POSITIVE,
    apply,
    played,
    preconditioned,
    preconditioners,
    short_steps,
    slopes,
)
from theorems.vocabulary import *


def instance(cursor: Cursor, tau: tuple[int, ...], d: int, top: int = 1) -> Instance:
    s = preconditioned(cursor, tau, d)
    s.eta = top * s.eta
    s.start = np.stack([2 * cursor.take() + 1 for _ in range(d)], -1)
    return s


def losses(s: Instance) -> tuple[list[Any], list[Any]]:
    """H^_i = 1/tau_i sum_{k < tau_i} (I - eta_i H_i P_i)^k H_i, and H_i - H^_i without cancellation."""
    P, kept, lost = preconditioners(s).A, [], []
    for i, tau in enumerate(s.tau):
        H = s.p.A[:, i]
        Z, gone = s.eta[:, i, None, None] * (H @ P[:, i]), H * 0
        total = gone
        for _ in range(tau - 1):
            gone = gone + Z @ (H - gone)
            total = total + gone
        lost.append(total / tau)
        kept.append(H - lost[-1])
    return kept, lost


def printed(s: Instance) -> list[Comparison]:
    r"""the corrected change is the gradient of a strongly convex loss, and the bias is at most of order eta (tau - 1)

    N_i^{-1}(x-\mathcal{A}_i(x))=\hat H_i(x-x_i^*),\quad0\prec\hat H_i=\hat H_i^\top\preceq H_i
    (1-e)\mu\|\tilde x-x^*\|\le\sum_iw_ie_i\|\nabla F_i(x^*)\|,\quad e_i=\tfrac12(\tau_i-1)\eta_i\|P_i\|\|H_i\|,\ %
      e=\max_ie_i
    """
    kept, lost = losses(s)
    found = []
    for i, tau in enumerate(s.tau):
        N = Population(s.nb, s.eta[:, i, None, None] * tau * s.P[:, i : i + 1], s.frames.R[:, i : i + 1], s.p.c, s.p.w)
        sent = s.nb.solve(N.A[:, 0], s.start - played(s, i, s.start))
        found += coordinates(f"client {i + 1}", sent, apply(kept[i], s.start - s.p.c[:, i]))
        found += [that(f"symmetric {i + 1}", kept[i][:, 0, 1]) == kept[i][:, 1, 0]] if s.d == 2 else []
        found.append(that(f"convex {i + 1}", s.nb.eigenvalues(kept[i])[..., 0]) > s.eta[:, i] * 0)
        found.append(that(f"at most H {i + 1}", s.nb.eigenvalues(lost[i])[..., 0]) >= s.eta[:, i] * 0)
    x = s.p.minimizer
    moved = s.nb.solve(s.p.mean(np.stack(kept, 1)), s.p.mean(apply(np.stack(lost, 1), x[:, None] - s.p.c)))
    few = np.array([t - 1 for t in s.tau], dtype=object if s.nb.exact else float)
    e = few * s.eta * s.nb.largest(s.P) * s.nb.largest(s.p.lam) / 2
    bound = (s.p.w * e * s.nb.length(slopes(s, x))).sum(axis=-1)
    return [*found, that("bias", (1 - s.nb.largest(e)) * s.p.mu * s.nb.length(moved)) <= bound]


def prove() -> None:
    """z3: With S = eta H^(1/2) P H^(1/2), H^ = H^(1/2) f(S) H^(1/2) with f(z) = (1 - (1 - z)^tau)/(tau z), which is
    symmetric; 0 < f <= 1 and 1 - f <= (tau - 1) z/2 on (0, 1], by induction on tau. So H - H^ = H W H with 0 <= W <=
    (tau - 1) eta P/2, and H^ >= (1 - e) H. J (x~ - x*) = sum w (H_i - H^_i)(x* - x_i*) = sum w H_i W_i grad F_i(x*),
    with J = sum w H^_i >= (1 - e) mu.
    """
    z, q, t = reals("z q t")
    low = t * z - t * (t - 1) / 2 * z * z
    given = [0 < z, z <= 1, t >= 1, low <= q, q <= t * z, 0 < q, q <= 1]
    smt(given, both((1 - z) * q + z <= (t + 1) * z, (1 - z) * q + z <= 1, (1 - z) * q + z > 0))
    smt(given, (1 - z) * q + z >= (t + 1) * z - (t + 1) * t / 2 * z * z)
    smt(given, both(0 < q / (t * z), q / (t * z) <= 1, 1 - q / (t * z) <= (t - 1) * z / 2))


STATEMENT = Statement(
    kind="limit",
    location="section 5, local correction, first paragraph",
    says="Sending N_i^-1 (x - A_i(x)) with N_i = eta_i tau_i P_i makes the first term of (10) zero, whatever the "
    "client rates: there is no non-vanishing solution bias.",
    reading="Quadratics and fixed preconditioners, as in (10). The bias is bounded for every rate, by a multiple of "
    "max eta_i (tau_i - 1).",
    domain=Domain(
        instance,
        grid(tau=((1,), (2,), (1, 2), (3, 2), (5, 1, 2)), d=(1, 2)),
        "one to three clients in d <= 2, preconditioners with frames of their own",
    ),
    hypotheses=(
        POSITIVE,
        WEIGHTS,
        short_steps(
            Domain(lambda c, **k: instance(c, top=3, **k), grid(tau=((2,), (1, 2)), d=(1,)), "eta |P| |H| up to 3")
        ),
    ),
    printed=claim_of(printed, prove=prove),
    note="More than is claimed: corrected clients have a surrogate loss, sum w_i (x - x_i*)' H^_i (x - x_i*)/2, so "
    "that x~ is one point, to which server rates below 2/L converge, also where the uncorrected iteration diverges at "
    "every small rate (LA.T2b). Not with momentum as Algorithm 1 prints N_i (LA.A1).",
)
