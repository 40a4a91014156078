"""LA section 4: the bias of local AdaGrad does not vanish with the client rate."""

from theorems.local_adaptivity.common import WEIGHTS, between, positive
from theorems.vocabulary import *


def instance(cursor: Cursor, n: int, tau: int, even: bool) -> Instance:
    """Two clients in d = 1 at 0 and ``-apart``; v_0 = c^-2 is AdaGrad's initial accumulator."""
    H = np.stack([positive(cursor, 1e-2) for _ in range(n)], -1)
    apart, v0, more = positive(cursor, 1e-2), cursor.take(), positive(cursor, 1e-2)
    w = (2 + (more * 0 if even else more)) / 4
    x = np.stack([apart * 0, -apart], -1)
    weights = np.stack([w, 1 - w], -1)
    return Instance(nb=cursor.nb, n=n, tau=tau, H=H, x=x, v0=v0, w=weights, even=str(even))


def drift(s: Instance) -> Any:
    """E of eta^-1 times the local change at x*, as eta -> 0: g sum_k (v_0 + (k+1) g^2)^(-1/2) (AdaGrad restarts)."""
    rest = (s.w * s.H * s.x).sum(axis=-1) / (s.w * s.H).sum(axis=-1)
    g = s.H * (rest[:, None] - s.x)
    return sum((s.w * g / s.nb.sqrt(s.v0[:, None] + (k + 1) * g * g)).sum(axis=-1) for k in range(s.tau))


def printed(s: Instance) -> list[Comparison]:
    return [that("drift at x*", s.nb.abs(drift(s))) > s.v0 * 0]


def prove() -> None:
    """z3: At x* w_1 |g_1| = w_2 |g_2| with opposite signs, so unequal weights mean unequal |g|. As eta -> 0 client i
    moves by eta g_i sum_k (v_0 + (k+1) g_i^2)^(-1/2), and the factor falls strictly with |g_i|: every k pulls the same
    way.
    """
    a, b, v, k, w, ra, rb, p = reals("a b v k w ra rb p")
    squares = [ra > 0, rb > 0, v >= 0, k >= 1, ra * ra == v + k * a * a, rb * rb == v + k * b * b]
    smt([*squares, 0 < a, a < b], ra < rb)
    smt([0 < ra, ra < rb], 1 / ra > 1 / rb)
    # w a = (1 - w) b = p: the drift is p (1/ra - 1/rb), step by step of one sign.
    smt([p > 0, a > 0, b > 0, 0 < w, w < 1, w * a == p, (1 - w) * b == p, 2 * w > 1], a < b)
    smt([p > 0, 0 < ra, ra < rb], p / ra - p / rb > 0)


def alike(cursor: Cursor, tau: int) -> Instance:
    s = instance(cursor, 2, tau, False)
    s.x = s.x * 0
    return s


STATEMENT = Statement(
    kind="limit",
    location="section 4, the minimizer inconsistency problem and connections with previous works",
    says="Even with equal learning rates and local steps, local adaptive methods (restarted AdaGrad) lead to a gap "
    "between x~ and x* that does not vanish with the client rate.",
    reading="As eta -> 0 the fixed point of E[A] is where the limit of A's drift vanishes; the claim is that this is "
    "not x*, for clients whose minimizers differ. Two quadratic clients in d = 1.",
    severity="missing-hypothesis",
    domain=Domain(instance, grid(n=(2,), tau=(1, 2, 10), even=(True, False)), "two clients in d = 1, tau <= 10"),
    hypotheses=(
        WEIGHTS,
        between("H_i > 0", lambda s: s.H, 0, role="section 4's example"),
        between(
            "minimizers differ",
            lambda s: s.x[:, 0] - s.x[:, 1],
            0,
            without=Domain(alike, grid(tau=(1, 2)), "equal minimizers"),
        ),
        between("v_0 = c^-2 >= 0", lambda s: s.v0, 0, None, "[]", role="Algorithm 1, line 4"),
    ),
    printed=Claim(
        "the drift at x* does not vanish as eta -> 0",
        r"\sum_iw_i\nabla F_i(x^*)\sum_k\big(c^{-2}+(k+1)\nabla F_i(x^*)^2\big)^{-1/2}\ne0",
        printed,
    ),
    corrected=Claim(
        "for two clients whose weights differ",
        r"w_1\ne w_2:\quad\sum_iw_i\nabla F_i(x^*)\sum_k\big(c^{-2}+(k+1)\nabla F_i(x^*)^2\big)^{-1/2}\ne0",
        printed,
        prove,
        Domain(
            lambda cursor, tau: instance(cursor, 2, tau, False),
            grid(tau=(1, 2, 10, 50)),
            "two clients in d = 1, 1/2 < w_1 <= 3/4",
        ),
    ),
    note="Two clients of equal weight balance by symmetry: AdaGrad's weights depend on |g_i| only, and |g_1| = |g_2| "
    "at x*; in d > 1 the same is true entry by entry. With three clients or more the sum may cancel, too, for few of "
    "them. With c^-2 = 0 the limit is the weighted median of the clients' minimizers, whatever their curvatures. What "
    "decay does on the way: LA.D5c.",
)
