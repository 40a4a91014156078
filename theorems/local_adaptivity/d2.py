"""LA section 4: with equal hyper-parameters the bias is O(eta (tau - 1))."""

from theorems.local_adaptivity.common import WEIGHTS, between
from theorems.vocabulary import *


def instance(cursor: Cursor, n: int, d: int, tau: int) -> Instance:
    p = clients(cursor, n, d, weighted=True, least_mu=Fraction(1, 1000))
    return Instance(nb=cursor.nb, p=p, eta=rate(cursor, p.L), tau=tau, theta=Theta.sum(tau))


def fast(cursor: Cursor, n: int, d: int, tau: int) -> Instance:
    s = instance(cursor, n, d, tau)
    s.eta = 2 * s.eta
    return s


def printed(s: Instance) -> list[Comparison]:
    r"""at most 4 (L/mu) eta (tau - 1) E||grad F_i(x*)||

    \|\tilde x-x^*\|\le\frac{4L}\mu\eta(\tau-1)\,\mathbb{E}\|\nabla F_i(x^*)\|

    4 (L/mu) eta (tau - 1) E|grad F_i(x*)|.
    """
    p = s.p
    g = (p.A @ (p.minimizer[..., None, :] - p.c)[..., None])[..., 0]
    size = (p.w * s.nb.length(g)).sum(axis=-1)
    bound = 4 * p.L / p.mu * s.eta * (s.tau - 1) * size
    return [that("bias", s.nb.length(p.displacement(s.eta, s.theta))) <= bound]


def prove() -> None:
    """z3: x~ - x* = -J^-1 sum w (Q_i - tau) grad F_i(x*) with J >= phi = mu S(eta mu), so its norm is at most x G/phi,
    x = tau - S(eta L) <= min(tau, tau (tau-1) eta L/2). S >= tau/(1 + z tau) gives phi >= mu tau/2 if eta mu tau <= 1
    and phi >= 1/(2 eta) else. All steps, inductions included, are decided by z3.
    """
    z, S, t, x, G, L, mu, eta, D, phi, kappa = reals("z S t x G L mu eta D phi kappa")
    # tau - S <= tau (tau - 1) z / 2 for S = sum_{k<tau} (1-z)^k, and S >= tau/(1 + z tau), by induction on tau.
    given = [0 <= z, z <= 1, t >= 1, S >= 0, S <= t, S * z <= 1]
    smt([*given, t - S <= t * (t - 1) / 2 * z], (t + 1) - (1 + (1 - z) * S) <= (t + 1) * t / 2 * z)
    smt([*given, S * (1 + z * t) >= t], (1 + (1 - z) * S) * (1 + z * (t + 1)) >= t + 1)
    # phi = mu S(eta mu) >= mu tau/(1 + eta mu tau); the two cases eta mu tau <= 1 and > 1.
    basic = [G >= 0, mu > 0, eta > 0, t >= 2, phi > 0, kappa >= 1, D * phi <= x * G, x >= 0]
    smt(
        [*basic, 2 * phi >= mu * t, 2 * x <= t * (t - 1) * eta * L, kappa * mu == L], D <= 4 * kappa * eta * (t - 1) * G
    )
    smt([*basic, 2 * phi * eta >= 1, x <= t], D <= 4 * kappa * eta * (t - 1) * G)


STATEMENT = Statement(
    kind="limit",
    location="section 4, the minimizer inconsistency problem (after [19, 20])",
    says="For quadratics, GD clients and equal eta and tau, ||x~ - x*|| = O(eta (tau - 1)).",
    reading="With the constant 4 (L/mu) E||grad F_i(x*)||, which does not depend on eta or tau; 0 < eta L < 1.",
    domain=Domain(
        instance,
        grid(n=(1, 2, 3), d=(1, 2), tau=(1, 2, 3, 10, 100, 10**5)),
        "up to three clients in d <= 2, tau to 1e5",
    ),
    hypotheses=(
        WEIGHTS,
        between("mu > 0", lambda s: s.p.mu, 0, role="x* and x~ exist, and 1/mu is in the constant"),
        between(
            "0 < eta L < 1",
            lambda s: s.eta * s.p.L,
            0,
            1,
            without=Domain(fast, grid(n=(2,), d=(1,), tau=(2, 3, 5)), "eta up to 2/L"),
        ),
    ),
    printed=claim_of(printed, prove=prove),
    note="Uniform in eta and tau, so the rate is right in both. For large eta mu tau the bias stays bounded while "
    "the bound grows: see OLR.T17b.",
)
