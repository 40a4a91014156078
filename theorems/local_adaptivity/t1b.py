"""LA Theorem 1 (ours): no constant makes (7) true, whatever the server rates."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from theorems.domain import Cursor, Domain, grid
from theorems.engines.prove import reals, smt
from theorems.local_adaptivity.common import between, positive
from theorems.local_adaptivity.common_rounds import z3_and
from theorems.statement import Claim, Comparison, Proof, Statement


def instance(cursor: Cursor, c: int) -> SimpleNamespace:
    """T = 8c rounds, contraction h <= 1/(64 c), noise 1, and a start whose h^T |x^(0) - x~|^2 is 1/T."""
    return SimpleNamespace(nb=cursor.nb, c=c, T=8 * c, h=positive(cursor, 1e-6) / (64 * c))


def exceeds(s: Any) -> list[Comparison]:
    bias = 1 / (s.T * s.h)  # h^(T-1) r_0
    slope_free = bias / (bias + 1)  # (1 - sqrt h)^2 <= 1
    return [
        Comparison("above", slope_free, ">", s.c * (1 / (s.T * (1 - s.h)) + 1 / (s.T * (1 - s.h) ** 2))),
    ]


def prove() -> Proof:
    alpha, q, B, N, c, h, T, f = reals("alpha q B N c h T f")
    smt([B > 0, N > 0], ((1 - q * alpha) ** 2 * B + alpha**2 * N) * (q * q * B + N) >= B * N)
    smt([0 < h, h < 1, 0 <= alpha, alpha <= 1], 1 - alpha * (1 - h) >= h)
    given = [c >= 1, T == 8 * c, h > 0, 64 * c * h <= 1]
    smt(given, z3_and(T * h * 8 <= 1, 64 * h <= 1))
    smt([*given, T * h * 8 <= 1, f == 1 / (1 - h), 64 * h <= 1], z3_and(f >= 1, 63 * f <= 64))
    smt([*given, f >= 1, 63 * f <= 64, 8 * T * h <= 1, B * T * h == 1], z3_and(B >= 8, 9 * B >= 8 * (B + 1)))
    smt([f >= 1, 63 * f <= 64], f + f * f < 8 * 8 / reals_constant(9) * 1)
    return Proof(
        "z3",
        "With one client x+ = (1 - alpha(1 - s)) x + alpha xi and s^2 = h, rates in [0, 1] keep at least s^(T-1) of "
        "the start before the last round, and that round leaves at least B N/((1-s)^2 B + N) for every alpha, B = "
        "h^(T-1) r_0. At T = 8c, h <= 1/(64c), h^T r_0 = N/T this exceeds 8N/9 while (7) allows c (f + f^2) N/T < "
        "8N/9, f = 1/(1-h).",
    )


def reals_constant(value: int) -> Any:
    import z3

    return z3.RealVal(value)


STATEMENT = Statement(
    id="LA.T1b",
    paper="local_adaptivity",
    kind="existence",
    location="not in the paper: about Theorem 1, section 4",
    says="For every c >= 1 there is a run of 8c rounds with one client whose error exceeds (7) with that c, for every "
    "choice of server rates in [0, 1].",
    reading="As LA.T1; one client with h <= 1/(64 c) and noise sigma^2 q = 1.",
    domain=Domain(instance, grid(c=(1, 2, 36, 1000, 10**6)), "c from 1 to 1e6, h from 1e-6/(64 c) to 1/(64 c)"),
    hypotheses=(between("0 < h < 1", lambda s: s.h, 0, 1),),
    printed=Claim(
        "the least error over all schedules exceeds (7)",
        r"\min_\alpha\left[(1-(1-s)\alpha)^2B+\alpha^2N\right]=\frac{BN}{(1-s)^2B+N}>c\left(\frac{h^Tr_0}{1-h}+"
        r"\frac{N}{T(1-h)^2}\right)",
        exceeds,
        prove,
    ),
    note="So (7) does not hold with a universal constant; with the exponent T/2 it does (LA.T1, corrected).",
)
