"""DA (56): variation of constants for (49)."""

from __future__ import annotations

from theorems.engines.prove import reals, smt
from theorems.fedda.common_state import cauchy_schwarz
from theorems.fedda.e49 import prove_spectrum
from theorems.statement import Claim, Proof, Statement


def prove() -> Proof:
    cauchy_schwarz()
    prove_spectrum()
    keep, k, e, value, push, f = reals("keep k e value push f")
    box = [0 <= keep, keep < 1, k > 0, 0 < e, e <= 1, push >= 0]
    smt([*box, value <= e * keep * push], value <= e * push)
    smt([*box, f == (1 - e) / k, value <= f * keep * push], value <= f * push)
    return Proof(
        "z3 and sympy",
        "Abar is non-negative off its diagonal, so exp(Abar t) >= 0 entrywise and (49) integrates entry by entry, "
        "with the factor 1 - beta under the integral; without it the right side only grows.",
    )


STATEMENT = Statement(
    id="DA.E56",
    paper="fedda",
    kind="upper bound",
    location="(56), appendix A.3",
    says="(|mbar - m|, |Wbar - W|) at t eta is at most the integral of exp(Abar (t eta - s)) (|sum p_i (g^i(Wbar^i) - "
    "g^i(W))|/eta, 0).",
    reading="The vector's second entry, 0, is lost in print.",
    printed=Claim(
        "both entries",
        r"X(t\eta)\le\int_0^{t\eta}e^{\bar A(t\eta-\tau)}\begin{pmatrix}"
        r"\|\sum_i\tfrac{N_i}{N}(g^i(\bar W^i)-g^i(W))\|/\eta\\0"
        r"\end{pmatrix}d\tau",
        None,
        prove,
    ),
    note="True with the factor 1 - beta of (49), too, which the print drops: a bound 1/(1 - beta) times too large "
    "(10 at beta = 0.9).",
)
