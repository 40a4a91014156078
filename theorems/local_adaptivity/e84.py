"""LA (84): z(eta mu) stays below 3 while eta mu tau <= 1."""

from theorems.local_adaptivity.common import between, positive
from theorems.vocabulary import *


def instance(cursor: Cursor, tau: int, top: int = 1) -> Instance:
    return Instance(nb=cursor.nb, tau=tau, x=top * positive(cursor, 1e-9) / tau)


def z(nb: Any, x: Any, tau: int) -> Any:
    """2 x tau / (1 - (1 - x)^(2 tau)), right as x -> 0."""
    return 2 * tau / nb.geometric(x, 2 * tau)


def printed(s: Instance) -> list[Comparison]:
    r"""(84)

    \max z(\eta\mu)=z(1/\tau)=\frac2{1-(1-\frac1\tau)^{2\tau}}\le\frac2{1-e^{-2}}<3
    """
    one = s.x * 0 + 1
    largest = z(s.nb, one / s.tau, s.tau)
    limit = 2 / (1 - s.nb.exp(-2 * one))
    return [
        that("maximum at 1/tau", z(s.nb, s.x, s.tau)) <= largest,
        that("value", largest) == 2 / (1 - (1 - one / s.tau) ** (2 * s.tau)),
        that("at most 2/(1 - e^-2)", largest) <= limit,
        that("below 3", limit) < 3 * one,
        that("z(0+) = 1", 1 - s.x * s.tau) <= 1 / z(s.nb, s.x, s.tau),
    ]


def prove() -> None:
    """z3, sympy and ball arithmetic: z = 2 tau / S with S = sum_{k < 2 tau} (1 - x)^k, and S falls in x by induction
    (S+ = 1 + (1 - x) S), so z is largest at x = 1/tau. 1 - t <= e^-t (equal at 0, slope 1 - e^-t >= 0) gives (1 -
    1/tau)^(2 tau) <= e^-2. Bernoulli's inequality, summed by induction, gives 1 - tau x <= 1/z, and z >= 1 as S <= 2
    tau: z -> 1.
    """
    import flint

    x, y, p, q = reals("x y p q")
    smt([0 <= y, y <= x, x <= 1, 0 <= p, p <= q], 1 + (1 - x) * p <= 1 + (1 - y) * q)
    r, S, k, tau = reals("r S k tau")  # r = (1 - x)^k, S the sum of the k powers before it
    power = [0 < x, x <= 1, k >= 1, r >= 1 - k * x]
    smt(power, (1 - x) * r >= 1 - (k + 1) * x)
    smt([*power, S >= k - k * (k - 1) / 2 * x], S + r >= k + 1 - (k + 1) * k / 2 * x)
    smt([0 < x, tau >= 1, S >= 2 * tau - 2 * tau * (2 * tau - 1) / 2 * x], S >= 2 * tau * (1 - tau * x))
    t = sympy.symbols("t", positive=True)
    slope = sympy.diff(sympy.exp(-t) - (1 - t), t)
    if sympy.simplify(slope - (1 - sympy.exp(-t))) != 0 or (sympy.exp(-t) - 1 + t).subs(t, 0) != 0:
        raise AssertionError("1 - t <= exp(-t) was not derived")
    if not 2 / (1 - flint.arb(-2).exp()) < 3:
        raise AssertionError("2/(1 - e^-2) is not below 3")


STATEMENT = Statement(
    kind="upper bound",
    location="(84), Appendix C",
    says="If eta mu tau <= 1 then z(eta mu) <= z(1/tau) = 2/(1 - (1 - 1/tau)^(2 tau)) <= 2/(1 - e^-2) < 3, and z -> "
    "1 as eta mu -> 0.",
    domain=Domain(instance, grid(tau=(1, 2, 3, 5, 10, 100, 1000, 10**5)), "0 < x <= 1/tau, tau up to 1e5"),
    hypotheses=(
        between(
            "0 < eta mu tau <= 1",
            lambda s: s.x * s.tau,
            0,
            1,
            "(]",
            Domain(lambda c, tau: instance(c, tau, 2), grid(tau=(2, 3)), "eta mu tau up to 2"),
        ),
    ),
    printed=claim_of(printed, prove=prove),
    note="2/(1 - e^-2) is 2.3130..., so the 9 of (85) could be 5.35.",
)
