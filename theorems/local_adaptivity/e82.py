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
        that("(82)", inner) >= 1 - (1 + x) ** n * (1 - x) ** n,
        that("(83) > 0", inner) > x * 0,
        that("(80) = (81)", (1 - x) ** (n + 1) + (n + 1) * x * (1 - x) ** n) == 1 - inner,
    ]


def derive(proof: Derivation, s: Instance) -> None:
    """Bernoulli's inequality (1 + x)^n >= 1 + n x, times (1 - x)^n >= 0; and (1 - x^2)^n < 1."""
    x, p, q, k, r, u, a = reals("x p q k r u a")
    n, at = 2 * s.tau - 1, {"x": s.x}
    proof.leaf("1 - x >= 0", [x <= 1], 0 <= 1 - x, **at)
    proof.leaf("1 - x^2 >= 0", [0 < x, x <= 1], 0 <= (1 - x) * (1 + x), **at)
    proof.leaf("1 - x^2 < 1", [0 < x], (1 - x) * (1 + x) < 1, **at)
    proof.leaf("one factor", [], 1 + x <= 1 + x, **at)
    for j in range(1, n):
        proof.setting("n >= 1", j, 1)
        at = {"x": s.x, "p": (1 + s.x) ** j, "q": (1 - s.x) ** j, "k": s.nb.number(j)}
        proof.leaf("Bernoulli", [0 < x, k >= 1, 1 + k * x <= p], 1 + (k + 1) * x <= (1 + x) * p, **at)
        proof.leaf("powers of 1 - x", [0 <= 1 - x, 0 <= q], 0 <= (1 - x) * q, **at)
        at = {"x": s.x, "r": ((1 - s.x) * (1 + s.x)) ** j}
        proof.leaf("powers of 1 - x^2", [0 <= r, r < 1, 0 <= (1 - x) * (1 + x), (1 - x) * (1 + x) < 1],
                   r * ((1 - x) * (1 + x)) < 1, **at)  # fmt: skip
        proof.leaf("not negative", [0 <= r, 0 <= (1 - x) * (1 + x)], 0 <= r * ((1 - x) * (1 + x)), **at)
    at = {"x": s.x, "p": (1 + s.x) ** n, "q": (1 - s.x) ** n, "k": s.nb.number(n)}
    proof.leaf("(82)", [1 + k * x <= p, 0 <= q], 1 - p * q <= 1 - (1 + k * x) * q, **at)
    product = ((1 - s.x) * (1 + s.x)) ** n
    proof.leaf("(83)", [1 - r <= a, r < 1], 0 < a, r=product, a=1 - (1 + n * s.x) * (1 - s.x) ** n)
    proof.leaf("(80) = (81)", [], (1 - x) * u + (k + 1) * x * u == 1 - (1 - (1 + k * x) * u),
               x=s.x, u=(1 - s.x) ** n, k=s.nb.number(n))  # fmt: skip


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
        domain=Domain(lambda cursor, tau: instance(cursor, tau, 1), grid(tau=(1, 2, 3, 5, 20, 1000)), "0 < x <= 1"),
        given=(between("0 < x <= 1", lambda s: s.x, 0, 1, "(]"),),
        derive=derive,
    ),
    note="Needed only for x = eta mu <= 1. For x > 1 the step multiplies by a negative number, and z has a pole at x "
    "= 2. Simpler: z = 2 tau / sum_{k < 2 tau} (1 - x)^k, a sum that plainly falls on [0, 1].",
)
