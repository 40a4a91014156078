"""DA (34) and (35): FedDA+Adam, the global gradient G and what the server's Adam makes of it."""

from theorems.fedda.common import (
    ANY_RATES,
    BETA,
    LARGE_BETA,
    RATES,
    averages_are_linear,
    numeric,
    procedures,
    symbolic,
    vanishes,
)
from theorems.fedda.common_rest import gradients, momenta_telescope, rest_of_round
from theorems.vocabulary import *


def algebra(s: Instance) -> list[Comparison]:
    """G = (P - beta m(E))/(1 - beta): beta m(E) + (1 - beta) G is P, and G the total gradient where T = 1."""
    r = numeric(s)
    P, _, total = gradients(r)
    G = (P - r.beta * r.m) / (1 - r.beta)
    found = [Comparison("the momentum of G", r.beta * r.m + (1 - r.beta) * G, "==", P)]
    return [*found, Comparison("G for T = 1", G, "==", total)] if r.T == 1 else found


def prove_algebra() -> Proof:
    P, beta, m = sympy.symbols("P beta m")
    vanishes(beta * m + (1 - beta) * (P - beta * m) / (1 - beta) - P, "any P")
    averages_are_linear()
    for n in (1, 2, 3):
        r = symbolic(n, 1)
        P_1, _, total = gradients(r)
        vanishes((P_1 - r.beta * r.m) / (1 - r.beta) - total, f"T = 1, n = {n}")
    return Proof(
        "sympy identity",
        "beta m(E) + (1 - beta) (P - beta m(E))/(1 - beta) = P for whatever P and m(E). For T = 1 P is beta m(E) + (1 "
        "- beta) sum_i p_i g^i(W(E)), a weighted mean of the clients' own (induction on n): G is the total gradient.",
    )


def steady(s: Instance) -> list[Comparison]:
    """T steps with the constant gradient g = x from m(E) = g: m^ = P and V^ = G^2 once V rests and hats are 1."""
    m, P = s.x, s.x * 0
    for _ in range(s.T):
        m = s.beta * m + (1 - s.beta) * s.x
        P = P + m
    G = (P - s.beta * s.x) / (1 - s.beta)
    return [
        Comparison("m^", P, "==", s.T * s.x),
        Comparison("G", G * (1 - s.beta), "==", (s.T - s.beta) * s.x),
        Comparison("m^ against G", P * (s.T - s.beta), "==", s.T * (1 - s.beta) * G),
    ]


def prove_steady() -> Proof:
    beta, T, g, P = sympy.symbols("beta T g P")
    vanishes(beta * g + (1 - beta) * g - g, "m stays g")
    vanishes((P + g).subs(P, T * g) - (T + 1) * g, "P after another step")
    G = (T * g - beta * g) / (1 - beta)
    vanishes(T * g * (T - beta) - T * (1 - beta) * G, "ratio")
    return Proof(
        "sympy identity", "m = g is kept by a step, so P = T g by induction on T, and G = (T - beta)/(1 - beta) g."
    )


def mean_gradient(s: Instance) -> list[Comparison]:
    """(P - beta (m(E) - m(E+1))/(1 - beta))/T is the mean over the steps of the clients' mean gradient."""
    r = numeric(s)
    P, m, total = gradients(r)
    return [Comparison("mean of the gradients", (P - r.beta * (r.m - m) / (1 - r.beta)) / r.T, "==", total / r.T)]


def prove_mean() -> Proof:
    momenta_telescope()
    return Proof(
        "sympy identity",
        "By induction on T, (1 - beta) P = beta (m(E) - m(E+1)) + (1 - beta) sum_t g_t with g_t the clients' mean "
        "gradient of step t (DA.E28): solved for the sum.",
    )


def rests(s: Instance) -> list[Comparison]:
    return rest_of_round(s)


def prove_rest() -> Proof:
    momenta_telescope()
    return Proof(
        "sympy identity",
        "m^ is P over 1 - beta_1^E, and W rests where it is 0: with m(E+1) = m(E) the telescoped sum (DA.E28) makes "
        "the mean of the clients' sums of gradients 0.",
    )


def slip(s: Instance) -> list[Comparison]:
    """The text's P = beta_1 + (1 - beta_1) G with its G = (P - beta_1 m(E)) / (1 - beta_1)."""
    P, _, _ = gradients(numeric(s))
    return [Comparison("P", s.beta + (1 - s.beta) * ((P - s.beta * s.m) / (1 - s.beta)), "==", P)]


def carried(s: Instance) -> list[Comparison]:
    """Adam's next momentum is beta m + (1 - beta) G = P; (35) keeps the mean of m^i(T)."""
    P, m, _ = gradients(numeric(s))
    return [Comparison("m(E+1)", m, "==", P)]


def one_step(s: Instance) -> list[Comparison]:
    """T = 1 at round E = 2 with V(E) = x^2: the V^ of (35) and of (30), both with the printed exponent."""
    _, _, g = gradients(numeric(s))
    V = s.x * s.x
    kept = s.beta2 * V + (1 - s.beta2) * g * g
    return [Comparison("V^", V / (1 - s.beta2**2), "==", kept / (1 - s.beta2**2))]


GIVEN = (BETA, RATES)
ONE = procedures(n=(1, 2), T=(1, 2, 3))
LONG = procedures(n=(1, 2), T=(1, 2, 3, 5, 10, 100))
STATEMENT = Statement(
    id="DA.E35",
    kind="identity",
    location="(34), (35) and the paragraph after, appendix A.2",
    says="P is the momentum of a global Adam that is updated with the gradient G = (P - beta_1 m(E))/(1 - beta_1), by "
    "'simple algebra'.",
    reading="What the algebra says of a round: beta_1 m(E) + (1 - beta_1) G = P. That one local step matches "
    "centralized training belongs to it: then G is the total gradient. 'Highly synchronized' and 'approximately +-1' "
    "name an aim, and claim nothing of (35).",
    headline=True,
    domain=LONG,
    hypotheses=(replace(BETA, without=LARGE_BETA), replace(RATES, without=ANY_RATES)),
    printed=Claim(
        "beta_1 m(E) + (1 - beta_1) G = P, and G is the total gradient for T = 1",
        r"\mathcal G=\frac{P-\beta_1m(E)}{1-\beta_1}\Rightarrow\beta_1m(E)+(1-\beta_1)\mathcal G=P",
        algebra,
        prove_algebra,
    ),
    steps=(
        Step(
            "the global Adam carries m(E+1), the mean of m^i(T)",
            Claim("after G its momentum is P", r"m(E+1)=\beta_1m(E)+(1-\beta_1)\mathcal G", carried, None, ONE, GIVEN),
            "only for T = 1: P sums T momenta, and the next round's G takes beta_1 times one of them from it",
        ),
        Step(
            "'P = beta_1 + (1 - beta_1) G'",
            Claim("the equation that is solved", r"P=\beta_1+(1-\beta_1)\mathcal G", slip, None, ONE, GIVEN),
            "P = beta_1 m(E) + (1 - beta_1) G",
        ),
        Step(
            "V^(E+1) = V(E)/(1 - beta_2^E): one local step is centralized Adam",
            Claim(
                "T = 1 gives the V^ of (30)",
                r"\hat V(E+1)=V(E)/(1-\beta_2^E)",
                one_step,
                None,
                procedures(n=(1, 2), T=(1,), extras=("beta2",)),
                GIVEN,
            ),
            "V(E+1)/(1 - beta_2^(E+1)), as in Algorithm 2 but for the exponent",
        ),
        Step(
            "how well m^ and V^ are synchronized (ours): m^/sqrt(V^) = +-T (1 - beta_1)/(T - beta_1) at steady "
            "gradients",
            Claim(
                "P = T g and G = (T - beta_1)/(1 - beta_1) g where all gradients are g, where steady rounds hold m "
                "and V, and hats correct nothing any more",
                r"\frac{\hat m}{\sqrt{\hat V}}=\pm\frac{T(1-\beta_1)}{T-\beta_1}",
                steady,
                prove_steady,
            ),
        ),
        Step(
            "the gradient that the round has seen (ours)",
            Claim(
                "(P - beta_1 (m(E) - m(E+1))/(1 - beta_1))/T is the mean over steps and clients, for every T, and the "
                "printed G for T = 1; with P/T for the momentum it keeps m^/sqrt(V^) = +-1 at steady gradients",
                r"\frac1T\Big(P-\frac{\beta_1}{1-\beta_1}(m(E)-m(E+1))\Big)=\frac1T\sum_{t<T}\sum_i\tfrac{N^i}{N}"
                r"g^i(W^i(t))",
                mean_gradient,
                prove_mean,
            ),
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
    note="The algebra is right but for the m(E) that is lost in print. What it makes of G is another matter: 'the key "
    "is that m, v must be highly synchronized as in centralized Adam', where m^/sqrt(v^) = +-1 at steady gradients: at "
    "beta_1 = 0.9 and T = 10 it is 10/91, and tends to 1 - beta_1. G is (T - beta_1)/(1 - beta_1) times the gradient "
    "(91 times), so that eps loses its meaning, too. (38), (39) have the same G.",
)
