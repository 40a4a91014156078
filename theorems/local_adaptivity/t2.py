"""LA Theorem 2: the fixed point of preconditioned clients on quadratics, its limit, and that neither is x*."""

from theorems.local_adaptivity.common import between, matrices, noncommutative
from theorems.local_adaptivity.common_quadratic import (
    POSITIVE,
    STABLE,
    fixed_point,
    gradients,
    limit_point,
    limit_weights,
    minimizer,
    pull,
    scalar_clients,
    scalar_domain,
    weighting,
)
from theorems.vocabulary import *


def formulas(s: Instance) -> list[Comparison]:
    """x~ rests, and tends to (8): |x~ - lim| <= e/(1-e) mean |x_i - lim| with e = max (tau_i - 1) eta_i P_i H_i / 2."""
    rest, limit, a, b = fixed_point(s), limit_point(s), pull(s), limit_weights(s) * s.H
    result = (s.w * ((1 - a) * (rest[..., None] - s.x) + s.x)).sum(axis=-1) / s.w.sum(axis=-1)
    few = np.array([t - 1 for t in s.tau], dtype=object if s.nb.exact else float)
    e = s.nb.largest(few * s.eta * s.P * s.H) / 2
    away, total = (s.w * b * s.nb.abs(s.x - limit[..., None])).sum(axis=-1), (s.w * b).sum(axis=-1)
    return [that("x~ = A(x~)", result) == rest, that("limit", s.nb.abs(rest - limit) * (1 - e) * total) <= e * away]


def printed(s: Instance) -> list[Comparison]:
    r"""the formulas, and x~ != x*, lim != x*

    \tilde x=\Big(\sum_iw_i[I-K_i]\Big)^{-1}\sum_iw_i[(I-K_i)x_i^*]\ne x^*,\quad%
      \lim_{\eta\to0}\tilde x=\Big(\sum_iw_i\gamma_i\tau_iP_iH_i\Big)^{-1}\sum_iw_i\gamma_i\tau_iP_iH_ix_i^*\ne x^*
    """
    x = minimizer(s)
    return [
        *formulas(s),
        that("x~ is not x*", s.nb.abs(fixed_point(s) - x)) > x * 0,
        that("the limit is not x*", s.nb.abs(limit_point(s) - x)) > x * 0,
    ]


def corrected(s: Instance) -> list[Comparison]:
    r"""the formulas hold where the averages are invertible, and sum w (I - K_i) (x~ - x*) = -sum w M_i grad F_i(x*): x~
    = x* exactly if these weighted gradients cancel (the limit: with gamma_i tau_i P_i for M_i)

    \sum_iw_i(I-K_i)(\tilde x-x^*)=-\sum_iw_iM_i\nabla F_i(x^*)

    x~ - x* is what the weighted gradients at x* sum up to: it vanishes exactly where they cancel.
    """
    x, M, b = minimizer(s), weighting(s), limit_weights(s)
    g = gradients(s, x)
    moved = (s.w * M * s.H).sum(axis=-1) * (fixed_point(s) - x)
    drifted = (s.w * b * s.H).sum(axis=-1) * (limit_point(s) - x)
    return [
        *formulas(s),
        that("x~ - x*", moved) == -(s.w * M * g).sum(axis=-1),
        that("lim - x*", drifted) == -(s.w * b * g).sum(axis=-1),
    ]


def prove() -> None:
    """sympy (symbols that do not commute) and z3: A_i(x) - x_i* = K_i (x - x_i*) step by step, so x - A(x) = sum w (I -
    K_i)(x - x_i*) in any dimension; with x = x* this is sum w M_i grad F_i(x*). The limit, in any dimension: I - K_i =
    tau Z - R_tau Z^2 with Z = eta_i P_i H_i and R_tau a polynomial in Z (induction on tau), so [sum w (I - K_i)/eta]
    (x~ - lim) = eta sum w E_i (lim - x_i*) with bounded E_i, and x~ - lim = O(eta) where sum w gamma_i tau_i P_i H_i is
    invertible. In d = 1 it always is, and the error is the explicit one (z3).
    """
    prove_fixed_point()
    prove_limit()
    prove_error()


def prove_fixed_point() -> None:
    """One step, tau steps, and how x - A(x) splits, for matrices of any size."""
    x, c, P, H, K, y = matrices("x c P H K y")
    eta = sympy.symbols("eta")
    noncommutative((x - eta * P * H * (x - c) - c, (1 - eta * P * H) * (x - c)))
    noncommutative((x - K * (x - c) - c, (1 - K) * (x - c)))
    noncommutative(((1 - K) * (x - y) + (1 - K) * (y - c), (1 - K) * (x - c)))


def prove_limit() -> None:
    """I - (I - Z)^t = t Z - R_t Z^2, R_{t+1} = R_t + t - R_t Z; then what is left of the equation for x~ at lim."""
    t, w, eta = sympy.symbols("t w eta")
    Z, R, B, E, x, c, limit = matrices("Z R B E x c limit")
    so_far = t * Z - R * Z * Z
    noncommutative((so_far + (1 - so_far) * Z, (t + 1) * Z - (R + t - R * Z) * Z * Z))
    J = w * (B - eta * E)  # w (I - K_i) / eta; a client's share of the equations of x~ and of the limit
    noncommutative((J * (x - limit), J * (x - c) - w * B * (limit - c) + eta * w * E * (limit - c)))


def prove_error() -> None:
    """d = 1: t z (1 - (t-1) z/2) <= 1 - (1-z)^t <= t z, by induction on t, and what that leaves of x~ - lim."""
    z, q, t = reals("z q t")
    low = t * z - t * (t - 1) / 2 * z * z
    given = [0 <= z, z <= 1, t >= 1, low <= q, q <= t * z]
    smt([*given, q <= 1], both((1 - z) * q + z <= (t + 1) * z, (1 - z) * q + z <= 1))
    smt(given, (1 - z) * q + z >= (t + 1) * z - (t + 1) * t / 2 * z * z)
    b, e, u, v, A, B = reals("b e u v A B")
    smt([b > 0, 0 <= e, e < 1, 0 <= u, u <= e], both(b * (1 - u) >= (1 - e) * b, b * u <= e * b))
    smt([A >= (1 - e) * B, B > 0, e < 1, u * A <= v, u >= 0], u * (1 - e) * B <= v)


def _different(s: Instance) -> list[Comparison]:
    apart = s.nb.largest(s.nb.abs(s.x - s.x[:, :1]))
    return [that("minimizers differ", apart) > apart * 0]


def _factors(s: Instance) -> list[Comparison]:
    apart = [s.nb.largest(s.nb.abs(v - v[:, :1])) for v in (weighting(s), limit_weights(s))]
    return [that("M_i differ", apart[0]) > apart[0] * 0, that("gamma_i tau_i P_i differ", apart[1]) > apart[1] * 0]


def fast(cursor: Cursor, tau: tuple[int, ...]) -> Any:
    s = scalar_clients(cursor, tau)
    s.eta = 3 * s.eta
    return s


def equal(cursor: Cursor, tau: tuple[int, ...]) -> Any:
    s = scalar_clients(cursor, tau)
    s.x = s.x * 0
    return s


def alike(cursor: Cursor, tau: tuple[int, ...]) -> Any:
    """One P, one rate and one number of steps, equal curvatures: M_i = M."""
    s = scalar_clients(cursor, tau)
    s.H, s.P, s.eta = (v[:, :1] + 0 * v for v in (s.H, s.P, s.eta))
    return s


def instance(cursor: Cursor, tau: tuple[int, ...], centred: bool) -> Any:
    """``centred``: weights 1, 1, 1, minimizers -1, 1, 0, and the third client has a smaller P and eta."""
    s = scalar_clients(cursor, tau)
    if centred:
        one = s.x[:, 0] * 0 + 1
        s.x, s.w = np.stack([-one, one, one * 0], -1), np.stack([one, one, one], -1)
        s.H = np.stack([s.H[:, 0], s.H[:, 0], s.H[:, 2]], -1)
        s.P, s.eta = (np.stack([v[:, 0], v[:, 0], v[:, 0] * v[:, 2] / 2], -1) for v in (s.P, s.eta))
    return s


TAUS = ((1, 1), (2, 2), (1, 2), (5, 5), (1, 1, 1), (1, 2, 3), (10, 100))
CENTRED = ((1, 1, 2), (2, 2, 5))
DOMAIN = Domain(
    instance,
    grid(tau=CENTRED, centred=(True,)) + grid(tau=TAUS, centred=(False,)),
    "two or three clients in d = 1 with different minimizers, tau up to 100",
)

STATEMENT = Statement(
    kind="identity",
    location="Theorem 2, section 4; proof in Appendix E",
    says="x~ = (sum w [I - K_i])^-1 sum w (I - K_i) x_i* with K_i = (I - eta_i P_i H_i)^tau_i, which tends to (8) as "
    "eta -> 0; neither is x*.",
    reading="The inequality signs are part of the theorem, where there is something to be unequal: the minimizers of "
    "two clients or more differ, and so do their factors (neither the M_i nor the gamma_i tau_i P_i are all equal). d "
    "= 1, 0 < eta_i P_i H_i <= 1; the limit as an explicit bound of order eta. Weights are given up to their sum.",
    severity="missing-hypothesis",
    headline=True,
    domain=DOMAIN,
    hypotheses=(
        POSITIVE,
        between("w_i > 0", lambda s: s.w, 0, role="w_i is the probability of client i, up to a common factor"),
        replace(STABLE, without=Domain(fast, ({"tau": (3, 1)}, {"tau": (4, 1)}), "eta P H up to 3")),
        Hypothesis(
            "two clients differ", _different, Domain(equal, ({"tau": (1, 2)}, {"tau": (3, 3)}), "equal minimizers")
        ),
        Hypothesis(
            "factors differ", _factors, Domain(alike, ({"tau": (1, 1)}, {"tau": (3, 3)}), "one P, eta, tau and H")
        ),
    ),
    printed=claim_of(printed),
    corrected=claim_of(
        corrected,
        prove=prove,
        domain=scalar_domain((*TAUS, (1,), (10**5, 1)), "one to three clients in d = 1, tau up to 1e5"),
    ),
    note="The '!=' is true generically; it fails where the weighted gradients cancel, as where only a client that "
    "rests at x* has factors of its own. FedAvg with one local step is another case of x~ = x*, with equal factors. "
    "That the average of I - K_i is invertible, and FedOpt convergent, is assumed silently, and fails for adaptive "
    "clients at every small rate: LA.T2b.",
)
