"""LA section 5: does global correction leave the fixed point?"""

from itertools import combinations

from theorems.local_adaptivity.common import (
    WEIGHTS,
    between,
    matrices,
    noncommutative,
    places,
    positive,
    positives,
    shares,
)
from theorems.vocabulary import *


def instance(cursor: Cursor, n: int, drawn: int, tau: int) -> Instance:
    """n clients of equal weight, H (x - x_i)^2/2 and fixed preconditioners in (0, 1]; ``drawn`` of them a round."""
    H, P = positives(cursor, n, 1e-2), positives(cursor, n, 1e-3)
    x = np.stack([H[:, 0] * 0] + [-positive(cursor, 1e-2) for _ in range(n - 1)], -1)
    w = np.stack([H[:, 0] * 0 + 1] * n, -1) / n
    return Instance(nb=cursor.nb, n=n, drawn=drawn, tau=tau, H=H, P=P, x=x, eta=positive(cursor, 1e-2), w=w)


def weighted_instance(cursor: Cursor, n: int, drawn: int, tau: int) -> Instance:
    """Any weights, minimizers anywhere in [-1, 1]."""
    s = instance(cursor, n, drawn, tau)
    s.w, s.x = shares(cursor, n), places(cursor, n)
    return s


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


def printed(s: Instance) -> list[Comparison]:
    """The pseudo-gradient at rest, and at a client's minimizer, N_s^-1 times local correction's there; over eta."""
    rest, slope = resting_point(s), _pulls(s).sum(axis=-1)
    N_s = (s.w / s.P).sum(axis=-1)
    return [
        Comparison("at rest", _pseudo_gradient(s, rest), "==", s.eta * 0),
        Comparison("elsewhere", _pseudo_gradient(s, s.x[:, 0]), "==", slope * (s.x[:, 0] - rest) / (N_s * s.eta)),
    ]


def _pseudo_gradient(s: Instance, at: Any) -> Any:
    """N_s^-1 times the mean over all samples of the drawn clients' w_i Delta_i / N_i; N_s sums over all clients."""
    normalised, inverse = messages(s, at)
    samples = list(combinations(range(s.n), s.drawn))
    total = sum(s.w[:, i] * normalised[:, i] for S in samples for i in S) * s.n / (s.drawn * len(samples))
    return total / ((s.w * inverse).sum(axis=-1) * s.eta)


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


def prove() -> Proof:
    prove_fixed()
    return Proof(
        "z3 and sympy",
        "N_i = eta sum_k B_i^(k) is a sum of positive definite matrices, so v'N_i^-1 v = u'N_i u > 0 with u = N_i^-1 "
        "v, and v'N_s v = sum w_i v'N_i^-1 v > 0 (induction over the clients, z3): N_s is invertible. N_s^-1 applied "
        "to the pseudo-gradient, or to its expectation over what N_s does not depend on, vanishes exactly where the "
        "pseudo-gradient does; in any dimension, at every x, whatever the N_i are.",
    )


def fast(cursor: Cursor, n: int, drawn: int, tau: int) -> Instance:
    """eta P H up to 3."""
    s = weighted_instance(cursor, n, drawn, tau)
    s.eta = 3 * s.eta
    return s


def ranges(s: Instance) -> list[Comparison]:
    z = s.eta[:, None] * s.H * s.P
    return [
        c
        for i in range(s.n)
        for c in (
            Comparison(f"positive {i}", z[:, i], ">", z[:, i] * 0),
            Comparison(f"at most 1, {i}", z[:, i], "<=", z[:, i] * 0 + 1),
        )
    ]


CHOICES = tuple(
    {"n": n, "drawn": m, "tau": t} for n, m in ((1, 1), (2, 2), (2, 1), (3, 3), (3, 2), (3, 1)) for t in (1, 2, 10)
)

STATEMENT = Statement(
    id="LA.A2",
    kind="convergence",
    location="section 5, global correction",
    says="With N_s = sum w_i N_i^-1, or any N_s that does not depend on the client index, global correction rests "
    "where local correction rests.",
    reading="Section 5's own N_s, over all clients. Rest: the (expected) pseudo-gradient vanishes. All clients take "
    "part, or some are drawn uniformly while N_s stays that of all. Instances: d = 1, fixed P_i. Algorithm 1 forms "
    "N_s from the drawn clients instead: LA.A2c.",
    headline=True,
    domain=Domain(weighted_instance, CHOICES, "one to three weighted clients in d = 1, all or some drawn"),
    hypotheses=(
        WEIGHTS,
        between("P_i > 0", lambda s: s.P, 0, role="N_i = tau P_i is inverted"),
        Hypothesis(
            "0 < eta P H <= 1",
            ranges,
            Domain(fast, ({"n": 1, "drawn": 1, "tau": 2}, {"n": 2, "drawn": 2, "tau": 2}), "eta P H up to 3"),
        ),
    ),
    printed=Claim(
        "the pseudo-gradient of global correction vanishes where that of local correction does, and only there",
        r"N_s^{-1}\sum_iw_iN_i^{-1}[x-\mathcal{A}_i(x)]=0\iff\sum_iw_iN_i^{-1}[x-\mathcal{A}_i(x)]=0,\quad "
        r"N_s=\sum_iw_iN_i^{-1}",
        printed,
        prove,
    ),
    note="eta P H <= 1 is what the instances are drawn with; the equivalence does not need it. The server "
    "needs N_i of all clients, drawn or not, or an N_s that is independent of the draw.",
)
