"""LA (10): the first order of x* - A(x*) in the client rates."""

from theorems.local_adaptivity.common import WEIGHTS, coordinates
from theorems.local_adaptivity.common_matrices import (
    POSITIVE,
    apply,
    first_order,
    played,
    preconditioned,
    preconditioners,
    short_steps,
    slopes,
    steps,
)
from theorems.vocabulary import *


def remainders(s: Instance) -> Any:
    """eta_i tau_i P_i - M_i = sum_{k < tau_i} [I - (I - Z_i)^k] eta_i P_i, (batch, n, d, d), without cancellation."""
    Z, found = steps(s), []
    P = s.eta[..., None, None] * preconditioners(s).A
    for i, tau in enumerate(s.tau):
        gone = total = P[:, i] * 0
        for _ in range(tau - 1):
            gone = gone + Z[:, i] @ (P[:, i] - gone)
            total = total + gone
        found.append(total)
    return np.stack(found, 1)


def printed(s: Instance) -> list[Comparison]:
    r"""the remainder is at most max(eta tau)/2 sum w |P|^2 |H| |grad F_i(x*)|

    \Big\|\frac{x^*-\mathcal{A}(x^*)}{\max_i\eta_i\tau_i}%
      -\sum_iw_i\frac{\eta_i\tau_iP_i}{\max_i\eta_i\tau_i}\nabla F_i(x^*)\Big\|%
      \le\frac{\max_i\eta_i\tau_i}2\sum_iw_i\|P_i\|^2\|H_i\|\|\nabla F_i(x^*)\|
    """
    x = s.p.minimizer
    g, left = slopes(s, x), remainders(s)
    top = s.nb.largest(s.eta * np.array(s.tau, dtype=object if s.nb.exact else float))
    size = s.nb.largest(s.P) ** 2 * s.nb.largest(s.p.lam) * s.nb.length(g)
    changes = apply(first_order(s) - left, g)
    return [
        *(c for i in range(s.n) for c in coordinates(f"client {i + 1}", x - played(s, i, x), changes[:, i])),
        that("remainder", s.nb.length(s.p.mean(apply(left, g))) / top) <= top / 2 * (s.p.w * size).sum(axis=-1),
    ]


def prove() -> None:
    """z3: With S = P^(1/2) H P^(1/2), M_i = P^(1/2) f(S) P^(1/2), f(s) = (1 - (1 - eta s)^tau)/s, so that all is
    scalar: 0 <= tau z - (1 - (1 - z)^tau) <= tau (tau - 1) z^2/2 on [0, 1], by induction on tau (both steps by z3). So
    0 <= eta tau P - M <= eta^2 tau (tau - 1)/2 P H P; then tau (tau - 1) eta^2 <= (max eta tau)^2.
    """
    z, q, t, a, b = reals("z q t a b")
    low = t * z - t * (t - 1) / 2 * z * z
    given = [0 <= z, z <= 1, t >= 1, low <= q, q <= t * z, q <= 1]
    smt(given, both((1 - z) * q + z <= (t + 1) * z, (1 - z) * q + z <= 1))
    smt(given, (1 - z) * q + z >= (t + 1) * z - (t + 1) * t / 2 * z * z)
    smt([t >= 1, a >= 0, b >= a * t], t * (t - 1) * a * a <= b * b)


def fast(cursor: Cursor, tau: tuple[int, ...], d: int) -> Instance:
    s = preconditioned(cursor, tau, d)
    s.eta = 3 * s.eta
    return s


STATEMENT = Statement(
    kind="limit",
    location="(10), section 4",
    says="[x* - A(x*)]/max eta_i tau_i = sum w eta_i tau_i P_i/(max eta_i tau_i) grad F_i(x*) + O(eta_i tau_i).",
    reading="O(.) is of the largest eta_i tau_i, with the constant 1/2 sum w |P_i|^2 |H_i| |grad F_i(x*)|.",
    domain=Domain(
        preconditioned,
        grid(tau=((1,), (2,), (1, 2), (5, 5), (10, 1, 3)), d=(1, 2)) + grid(tau=((50, 100),), d=(1,)),
        "one to three clients in d <= 2, preconditioners with frames of their own",
    ),
    hypotheses=(
        POSITIVE,
        WEIGHTS,
        short_steps(Domain(fast, grid(tau=((10,), (10, 1, 3)), d=(1,)), "eta |P| |H| up to 3")),
    ),
    printed=claim_of(printed, prove=prove),
    note="The exponent is right: the remainder is of second order unless tau_i = 1, where it is 0.",
)
