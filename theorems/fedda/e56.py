"""DA (56): variation of constants for (49)."""

from theorems.fedda.common_flow import FLOW, SMALL_RATE, decoupled_at, flows, sgdm_at, start
from theorems.fedda.common_state import cauchy_schwarz
from theorems.fedda.e49 import prove_spectrum
from theorems.vocabulary import *


def compare(s: Instance) -> list[Comparison]:
    """One client: Wbar^1 = W* + y exp(-a tau) stays ahead of W, so that the forcing a (Wbar^1 - W) has one sign."""
    f, tau, exp = start(s), s.t * s.eta, s.nb.exp
    (W, m), (other, momentum) = sgdm_at(s, tau), decoupled_at(s, tau)
    fresh = kept = s.x * 0  # the integrals of exp(-k (tau - u)) and of 1 - exp(-k (tau - u)) against the forcing
    for share, rate in ((1, f.H), (s.mode - 1, f.slow), (-s.mode, f.fast)):
        first = (exp(-(rate * tau)) - exp(-(f.k * tau))) / (f.k - rate)
        fresh = fresh + share * first
        kept = kept + share * ((1 - exp(-(rate * tau))) / rate - first)
    push = f.H * f.y / s.eta
    return [
        that("momentum", s.nb.abs(momentum - m)) <= push * fresh,
        that("model", s.nb.abs(other - W)) <= push * kept / f.k,
    ]


def prove() -> None:
    """z3 and sympy: Abar is non-negative off its diagonal, so exp(Abar t) >= 0 entrywise and (49) integrates entry by
    entry, with the factor 1 - beta under the integral; without it the right side only grows.
    """
    cauchy_schwarz()
    prove_spectrum()
    keep, k, e, value, push, f = reals("keep k e value push f")
    box = [0 <= keep, keep < 1, k > 0, 0 < e, e <= 1, push >= 0]
    smt([*box, value <= e * keep * push], value <= e * push)
    smt([*box, f == (1 - e) / k, value <= f * keep * push], value <= f * push)


STATEMENT = Statement(
    kind="upper bound",
    location="(56), appendix A.3",
    says="(|mbar - m|, |Wbar - W|) at t eta is at most the integral of exp(Abar (t eta - s)) (|sum p_i (g^i(Wbar^i) - "
    "g^i(W))|/eta, 0).",
    reading="The vector's second entry, 0, is lost in print. Searched with one client, where the forcing is positive.",
    domain=flows(n=(1,)),
    hypotheses=(SMALL_RATE, FLOW),
    printed=Claim(
        "both entries",
        r"X(t\eta)\le\int_0^{t\eta}e^{\bar A(t\eta-\tau)}\begin{pmatrix}"
        r"\|\sum_i\tfrac{N_i}{N}(g^i(\bar W^i)-g^i(W))\|/\eta\\0"
        r"\end{pmatrix}d\tau",
        compare,
        prove,
    ),
    note="True with the factor 1 - beta of (49), too, which the print drops: a bound 1/(1 - beta) times too large "
    "(10 at beta = 0.9).",
)
