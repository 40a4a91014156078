"""DA (38) and (39): FedDA+AdaGrad and its global gradient."""

from theorems.fedda.common import BETA, RATES, numeric, procedures, vanishes
from theorems.fedda.common_rest import gradients, momenta_telescope, weighted_rest
from theorems.fedda.e35 import algebra, mean_gradient, prove_algebra, prove_mean
from theorems.fedda.listing_fedda import server
from theorems.vocabulary import *


def constant(s: Instance) -> list[Comparison]:
    """Constant gradients g = x from any momentum m: (1 - beta) sum_{t<=T} m(t) by the geometric sum."""
    r = numeric(s)
    r.grads = [lambda w: r.x + 0 * w] * r.n
    P, _, _ = gradients(r)
    keep, left = 1 - r.beta, 1 - r.beta**r.T
    pushed = keep * r.T * r.x + r.beta * left * (r.m - r.x) - keep * r.beta * r.m
    return [Comparison("G", (P - r.beta * r.m) * keep, "==", pushed)]


def prove_constant() -> Proof:
    beta, q, m, g, T = sympy.symbols("beta q m g T")  # q = beta^T, m(T) - g = q (m - g)
    vanishes(beta * (g + q * (m - g)) + (1 - beta) * g - (g + beta * q * (m - g)), "a step of m")

    def held(T: Scalar, q: Scalar) -> Any:
        return (1 - beta) * T * g + beta * (1 - q) * (m - g)  # (1 - beta) P after T steps

    vanishes(held(0, 1), "no step")
    vanishes(held(T, q) + (1 - beta) * (g + beta * q * (m - g)) - held(T + 1, beta * q), "another step")
    return Proof(
        "sympy identity",
        "m(t) = g + beta^t (m - g) by induction on t, and (1 - beta) P = (1 - beta) T g + beta (1 - beta^T) (m - g) by "
        "induction on T; then beta m is taken off.",
    )


def shares(s: Instance) -> list[Any]:
    """theta_k = 1 - beta (1 - beta) beta^(T-k) / (1 - beta^T), k = 1..T."""
    share = s.beta * (1 - s.beta) / (1 - s.beta**s.T)
    return [1 - share * s.beta ** (s.T - k) for k in range(1, s.T + 1)]


def rests(s: Instance) -> list[Comparison]:
    r = numeric(s)
    x, m = weighted_rest(s, shares(s))
    _, momentum, P = server(r.grads, r.p, x, m, r, s.T)
    return [Comparison("G = 0", P, "==", r.beta * m), Comparison("m rests", momentum, "==", m)]


def prove_rest() -> Proof:
    momenta_telescope()
    beta, power, F, S = sympy.symbols("beta power F S")  # power = beta^T, F = sum_k beta^(T-k) g_k
    m = (1 - beta) * F / (1 - power)
    vanishes(power * m + (1 - beta) * F - m, "the momentum at rest")
    vanishes((S - beta * m) - (S - beta * (1 - beta) / (1 - power) * F), "P - beta m with P = S")
    g = sympy.symbols("g1:5")
    old = 0
    for k, slope in enumerate(g):  # m_T = beta^T m + (1 - beta) F
        old = beta * old + slope
        vanishes(old - sum(beta ** (k - j) * g[j] for j in range(k + 1)), "F")
    return Proof(
        "sympy identity",
        "At rest m = m(E+1) = beta^T m + (1 - beta) F with F = sum_k beta^(T-k) g_k, and P = sum_k g_k (DA.E28): G = "
        "0 reads sum_k theta_k g_k = 0 for the clients' mean gradients g_k.",
    )


def with_alpha(s: Instance) -> list[Comparison]:
    """(39)'s step against line 19 of Algorithm 2, in units of G/(sqrt V + eps)."""
    return [Comparison("rate", s.eta, "==", s.eta * s.alpha)]


STATEMENT = Statement(
    id="DA.E39",
    kind="identity",
    location="(38) and (39), appendix A.2",
    says="FedDA+AdaGrad feeds the server's AdaGrad with a global gradient G = (P - beta_1 m(E))/(1 - beta_1), made of "
    "the decoupled global momentum.",
    reading="As DA.E35: G is the gradient whose momentum is P. The V^ of (39), defined nowhere, is Algorithm 2's V.",
    domain=procedures(n=(1, 2, 3), T=(1, 2, 3, 5, 10, 30)),
    hypotheses=(RATES, BETA),
    printed=Claim(
        "beta_1 m(E) + (1 - beta_1) G = P, and G is the total gradient for T = 1",
        r"\mathcal G=\frac{P-\beta_1m(E)}{1-\beta_1}\Rightarrow\beta_1m(E)+(1-\beta_1)\mathcal G=P",
        algebra,
        prove_algebra,
    ),
    steps=(
        Step(
            "(39) moves by eta, without alpha",
            Claim("(39) moves as far as line 19 of Algorithm 2", r"\eta=\eta\alpha", with_alpha),
            "eta alpha, as Algorithm 2 and (35) have it",
        ),
        Step(
            "what G is of constant gradients (ours): T g, and a push from the momentum",
            Claim(
                "(1 - beta) G = T g - beta m + beta (1 - beta^T)/(1 - beta) (m - g)",
                r"(1-\beta)\mathcal G=Tg-\beta m(E)+\beta\frac{1-\beta^T}{1-\beta}(m(E)-g)",
                constant,
                prove_constant,
            ),
        ),
        Step(
            "the gradient that the round has seen (ours)",
            Claim(
                "(P - beta_1 (m(E) - m(E+1))/(1 - beta_1))/T is the mean of the round's gradients",
                r"\frac1T\Big(P-\frac{\beta_1}{1-\beta_1}(m(E)-m(E+1))\Big)",
                mean_gradient,
                prove_mean,
            ),
        ),
        Step(
            "where it rests (ours): not where FedAvg rests",
            Claim(
                "G = 0 is sum_k theta_k g_k = 0 with theta_k = 1 - beta (1 - beta) beta^(T-k)/(1 - beta^T)",
                r"\theta_k=1-\beta\frac{(1-\beta)\beta^{T-k}}{1-\beta^T}",
                rests,
                prove_rest,
            ),
        ),
    ),
    note="With the momentum m and no gradient at all G = beta^2 m (1 - beta^(T-1))/(1 - beta)^2: for beta = 0.9 and "
    "T = 10 it is 49.6 m, a push from the past that centralized AdaGrad does not know.",
)
