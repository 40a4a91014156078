"""LA (64), (65): what Stich's lemma gives for FedOpt."""

from theorems.local_adaptivity.common import between
from theorems.local_adaptivity.common_rounds import prove_decreasing, recursion, recursion_instance
from theorems.vocabulary import *


def expansive(cursor: Cursor, T: int) -> Instance:
    s = recursion_instance(cursor, T)
    s.rho = 2 * s.rho
    return s


def printed(s: Instance) -> list[Comparison]:
    r"""(64) and (65)

    \mathbb{E}\|x^{(T+1)}-\tilde x\|^2\le\frac{32\|x^{(0)}-\tilde x\|^2}{1-\rho}\rho^{T/2}%
      +\frac{36\sigma^2\sum_iw_i^2q_i}{T(1-\rho)^2}

    Squares of rho^(T/2) are avoided: T is even.
    """
    a, half = 1 - s.rho, s.T // 2
    return [
        that("(64)", recursion(s, s.T + 1)) <= 32 * s.rho**half * s.start / a + 36 * s.noise / (a * a * s.T),
        that("(65) with c = 36", 32 * s.rho**half * s.start / a + 36 * s.noise / (a * a * s.T))
        <= 36 * (s.rho**half * s.start / a + s.noise / (a * a * s.T)),
    ]


def prove() -> None:
    """z3: Our schedule for T + 1 rounds (LA.T1, corrected) gives rho^((T+1)/2) r_0 + 12 N/(a^2 (T+1)), which is below
    (64) term by term; (65) follows with c = 36.
    """
    prove_decreasing()
    p, a, r, N, T = reals("p a r N T")  # p = rho^(T/2), and rho^((T+1)/2) <= p
    smt([0 <= p, r >= 0, 0 < a, a <= 1], p * r <= 32 * p * r / a)
    smt([N >= 0, 0 < a, T >= 1], 12 * N / (a * a) * T <= 36 * N / (a * a) * (T + 1))


STATEMENT = Statement(
    kind="upper bound",
    location="(64) and (65), Appendix C",
    says="With suitable server rates E||x^(T+1) - x~||^2 <= 32 ||x^(0) - x~||^2 (sum w h)^(T/2) / (1 - sum w h) + 36 "
    "sigma^2 sum w^2 q / (T (1 - sum w h)^2), hence (65) with c = 36.",
    reading="The rates are those whose existence Lemma 3 should assert (LA.L3); we show it for the schedule of "
    "LA.T1. T >= 1. (65) bounds x^(T+1); T even, so that all powers are whole.",
    domain=Domain(recursion_instance, grid(T=(2, 4, 6, 10, 20, 100)), "the recursion (61) with 0 < rho < 1"),
    hypotheses=(
        between(
            "0 <= rho < 1", lambda s: s.rho, 0, 1, "[)", Domain(expansive, grid(T=(2, 4)), "rho = sum w h up to 2")
        ),
        between("noise >= 0", lambda s: s.noise, 0, None, "[]", role="a variance"),
        between("r_0 >= 0", lambda s: s.start, 0, None, "[]", role="a square"),
    ),
    printed=claim_of(printed, prove=prove),
    note="(65) contradicts Theorem 1, which it is to prove: exponent T/2, not T (LA.T1, LA.T1b).",
)
