"""LA Theorem 1 (ours): no constant makes (7) true, whatever the server rates."""

from theorems.local_adaptivity.common import between, positive
from theorems.vocabulary import *


def instance(cursor: Cursor, c: int) -> Instance:
    """T = 8c rounds, contraction h <= 1/(64 c), noise 1, and a start whose h^T |x^(0) - x~|^2 is 1/T."""
    return Instance(nb=cursor.nb, c=c, T=8 * c, h=positive(cursor, 1e-6) / (64 * c))


def exceeds(s: Instance) -> list[Comparison]:
    r"""the least error over all schedules exceeds (7)

    \min_\alpha\left[(1-q\alpha)^2B+\alpha^2N\right]=\frac{BN}{q^2B+N}>c\left(\frac{h^Tr_0}{1-h}+\frac{N}{T(1-h)^2}%
      \right)

    The least error over the last rate, B N/(q^2 B + N) with N = 1: q = 1 - sqrt h <= 1, or (1 + sqrt h)^2 <= 2.
    """
    start = 1 / (s.T * s.h)  # h^(T-1) r_0
    spread = (1 - s.h) * start  # what is left of it at least, for real rates
    bound = s.c * (1 / (s.T * (1 - s.h)) + 1 / (s.T * (1 - s.h) ** 2))
    return [
        that("d = 1, rates in [0, 1]", start / (start + 1)) > bound,
        that("d = T + 1, real rates", spread / (2 * spread + 1)) > bound,
    ]


def prove() -> None:
    """z3 and sympy: d = 1: with x+ = (1 - alpha(1 - s)) x + alpha xi, s^2 = h, rates in [0, 1] keep at least s^(T-1) of
    the start before the last round, which leaves at least B N/(q^2 B + N) for every alpha, B = h^(T-1) r_0 and q = 1 -
    s. d = T + 1: let A be s times the shift e_k -> e_{k+1}, a contraction with h = s^2, and start in e_0. After n
    rounds the mean is sum c_k s^k e_k with sum c_k = 1, whatever the real rates are, and sum c_k^2 h^k >= (1 - h) h^n
    (sum c_k)^2 by induction on n. So B = (1 - h) h^(T-1) r_0 is left before the last round, which scales by at least 1
    - |alpha| (1 + s): q = 1 + s. At T = 8c, h <= 1/(64c), h^T r_0 = N/T both exceed what (7) allows, c (f + f^2) N/T
    with f = 1/(1-h).
    """
    prove_unit_rates()
    prove_real_rates()


def prove_unit_rates() -> None:
    alpha, q, B, N, c, h, T, f = reals("alpha q B N c h T f")
    smt([B > 0, N > 0], ((1 - q * alpha) ** 2 * B + alpha**2 * N) * (q * q * B + N) >= B * N)
    smt([0 < h, h < 1, 0 <= alpha, alpha <= 1], 1 - alpha * (1 - h) >= h)
    given = [c >= 1, T == 8 * c, h > 0, 64 * c * h <= 1]
    smt(given, both(T * h * 8 <= 1, 64 * h <= 1))
    smt([*given, T * h * 8 <= 1, f == 1 / (1 - h), 64 * h <= 1], both(f >= 1, 63 * f <= 64))
    smt([*given, f >= 1, 63 * f <= 64, 8 * T * h <= 1, B * T * h == 1], both(B >= 8, 9 * B >= 8 * (B + 1)))
    smt([f >= 1, 63 * f <= 64], 9 * (f + f * f) < 64)


def prove_real_rates() -> None:
    """S, Q: the sums of c_k and of c_k^2 h^k up to n, f = h^n, c = c_{n+1}; a = |alpha|."""
    total, new, ratio = sympy.symbols("S c h")
    gap = (1 - ratio) * total**2 + ratio * new**2 - (1 - ratio) * ratio * (total + new) ** 2
    identity((gap, ((1 - ratio) * total - ratio * new) ** 2))
    S, Q, f, c, h, g = reals("S Q f c h g")
    smt([f > 0, g >= 0, Q >= (1 - h) * f * S * S, g == (1 - h) * S * S + h * c * c - (1 - h) * h * (S + c) * (S + c)],
        Q + c * c * h * f >= (1 - h) * h * f * (S + c) * (S + c))  # fmt: skip
    alpha, s, a, q, B, N = reals("alpha s a q B N")
    smt([both(a >= alpha, a >= -alpha), s >= 0, a * (1 + s) <= 1], 1 - alpha - a * s >= 1 - a * (1 + s))
    smt([a * q > 1, a >= 0, q > 0, B > 0, N > 0], a * a * N * (q * q * B + N) >= B * N)
    smt([B >= 7], 15 * B >= 7 * (2 * B + 1))
    smt([h > 0, 64 * h <= 1, B > 0, s * s == h, s > 0], (1 + s) * (1 + s) <= 2)
    smt([h > 0, 64 * h <= 1, B >= 8], (1 - h) * B >= 7)
    smt([f >= 1, 63 * f <= 64], 15 * (f + f * f) < 56)


STATEMENT = Statement(
    kind="existence",
    location="not in the paper: about Theorem 1, section 4",
    says="For every c >= 1 there is a run of 8c rounds whose error exceeds (7) with that c: for every choice of server "
    "rates in [0, 1] with one client in d = 1, and for every choice of real server rates in d = 8c + 1.",
    reading="As LA.T1; h <= 1/(64 c), noise sigma^2 q = 1. Rates chosen beforehand, with knowledge of everything but "
    "the noise. In d = T + 1 the client's operator is a scaled shift, which meets Assumptions 1 and 2.",
    domain=Domain(instance, grid(c=(1, 2, 36, 1000, 10**6)), "c from 1 to 1e6, h from 1e-6/(64 c) to 1/(64 c)"),
    hypotheses=(between("0 < h <= 1/(64 c)", lambda s: 64 * s.c * s.h, 0, 1, "(]", role="a choice of ours"),),
    printed=claim_of(exceeds, prove=prove),
    note="So (7) does not hold with a universal constant; with the exponent T/2 it does (LA.T1, corrected).",
)
