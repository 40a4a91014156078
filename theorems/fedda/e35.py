"""DA (34) and (35): FedDA+Adam, the global gradient G and what the server's Adam makes of it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from theorems.fedda.common import BETA, LARGE_BETA, RATES, numeric, procedures, symbolic, vanishes
from theorems.fedda.common_rest import gradients, momenta_telescope, rest_of_round
from theorems.statement import Claim, Comparison, Proof, Statement, Step


def sums(s: Any) -> Any:
    """P of T local steps with the constant gradient g = x from m(E) = g, where steady rounds hold the momentum."""
    m, P = s.x, s.x * 0
    for _ in range(s.T):
        m = s.beta * m + (1 - s.beta) * s.x
        P = P + m
    return P


def synchronized(s: Any) -> list[Comparison]:
    """m^ = beta m(E) + (1 - beta) G against V^ = G^2, where steady rounds hold V, with hats that no longer correct."""
    G = (sums(s) - s.beta * s.x) / (1 - s.beta)
    momentum = s.beta * s.x + (1 - s.beta) * G
    return [Comparison("(m^)^2 = V^", momentum * momentum, "==", G * G)]


def true_gradient(r: Any) -> tuple[Any, Any, Any]:
    """Ours, (P - beta (m(E) - m(E+1)) / (1 - beta)) / T; the mean of the round's gradients; the printed G."""
    P, m, total = gradients(r)
    return (P - r.beta * (r.m - m) / (1 - r.beta)) / r.T, total / r.T, (P - r.beta * r.m) / (1 - r.beta)


def corrected(s: Any) -> list[Comparison]:
    ours, mean, printed = true_gradient(numeric(s))
    agrees = ours if s.T > 1 else printed
    return [
        Comparison("mean of the round's gradients", ours, "==", mean),
        Comparison("as printed for T = 1", agrees, "==", mean),
        Comparison("P/T of steady gradients", sums(s) / s.T, "==", s.x),
    ]


def prove() -> Proof:
    momenta_telescope()
    r = symbolic(2, 1)
    ours, mean, printed = true_gradient(r)
    vanishes(ours - mean, "T = 1")
    vanishes(printed - mean, "T = 1, as printed")
    return Proof(
        "sympy identity",
        "By induction on T, (1 - beta) P = beta (m(E) - m(E+1)) + (1 - beta) sum_t g_t with g_t the clients' mean "
        "gradient of step t (DA.E28): solved for the sum. For T = 1 P = m(E+1), and the formula is the printed one. "
        "At a steady gradient m stays g, so P/T = g and the mean gradient is g: m^ = +-sqrt(V^).",
    )


def rests(s: Any) -> list[Comparison]:
    return rest_of_round(s)


def prove_rest() -> Proof:
    momenta_telescope()
    return Proof(
        "sympy identity",
        "m^ is P over 1 - beta_1^E, and W rests where it is 0: with m(E+1) = m(E) the telescoped sum (DA.E28) makes "
        "the mean of the clients' sums of gradients 0.",
    )


def slip(s: Any) -> list[Comparison]:
    """The text's P = beta_1 + (1 - beta_1) G with its G = (P - beta_1 m(E)) / (1 - beta_1)."""
    P, _, _ = gradients(numeric(s))
    return [Comparison("P", s.beta + (1 - s.beta) * ((P - s.beta * s.m) / (1 - s.beta)), "==", P)]


def carried(s: Any) -> list[Comparison]:
    """Adam's next momentum is beta m + (1 - beta) G = P; (35) keeps the mean of m^i(T)."""
    P, m, _ = gradients(numeric(s))
    return [Comparison("m(E+1)", m, "==", P)]


def one_step(s: Any) -> list[Comparison]:
    """T = 1 at round E = 2 with V(E) = x^2: the V^ of (35) and of (30), both with the printed exponent."""
    _, _, g = gradients(numeric(s))
    V = s.x * s.x
    kept = s.beta2 * V + (1 - s.beta2) * g * g
    return [Comparison("V^", V / (1 - s.beta2**2), "==", kept / (1 - s.beta2**2))]


ONE = procedures(n=(1, 2), T=(1, 2, 3))
STATEMENT = Statement(
    id="DA.E35",
    paper="fedda",
    kind="identity",
    location="(34), (35) and the paragraph after, appendix A.2",
    says="P as the momentum of a global Adam gives it the gradient G = (P - beta_1 m(E))/(1 - beta_1), and m, v are as "
    "synchronized as centralized Adam's, whose m^/sqrt(v^) is about +-1.",
    reading="Judged where centralized Adam has m^/sqrt(v^) = +-1 exactly: all gradients equal to g, m and V where "
    "steady rounds hold them, E so late that the hats correct nothing. (38), (39) have the same G.",
    headline=True,
    severity="substantive",
    domain=procedures(n=(1, 2), T=(1, 2, 3, 5, 10, 100)),
    hypotheses=(replace(BETA, without=LARGE_BETA), RATES),
    printed=Claim("m^ = +-sqrt(V^) at steady gradients", r"\hat m(E+1)=\pm\sqrt{\hat V(E+1)}", synchronized),
    corrected=Claim(
        "the gradient that the round has seen is (P - beta_1 (m(E) - m(E+1))/(1 - beta_1))/T, for every T the mean "
        "over steps and clients, which with P/T for the momentum keeps m^/sqrt(V^) = +-1 at steady gradients",
        r"\mathcal G=\frac1T\Big(P-\frac{\beta_1}{1-\beta_1}(m(E)-m(E+1))\Big)"
        r"=\frac1T\sum_{t<T}\sum_i\tfrac{N^i}{N}g^i(W^i(t))",
        corrected,
        prove,
    ),
    steps=(
        Step(
            "'P = beta_1 + (1 - beta_1) G'",
            Claim("the equation that 'simple algebra' solves", r"P=\beta_1+(1-\beta_1)\mathcal G", slip, None, ONE),
            "P = beta_1 m(E) + (1 - beta_1) G",
        ),
        Step(
            "the global Adam carries m(E+1), the mean of m^i(T)",
            Claim("after G its momentum is P", r"m(E+1)=\beta_1m(E)+(1-\beta_1)\mathcal G", carried, None, ONE),
            "only for T = 1: P is T momenta, m(E) is one, and so the difference P - beta_1 m(E) mixes scales",
        ),
        Step(
            "V^(E+1) = V(E)/(1 - beta_2^E): one local step is centralized Adam",
            Claim(
                "T = 1 gives the V^ of (30)",
                r"\hat V(E+1)=V(E)/(1-\beta_2^E)",
                one_step,
                None,
                procedures(n=(1, 2), T=(1,), extras=("beta2",)),
            ),
            "V(E+1)/(1 - beta_2^(E+1)), as in Algorithm 2 but for the exponent",
        ),
        Step(
            "where it rests (ours): where FedAvg with T local steps rests",
            Claim(
                "P = 0 and m(E+1) = m(E) there, whatever V",
                r"\sum_i\tfrac{N^i}{N}\sum_{k<T}(I-\eta A_i)^kA_i(W-c_i)=0",
                rests,
                prove_rest,
                procedures(T=(1, 2, 3, 5, 10)),
            ),
        ),
    ),
    note="At steady gradients m^/sqrt(V^) = +-T (1 - beta_1)/(T - beta_1): for beta_1 = 0.9 it is 0.18 at T = "
    "2 and tends to 1 - beta_1 = 0.1. G is (T - beta_1)/(1 - beta_1) times the gradient (91 times at T = "
    "10), so that eps loses its meaning, too. Disputed in our own audit: the text says 'approximately "
    "+-1' of centralized Adam and calls G an idea, so that the comparison is our reading of an informal "
    "claim.",
)
