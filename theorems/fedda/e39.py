"""DA (38) and (39): FedDA+AdaGrad and its global gradient."""

from theorems.fedda.common import BETA, RATES, WEIGHTS, numeric, procedures, setting, vanishes
from theorems.fedda.common_rest import gradients, momenta_telescope, weighted_rest
from theorems.fedda.lemmas import common_start, global_momentum, mean_from_sum
from theorems.fedda.listing_fedda import server
from theorems.vocabulary import *


def one_step(s: Instance) -> list[Comparison]:
    r"""for T = 1 the gradient and the V of (39) are those of (36)

    T=1:\ \mathcal G=\sum_i\tfrac{N^i}{N}g^i(W(E)),\ V(E+1)=V(E)+\Big(\sum_i\tfrac{N^i}{N}g^i(W(E))\Big)^2

    One local step: (39)'s G, and its V(E+1) - V(E), against the total gradient and its square, as in (36).
    """
    r = numeric(s)
    P, _, total = gradients(r)
    G = (P - r.beta * r.m) / (1 - r.beta)
    return [that("G", G) == total, that("V(E+1) - V(E)", G * G) == total * total]


def derive_one_step(proof: Derivation, s: Instance) -> None:
    """P is beta m(E) + (1 - beta) sum_i p_i g^i(W(E)), a weighted mean of the clients' own: G is the total gradient."""
    r = numeric(s)
    common_start(proof, r)
    _, one, means = global_momentum(proof, r, [r.m] * r.n)
    b, m, g, P, G = reals("beta m g P G")
    proof.leaf(
        "G", [P == b * m + (1 - b) * g, b < 1], (P - b * m) / (1 - b) == g, beta=r.beta, m=r.m, g=means[0], P=one[1]
    )
    proof.leaf("its square", [G == g], G * G == g * g, G=(one[1] - r.beta * r.m) / (1 - r.beta), g=means[0])


def mean_gradient(s: Instance) -> list[Comparison]:
    r"""(P - beta_1 (m(E) - m(E+1))/(1 - beta_1))/T is the mean of the round's gradients

    \frac1T\Big(P-\frac{\beta_1}{1-\beta_1}(m(E)-m(E+1))\Big)

    (P - beta (m(E) - m(E+1))/(1 - beta))/T is the mean over the steps of the clients' mean gradient.
    """
    r = numeric(s)
    P, m, total = gradients(r)
    return [that("mean of the gradients", (P - r.beta * (r.m - m) / (1 - r.beta)) / r.T) == total / r.T]


def derive_mean(proof: Derivation, s: Instance) -> None:
    """(1 - beta) P = beta (m(E) - m(E+1)) + (1 - beta) sum_t g_t with g_t the clients' mean gradients: solved."""
    mean_from_sum(proof, numeric(s))


def constant(s: Instance) -> list[Comparison]:
    r"""(1 - beta) G = T g - beta m + beta (1 - beta^T)/(1 - beta) (m - g)

    (1-\beta)\mathcal G=Tg-\beta m(E)+\beta\frac{1-\beta^T}{1-\beta}(m(E)-g)

    Constant gradients g = x from any momentum m: (1 - beta) sum_{t<=T} m(t) by the geometric sum.
    """
    r = numeric(s)
    r.grads = [lambda w: r.x + 0 * w] * r.n
    P, _, _ = gradients(r)
    keep, left = 1 - r.beta, 1 - r.beta**r.T
    pushed = keep * r.T * r.x + r.beta * left * (r.m - r.x) - keep * r.beta * r.m
    return [that("G", (P - r.beta * r.m) * keep) == pushed]


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
    r"""G = 0 is sum_k theta_k g_k = 0 with theta_k = 1 - beta (1 - beta) beta^(T-k)/(1 - beta^T)

    \theta_k=1-\beta\frac{(1-\beta)\beta^{T-k}}{1-\beta^T}
    """
    r = numeric(s)
    x, m = weighted_rest(s, shares(s))
    _, momentum, P = server(r.grads, r.p, x, m, r, s.T)
    return [that("G = 0", P) == r.beta * m, that("m rests", momentum) == m]


def prove_rest() -> None:
    """sympy identity: At rest m = m(E+1) = beta^T m + (1 - beta) F with F = sum_k beta^(T-k) g_k, and P = sum_k g_k
    (DA.E28): G = 0 reads sum_k theta_k g_k = 0 for the clients' mean gradients g_k.
    """
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


def with_alpha(s: Instance) -> list[Comparison]:
    r"""(39) moves as far as line 19 of Algorithm 2

    \eta=\eta\alpha

    (39)'s step against line 19 of Algorithm 2, in units of G/(sqrt V + eps).
    """
    return [that("rate", s.eta) == s.eta * s.alpha]


def single(s: Instance) -> list[Comparison]:
    return [that(s.x * 0 + s.T) == s.x * 0 + 1]


ROUNDS = procedures(n=(1, 2, 3), T=(1, 2, 3, 5, 10, 30))
BETA_1 = replace(BETA, without=Domain(lambda c, n, T: setting(c, n, T, beta_top=3), grid(n=(1, 2), T=(1,)), "beta < 3"))
RATES_1 = replace(
    RATES, without=Domain(lambda c, n, T: setting(c, n, T, rate_span=2), grid(n=(1, 2), T=(1,)), "-1 < eta, alpha <= 1")
)
STATEMENT = Statement(
    kind="identity",
    location="(38) and (39), appendix A.2",
    says="FedDA+AdaGrad updates a global AdaGrad with the global gradient G = (P - beta_1 m(E))/(1 - beta_1): for one "
    "local step G is the total gradient, and the round is a step of the centralized AdaGrad (36).",
    reading="For T > 1 nothing is claimed of G but where it comes from; the steps say what it is then. The V^ of "
    "(39), defined nowhere, is Algorithm 2's V, and alpha = 1.",
    domain=procedures(n=(1, 2, 3), T=(1,)),
    hypotheses=(Hypothesis("one local step, T = 1", single, ROUNDS), BETA_1, RATES_1, WEIGHTS),
    printed=claim_of(one_step, derive=derive_one_step),
    steps=(
        Step(
            "beside the proof: (39) moves by eta, without alpha",
            claim_of(with_alpha),
            "eta alpha, as Algorithm 2 and (35) have it",
        ),
        Step(
            "what G is of constant gradients (ours): T g, and a push from the momentum",
            claim_of(constant, prove=prove_constant, domain=ROUNDS),
        ),
        Step(
            "the gradient that the round has seen (ours)",
            claim_of(mean_gradient, derive=derive_mean, domain=ROUNDS, given=(BETA_1, WEIGHTS)),
        ),
        Step("where it rests (ours): not where FedAvg rests", claim_of(rests, prove=prove_rest, domain=ROUNDS)),
    ),
    note="With the momentum m and no gradient at all G = beta^2 m (1 - beta^(T-1))/(1 - beta)^2: for beta = 0.9 and "
    "T = 10 it is 49.6 m, a push from the past that centralized AdaGrad does not know.",
)
