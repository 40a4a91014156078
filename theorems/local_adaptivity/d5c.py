"""LA section 4 (ours): decaying the client rate can take FedOpt from x* to a bias that only grows."""

from theorems.local_adaptivity.common import WEIGHTS, positive, shares
from theorems.local_adaptivity.common_quadratic import gradients, limit_weights, minimizer, weighting
from theorems.vocabulary import *


def instance(cursor: Cursor, tau: int) -> Instance:
    """Client 2 has p P_1 and (2p - 1)/p^2 H_1, 1/2 < p < 1; eta_0 = 1/(P_1 H_1), second < first < eta_0."""
    H, P, p = positive(cursor, 1e-2), positive(cursor, 1e-2), (2 + positive(cursor, 1e-2)) / 4
    top = 1 / (P * H)
    first = top * (1 - positive(cursor, 1e-2) / 2)
    second = first * (1 - positive(cursor, 1e-2) / 2)
    x = np.stack([H * 0, 1 - 2 * cursor.take()], -1)
    return Instance(
        nb=cursor.nb,
        n=2,
        tau=(tau, tau),
        H=np.stack([H, H * (2 * p - 1) / (p * p)], -1),
        P=np.stack([P, p * P], -1),
        x=x,
        w=shares(cursor, 2),
        top=top,
        first=first,
        second=second,
    )


def bias(s: Instance, eta: Any) -> tuple[Any, Any]:
    """x~ - x* at a common rate, and at the limit of small ones (8)."""
    s = Instance(**{**vars(s), "eta": np.stack([eta, eta], -1)})
    g = gradients(s, minimizer(s))
    ends = [-(s.w * M * g).sum(axis=-1) / (s.w * M * s.H).sum(axis=-1) for M in (weighting(s), limit_weights(s))]
    return ends[0], ends[1]


def printed(s: Instance) -> list[Comparison]:
    r"""no bias at eta_0; below eta_0 the bias grows as the rate decays, towards that of (8)

    \tilde x(\eta_0)=x^*,\quad0<\|\tilde x(\eta)-x^*\|<\|\tilde x(\eta')-x^*\|<\lim_{\eta\to0}\|\tilde x-x^*\|,%
      \ \eta'<\eta<\eta_0
    """
    M = weighting(Instance(**{**vars(s), "eta": np.stack([s.top, s.top], -1)}))
    sizes = [s.nb.abs(x) for x in (bias(s, s.first)[0], *bias(s, s.second))]
    return [
        that("at eta_0", M[:, 0]) == M[:, 1],
        that("a bias", sizes[0]) > s.top * 0 * sizes[0],
        that("grows", sizes[0]) < sizes[1],
        that("towards the limit", sizes[1]) < sizes[2],
    ]


def prove() -> None:
    """sympy and z3: In units of eta_0, P_1 and H_1, M_i/eta = P_i (2 - eta P_i H_i), so M_1 - M_2 = 2 eta (1 - p)(1 -
    eta), 0 at eta = 1; and sum w M H/eta = a - b eta, b = w + v (2p - 1) h < a = 2w + 2 v p h, h = (2p - 1)/p^2. With w
    g_1 = -v g_2 the bias is a multiple of (1 - eta)/(a - b eta), which falls in eta.
    """
    p, eta, w, h = sympy.symbols("p eta w h", positive=True)
    H2 = (2 * p - 1) / p**2
    identity(((2 - eta) - p * (2 - eta * p * H2), 2 * (1 - p) * (1 - eta)))
    a, b = 2 * w + 2 * (1 - w) * p * h, w + (1 - w) * (2 * p - 1) * h
    identity((w * (2 - eta) + (1 - w) * p * (2 - eta * p * H2) * h, a - b * eta))
    A, B, x, y = reals("A B x y")
    smt([0 < B, B < A, 0 <= x, x < y, y < 1], (1 - y) * (A - B * x) < (1 - x) * (A - B * y))
    P, W, h_ = reals("P W h")
    smt([2 * P > 1, P < 1, 0 < W, W < 1, h_ > 0], W + (1 - W) * (2 * P - 1) * h_ < 2 * W + 2 * (1 - W) * P * h_)


def _different(s: Instance) -> list[Comparison]:
    return [that((s.x[:, 0] - s.x[:, 1]) ** 2) > s.top * 0 * (s.x[:, 0] - s.x[:, 1]) ** 2]


def alike(cursor: Cursor, tau: int) -> Instance:
    s = instance(cursor, tau)
    s.x = s.x * 0
    return s


def _family(s: Instance) -> list[Comparison]:
    p = s.P[:, 1] / s.P[:, 0]
    ranges = [that("p", 2 * p) > p * 0 + 1, that("p < 1", p) < p * 0 + 1]
    rates = [that("first", s.first) < s.top, that("second", s.second) < s.first, that("0", s.second) > s.top * 0]
    return [*ranges, *rates, that("H_2", s.H[:, 1] * p * p) == s.H[:, 0] * (2 * p - 1)]


STATEMENT = Statement(
    kind="existence",
    location="not in the paper: about section 4, first paragraph ('even if we decay ... or becomes even worse')",
    says="There are two clients with fixed preconditioners that rest at x* at one client rate, and whose bias grows "
    "strictly while that rate decays to 0.",
    reading="Two local steps; preconditioners as adaptive clients might form. The paper says it of one plot (Figure "
    "1b).",
    domain=Domain(instance, grid(tau=(2,)), "a family of two clients in d = 1, tau = 2"),
    hypotheses=(
        WEIGHTS,
        Hypothesis("the family", _family, role="H_2 = (2p - 1)/p^2 H_1, P_2 = p P_1, 1/2 < p < 1, eta' < eta < eta_0"),
        Hypothesis("x_1* != x_2*", _different, Domain(alike, grid(tau=(2,)), "equal minimizers")),
    ),
    printed=claim_of(printed, prove=prove),
    note="So 'or becomes even worse' is possible, not only in a plot. The other way is possible, too: where FedAvg's "
    "clients have one preconditioner and one number of steps the bias falls with the rate (LA.D2).",
)
