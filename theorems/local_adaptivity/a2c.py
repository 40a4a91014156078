"""LA Algorithm 1, lines 14 and 15: does global correction leave the fixed point when clients are sampled?"""

from itertools import combinations

from theorems.local_adaptivity.common import WEIGHTS, between, matrices, noncommutative, positive, positives
from theorems.vocabulary import *


def instance(cursor: Cursor, n: int, drawn: int, tau: int) -> Instance:
    """n clients of equal weight, H (x - x_i)^2/2 and fixed preconditioners in (0, 1]; ``drawn`` of them a round."""
    H, P = positives(cursor, n, 1e-2), positives(cursor, n, 1e-3)
    x = np.stack([H[:, 0] * 0] + [-positive(cursor, 1e-2) for _ in range(n - 1)], -1)
    w = np.stack([H[:, 0] * 0 + 1] * n, -1) / n
    return Instance(nb=cursor.nb, n=n, drawn=drawn, tau=tau, H=H, P=P, x=x, eta=positive(cursor, 1e-2), w=w)


def messages(s: Instance, at: Numbers) -> tuple[Any, Any]:
    """(Delta_i / N_i, 1 / N_i) at a point, with N_i = tau P_i as Algorithm 1 sums it up."""
    z = s.eta[:, None] * s.P * s.H
    N = s.tau * s.P
    return z * s.nb.geometric(z, s.tau) * (at[:, None] - s.x) / N, 1 / N


def _pulls(s: Instance) -> Any:
    """The slopes of the w_i Delta_i / N_i, times tau."""
    z = s.eta[:, None] * s.P * s.H
    return s.w * z * s.nb.geometric(z, s.tau) / s.P


def resting_point(s: Instance) -> Any:
    """Where local correction rests: sum w_i Delta_i / N_i = 0."""
    return (_pulls(s) * s.x).sum(axis=-1) / _pulls(s).sum(axis=-1)


def update(s: Instance, fixed: bool) -> Any:
    """The expected pseudo-gradient at the point where local correction rests; times eta^-1 for scale."""
    normalised, inverse = messages(s, resting_point(s))
    total = s.eta * 0
    samples = list(combinations(range(s.n), s.drawn))
    for S in samples:
        mean = sum(normalised[:, i] for i in S) / s.drawn
        scale = inverse.sum(axis=-1) / s.n if fixed else sum(inverse[:, i] for i in S) / s.drawn
        total = total + mean / scale
    return total / (len(samples) * s.eta)


def printed(s: Instance) -> list[Comparison]:
    r"""the expected pseudo-gradient of line 15 vanishes where local correction rests

    \mathbb{E}_S\Big[\Big(\tfrac1{|S|}\sum_{i\in S}N_i^{-1}\Big)^{-1}\tfrac1{|S|}\sum_{i\in S}N_i^{-1}\Delta_i(x)\Big]%
      =0\iff\sum_iN_i^{-1}\Delta_i(x)=0
    """
    return [that("at rest", update(s, False)) == s.eta * 0]


def corrected(s: Instance) -> list[Comparison]:
    r"""true if N_s does not depend on the sample: all clients take part, or N_s is section 5's, of all clients

    \mathbb{E}_S[N_s^{-1}\Delta_S]=N_s^{-1}\,\mathbb{E}_S[\Delta_S]
    """
    return [that("at rest", update(s, True)) == s.eta * 0]


def prove_fixed() -> None:
    """N_s is positive definite (one client more keeps v'N_s v > 0), so N_s^-1 v = 0 only for v = 0."""
    form, w, q = reals(
        "form w q"
    )  # form = v'(sum over the clients so far)v, q = v'N_i^-1 v = u'N_i u with u = N_i^-1 v
    smt([form > 0, w > 0, q > 0], form + w * q > 0)
    smt([w > 0, q > 0], w * q > 0)
    N, inverse, v, Ns, u = matrices("N inverse v Ns u")
    noncommutative((Ns * (u + v), Ns * u + Ns * v), (N * (inverse * v), N * inverse * v))
    a, b, c, y, z = reals("a b c y z")  # a quadratic form > 0 at v != 0 leaves no v != 0 with N_s v = 0, here in d = 2
    smt([a > 0, a * c > b * b, both(a * y + b * z == 0, b * y + c * z == 0)], both(y == 0, z == 0))


def prove() -> None:
    """z3 and sympy: A matrix N_s that is the same whatever the sample leaves the expectation: E[N_s^-1 Delta_S] =
    N_s^-1 E[Delta_S], which vanishes exactly where E[Delta_S] does (LA.A2), and that is a multiple of the sum over all
    clients when each is drawn with one probability.
    """
    prove_fixed()


def ranges(s: Instance) -> list[Comparison]:
    z = s.eta[:, None] * s.H * s.P
    return [
        c
        for i in range(s.n)
        for c in (that(f"positive {i}", z[:, i]) > z[:, i] * 0, that(f"at most 1, {i}", z[:, i]) <= z[:, i] * 0 + 1)
    ]


CHOICES = tuple(
    {"n": n, "drawn": m, "tau": t} for n, m in ((1, 1), (2, 2), (2, 1), (3, 3), (3, 2), (3, 1)) for t in (1, 2, 10)
)

STATEMENT = Statement(
    kind="convergence",
    location="Algorithm 1, lines 3 and 14 to 16",
    says="As Algorithm 1 runs global correction, with N_s^(t) the mean of N_i^-1 over the drawn clients S^(t), it "
    "rests where local correction rests.",
    reading="S^(t) uniform without replacement (all clients when drawn = n). Rest: the expected pseudo-gradient "
    "vanishes. Equal weights, as line 14 has none; d = 1, fixed P_i.",
    severity="missing-hypothesis",
    domain=Domain(instance, CHOICES, "one to three clients in d = 1, all or some drawn"),
    hypotheses=(
        WEIGHTS,
        between("P_i > 0", lambda s: s.P, 0, role="N_i = tau P_i is inverted"),
        Hypothesis("0 < eta P H <= 1", ranges, role="of the instances; the correction does not use it"),
    ),
    printed=claim_of(printed),
    corrected=claim_of(corrected, prove=prove),
    note="With one client a round line 15 undoes local correction altogether: N_s^-1 N_i^-1 Delta_i = Delta_i, and the "
    "bias of section 4 is back in full. With few clients drawn most of it is. Line 14 also takes plain means over S "
    "where the text has w_i: right only if clients are drawn with probability proportional to w_i.",
)
