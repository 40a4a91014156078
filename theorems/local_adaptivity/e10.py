"""LA (10): the first order of x* - A(x*) in the client rates."""

from theorems.local_adaptivity.common import WEIGHTS
from theorems.local_adaptivity.common_quadratic import (
    POSITIVE,
    STABLE,
    gradients,
    limit_weights,
    minimizer,
    scalar_clients,
    scalar_domain,
    weighting,
)
from theorems.vocabulary import *


def printed(s: Instance) -> list[Comparison]:
    r"""the remainder is at most max(eta tau)/2 sum w P^2 H |grad F_i(x*)|

    \Big\|\frac{x^*-\mathcal{A}(x^*)}{\max_i\eta_i\tau_i}%
      -\sum_iw_i\frac{\eta_i\tau_iP_i}{\max_i\eta_i\tau_i}\nabla F_i(x^*)\Big\|%
      \le\frac{\max_i\eta_i\tau_i}2\sum_iw_i\|P_i\|^2\|H_i\|\|\nabla F_i(x^*)\|

    The remainder over max eta_i tau_i is at most max (eta_i tau_i) / 2 times mean P_i^2 H_i |grad F_i(x*)|.
    """
    g = gradients(s, minimizer(s))
    steps = np.array(s.tau, dtype=object if s.nb.exact else float)
    top = s.nb.largest(s.eta * steps)
    remainder = (s.w * (limit_weights(s) - weighting(s)) * g).sum(axis=-1)
    size = (s.w * s.P**2 * s.H * s.nb.abs(g)).sum(axis=-1)
    return [that("remainder", s.nb.abs(remainder) / top) <= top / 2 * size]


def prove() -> None:
    """z3: With S = P^(1/2) H P^(1/2), M_i = P^(1/2) f(S) P^(1/2), f(s) = (1 - (1 - eta s)^tau)/s, so that all is
    scalar: 0 <= tau z - (1 - (1 - z)^tau) <= tau (tau - 1) z^2/2 on [0, 1], by induction on tau (both steps by z3);
    then tau (tau - 1) eta^2 <= (max eta tau)^2.
    """
    z, q, t, a, b = reals("z q t a b")
    low = t * z - t * (t - 1) / 2 * z * z
    given = [0 <= z, z <= 1, t >= 1, low <= q, q <= t * z, q <= 1]
    smt(given, both((1 - z) * q + z <= (t + 1) * z, (1 - z) * q + z <= 1))
    smt(given, (1 - z) * q + z >= (t + 1) * z - (t + 1) * t / 2 * z * z)
    smt([t >= 1, a >= 0, b >= a * t], t * (t - 1) * a * a <= b * b)


def fast(cursor: Cursor, tau: tuple[int, ...]) -> Instance:
    s = scalar_clients(cursor, tau)
    s.eta = 3 * s.eta
    return s


STATEMENT = Statement(
    kind="limit",
    location="(10), section 4",
    says="[x* - A(x*)]/max eta_i tau_i = sum w eta_i tau_i P_i/(max eta_i tau_i) grad F_i(x*) + O(eta_i tau_i).",
    reading="O(.) is of the largest eta_i tau_i, with the constant 1/2 sum w P_i^2 H_i |grad F_i(x*)|; 0 < eta_i P_i "
    "H_i <= 1. d = 1 (in d > 1: |P_i|^2 |H_i|).",
    domain=scalar_domain(((1,), (2,), (1, 2), (5, 5), (10, 1, 3), (1000, 10**5)), "one to three clients in d = 1"),
    hypotheses=(
        POSITIVE,
        WEIGHTS,
        replace(STABLE, without=Domain(fast, ({"tau": (10,)}, {"tau": (10, 1, 3)}), "eta P H up to 3")),
    ),
    printed=claim_of(printed, prove=prove),
    note="The exponent is right: the remainder is of second order unless tau_i = 1, where it is 0.",
)
