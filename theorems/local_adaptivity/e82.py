"""LA (78)-(83): z(x) = 2 x tau / (1 - (1 - x)^(2 tau)) increases."""

from theorems.local_adaptivity.common import between, positive
from theorems.vocabulary import *


def instance(cursor: Cursor, tau: int, top: int = 3) -> Instance:
    return Instance(nb=cursor.nb, tau=tau, x=top * positive(cursor))


def signed(cursor: Cursor, tau: int) -> Instance:
    return Instance(nb=cursor.nb, tau=tau, x=1 - 2 * cursor.take())


def printed(s: Instance) -> list[Comparison]:
    n, x = 2 * s.tau - 1, s.x
    inner = 1 - (1 + n * x) * (1 - x) ** n
    return [
        that("(82)", inner + 1) >= 2 - (1 + x) ** n * (1 - x) ** n,
        that("(83) > 0", inner + 1) > x * 0 + 1,
        that("(80) = (81)", (1 - x) ** (n + 1) + (n + 1) * x * (1 - x) ** n) == 1 - inner,
    ]


def prove() -> None:
    """z3 and sympy: (79) and (80) = (81) symbolically; (82) is Bernoulli's inequality, by induction, times (1 - x)^(2
    tau - 1) >= 0, and (83) that (1 - x^2)^(2 tau - 1) < 1, both for 0 < x <= 1.
    """
    x, p, n, q, y = reals("x p n q y")
    smt([x > 0, n >= 1, p >= 1 + n * x], (1 + x) * p >= 1 + (n + 1) * x)  # Bernoulli, from 1 + x >= 1 + x
    smt([0 < x, x <= 1, p >= 1 + n * x, n >= 1, q >= 0], (1 + n * x) * q <= p * q)
    smt([0 < x, x <= 1, 0 <= y, y <= 1], both((1 - x * x) * y <= y, 1 - x * x < 1))
    X, t, u = sympy.symbols("x tau u", positive=True)  # u = (1 - x)^(2 tau - 1)
    identity(((1 - X) * u + 2 * X * t * u, (1 + (2 * t - 1) * X) * u))
    z = 2 * X * t / (1 - (1 - X) ** (2 * t))
    below = 1 - (1 - X) ** (2 * t)
    quoted = (2 * t * below - 4 * X * t**2 * (1 - X) ** (2 * t - 1)) / below**2
    if sympy.simplify(sympy.powsimp(sympy.diff(z, X) - quoted)) != 0:
        raise AssertionError("(79) is not the derivative of z")


STATEMENT = Statement(
    kind="monotone",
    location="(78) to (83), Appendix C",
    says="For x > 0, z'(x) is at least the expression (82), (83), which is positive: z increases.",
    reading="Common positive factors are left out. The text says x > 0.",
    severity="missing-hypothesis",
    domain=Domain(instance, grid(tau=(1, 2, 3, 5, 20)), "0 < x <= 3, tau <= 20"),
    hypotheses=(between("x > 0", lambda s: s.x, 0, without=Domain(signed, grid(tau=(1, 2)), "-1 <= x <= 1")),),
    printed=Claim(
        "(82), (83) for all x > 0", r"1-[1+(2\tau-1)x](1-x)^{2\tau-1}\ge1-(1+x)^{2\tau-1}(1-x)^{2\tau-1}>0", printed
    ),
    corrected=Claim(
        "for 0 < x <= 1",
        r"0<x\le1:\ 1-[1+(2\tau-1)x](1-x)^{2\tau-1}\ge1-(1+x)^{2\tau-1}(1-x)^{2\tau-1}>0",
        printed,
        prove,
        Domain(lambda cursor, tau: instance(cursor, tau, 1), grid(tau=(1, 2, 3, 5, 20, 1000, 10**5)), "0 < x <= 1"),
    ),
    note="Needed only for x = eta mu <= 1. For x > 1 the step multiplies by a negative number, and z has a pole at x "
    "= 2. Simpler: z = 2 tau / sum_{k < 2 tau} (1 - x)^k, a sum that plainly falls on [0, 1].",
)
