"""LA (11): local correction leaves a bias of order eta tau."""

from theorems.local_adaptivity.common import WEIGHTS, coordinates, positives
from theorems.local_adaptivity.common_matrices import apply, slopes
from theorems.vocabulary import *


def instance(cursor: Cursor, tau: tuple[int, ...], d: int) -> Instance:
    """Client i's k-th local step uses a matrix of its own: eigenvalues B[i] in (0, 1], frames that do not commute."""
    n = len(tau)
    p = clients(cursor, n, d, weighted=True, least_mu=Fraction(1, 100))
    q = [clients(cursor, t, d, same="c", least_mu=Fraction(1, 100)) for t in tau]
    eta, frames = 4 * positives(cursor, n, 1e-3), tuple(Instance(R=each.R) for each in q)
    B = tuple(each.lam for each in q)
    return Instance(nb=cursor.nb, n=n, d=d, tau=tau, steps=str(tau), p=p, B=B, frames=frames, eta=eta)


def matrices_of(s: Instance, i: int) -> list[Any]:
    """B_i^(0), ..., B_i^(tau_i - 1)."""
    R = s.frames[i].R
    return [(R[:, k] * s.B[i][:, k, None, :]) @ np.swapaxes(R[:, k], -1, -2) for k in range(s.tau[i])]


def lost(s: Instance, i: int, g: Any) -> Any:
    """grad F_i(x*) - N_i^-1 (x* - A_i(x*)) = (sum B)^-1 sum_k B_k (g_0 - g_k), without cancellation."""
    B, gone, weighed = matrices_of(s, i), g * 0, g * 0
    for step in B:
        weighed = weighed + apply(step, gone)
        gone = gone + s.eta[:, i, None] * apply(s.p.A[:, i], apply(step, g - gone))
    return s.nb.solve(sum(B), weighed)


def sent(s: Instance, i: int, x: Any) -> Any:
    """N_i^-1 (x - A_i(x)) with N_i = eta_i sum_k B_i^(k), step by step."""
    y = x
    for step in matrices_of(s, i):
        y = y - s.eta[:, i, None] * apply(step, apply(s.p.A[:, i], y - s.p.c[:, i]))
    return s.nb.solve(sum(matrices_of(s, i)), x - y) / s.eta[:, i, None]


def printed(s: Instance) -> list[Comparison]:
    r"""each normalised change is the gradient but for what the steps lose, of order eta_i tau_i

    \Big\|\sum_iw_iN_i^{-1}(x^*-\mathcal{A}_i(x^*))\Big\|\le\sum_iw_i\tfrac12\kappa_ia_i(\tau_i-1)(1+a_i)^{\tau_i-1}%
      \|\nabla F_i(x^*)\|,\quad a_i=\eta_i\|H_i\|\max_k\|B_i^{(k)}\|

    kappa_i is the largest over the least eigenvalue of client i's B_i^(k).
    """
    x = s.p.minimizer
    g, total, bound, found = slopes(s, x), x * 0, x[:, 0] * 0, []
    for i, tau in enumerate(s.tau):
        away = lost(s, i, g[:, i])
        found += coordinates(f"client {i + 1}", sent(s, i, x), g[:, i] - away)
        top, low = s.nb.largest(s.B[i], 2), s.nb.smallest(s.B[i], 2)
        a = s.eta[:, i] * s.nb.largest(s.p.lam[:, i]) * top
        total = total + s.p.w[:, i, None] * away
        few = a * (tau - 1) * (1 + a) ** (tau - 1) * top / low / 2
        bound = bound + s.p.w[:, i] * few * s.nb.length(g[:, i])
    return [*found, that("bias", s.nb.length(total)) <= bound]


def prove() -> None:
    """z3: N_i^-1 (x* - A_i(x*)) = g_0 - (sum B)^-1 sum_k B_k (g_0 - g_k), and the g_0 = grad F_i(x*) sum to 0. A step
    changes the gradient by at most a |g_j|, so |g_j| <= (1 + a)^j |g_0| =: G at most, and |g_0 - g_k| <= k a G; sum_k
    |B_k| |g_0 - g_k| <= b a G tau (tau - 1)/2, and |(sum B)^-1| <= 1/(tau b/kappa).
    """
    a, g, G, e, k, t, b, c = reals("a g G e k t b c")
    smt([a >= 0, 0 <= g, g <= G, 0 <= e, e <= k * a * G], e + a * g <= (k + 1) * a * G)
    smt(
        [b > 0, c >= 0, t >= 1, a >= 0, G >= 0, c <= b * a * G * t * (t - 1) / 2],
        c + b * (t * a * G) <= b * a * G * (t + 1) * t / 2,
    )
    smt([b > 0, k >= 1, t >= 1, c >= 0, c <= b * a * G * t * (t - 1) / 2], c * k / (t * b) <= k * a * G * (t - 1) / 2)


def _positive(s: Instance) -> list[Comparison]:
    return [that(f"B {i}{k}{j}", s.B[i][:, k, j]) > s.eta[:, i] * 0
            for i, t in enumerate(s.tau) for k in range(t) for j in range(s.d)]  # fmt: skip


def _definite(s: Instance) -> list[Comparison]:
    letters = [(f"H {i}{j}", s.p.lam[:, i, j]) for i in range(s.n) for j in range(s.d)]
    return [that(name, x) > x * 0 for name, x in letters + [(f"eta {i}", s.eta[:, i]) for i in range(s.n)]]


STATEMENT = Statement(
    kind="limit",
    location="(11), section 5",
    says="If x - A_i(x) = eta_i sum_k B_i^(k) grad F_i(x^(k)) and N_i = eta_i sum_k B_i^(k), then sum w N_i^-1 (x* - "
    "A_i(x*)) = grad F(x*) + O(eta_i tau_i) = O(eta_i tau_i).",
    reading="Quadratics; the constant in O(.) depends on the H_i, the B_i^(k) and the gradients at x*, not on rates "
    "and numbers of steps while eta_i tau_i is bounded.",
    domain=Domain(
        instance,
        grid(tau=((1,), (2,), (1, 2), (3, 3), (4, 1, 2)), d=(1, 2)),
        "one to three clients in d <= 2, matrices B_i^(k) that do not commute",
    ),
    hypotheses=(
        WEIGHTS,
        Hypothesis("B_i^(k) > 0", _positive, role="section 5 has them positive definite"),
        Hypothesis("H_i, eta_i > 0", _definite, role="section 4's example"),
    ),
    printed=claim_of(printed, prove=prove),
    note="With one local step nothing is left. Where B_i^(k) and H_i commute less is left (LA.E11b). Where B_i^(k) "
    "depends on the gradients (AdaGrad, Adam) the constant depends on them, too. With momentum the N_i that Algorithm "
    "1 sums up is not this one (LA.A1).",
)
