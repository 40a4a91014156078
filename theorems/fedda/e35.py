"""DA (34) and (35): FedDA+Adam, the global gradient G and what the server's Adam makes of it."""

from theorems.fedda.common import ANY_RATES, BETA, LARGE_BETA, RATES, WEIGHTS, numeric, procedures
from theorems.fedda.common_rest import gradients, momenta_telescope, rest_of_round
from theorems.fedda.lemmas import mean_from_sum
from theorems.fedda.listing_fedda import decoupled
from theorems.vocabulary import *


def carried(s: Instance) -> list[Comparison]:
    r"""the momentum m(E+1) from which the next round goes on is beta_1 m(E) + (1 - beta_1) G

    m(E+1)=\beta_1m(E)+(1-\beta_1)\mathcal G,\quad\mathcal G=\frac{P-\beta_1m(E)}{1-\beta_1}

    Adam's momentum after the update with G = (P - beta m(E))/(1 - beta), against the m(E+1) that (35) keeps.
    """
    r = numeric(s)
    P, m, _ = gradients(r)
    G = (P - r.beta * r.m) / (1 - r.beta)
    return [that("the momentum after the round", m) == r.beta * r.m + (1 - r.beta) * G]


def momenta_of_the_round(s: Instance) -> list[Comparison]:
    r"""for T = 1 as printed, and G is then the total gradient; for every T, P is the sum of the T momenta of one global
    momentum that is updated with the clients' mean gradients g_t, m(E+1) is the last of them, and (P - beta_1 (m(E) -
    m(E+1))/(1 - beta_1))/T is the mean of the g_t

    P=\sum_{t=1}^Tm_t,\ m(E+1)=m_T,\ m_t=\beta_1m_{t-1}+(1-\beta_1)g_{t-1},\quad%
      \frac1T\Big(P-\frac{\beta_1}{1-\beta_1}(m(E)-m(E+1))\Big)=\frac1T\sum_{t<T}g_t,\ %
      g_t=\sum_i\tfrac{N^i}{N}g^i(W^i(t))

    P and m(E+1) against one momentum fed with the clients' mean gradients g_t; their mean from P and the two m.
    """
    r = numeric(s)
    P, m, total = gradients(r)
    path = [m for _, m in decoupled(r.grads, r.p, r.x, r.m, r, r.T)]
    seen = (P - r.beta * (r.m - m) / (1 - r.beta)) / r.T
    found = [
        that("P", P) == sum(path[1:]),
        that("m(E+1)", m) == path[-1],
        that("the mean gradient of the round", seen) == total / r.T,
    ]
    if r.T == 1:  # where G is that mean, and P the momentum that is kept
        found += [*carried(s), that("G", (P - r.beta * r.m) / (1 - r.beta)) == total]
    return found


def derive(proof: Derivation, s: Instance) -> None:
    """P sums T global momenta (DA.E28), and (1 - beta) P = beta (m(E) - m(E+1)) + (1 - beta) sum_t g_t: solved for g_t.

    For T = 1, P is the one momentum, and G the one g_t.
    """
    r = numeric(s)
    _, means = mean_from_sum(proof, r)
    b, m, G = reals("beta m S")
    single = {"beta": r.beta, "m": r.m, "S": means[0]}
    step = b * m + (1 - b) * G
    proof.leaf("G of one step", [b < 1], (step - b * m) / (1 - b) == G, **single)
    proof.leaf("the momentum of one step", [b < 1], step == b * m + (1 - b) * ((step - b * m) / (1 - b)), **single)


def steady(s: Instance) -> list[Comparison]:
    r"""P = T g and G = (T - beta_1)/(1 - beta_1) g where all gradients are g, where steady rounds hold m and V, and
    hats correct nothing any more

    \frac{\hat m}{\sqrt{\hat V}}=\pm\frac{T(1-\beta_1)}{T-\beta_1}

    T steps with the constant gradient g = x from m(E) = g: m^ = P and V^ = G^2 once V rests and hats are 1.
    """
    m, P = s.x, s.x * 0
    for _ in range(s.T):
        m = s.beta * m + (1 - s.beta) * s.x
        P = P + m
    G = (P - s.beta * s.x) / (1 - s.beta)
    return [
        that("m^", P) == s.T * s.x,
        that("G", G * (1 - s.beta)) == (s.T - s.beta) * s.x,
        that("m^ against G", P * (s.T - s.beta)) == s.T * (1 - s.beta) * G,
    ]


def derive_steady(proof: Derivation, s: Instance) -> None:
    """m = g is kept by a step, so P = T g by induction on T, and G = (T - beta)/(1 - beta) g."""
    b, g, P, n = reals("beta g P T")
    here, T = {"beta": s.beta, "g": s.x}, s.nb.number
    proof.leaf("m stays g", [], b * g + (1 - b) * g == g, **here)
    P_ = s.x
    proof.leaf("P after one step", [], g == 1 * g, g=s.x)
    for k in range(1, s.T):
        proof.leaf("P after another step", [P == n * g], P + g == (n + 1) * g, P=P_, T=T(k), g=s.x)
        P_ = P_ + s.x
    G = (P - b * g) / (1 - b)
    proof.leaf("G", [P == n * g, b < 1], G * (1 - b) == (n - b) * g, P=P_, T=T(s.T), **here)
    proof.leaf("m^ against G", [P == n * g, b < 1], P * (n - b) == n * (1 - b) * G, P=P_, T=T(s.T), **here)


def rests(s: Instance) -> list[Comparison]:
    r"""P = 0 and m(E+1) = m(E) there, whatever V

    \sum_i\tfrac{N^i}{N}\sum_{k<T}(I-\eta A_i)^kA_i(W-c_i)=0
    """
    return rest_of_round(s)


def prove_rest() -> None:
    """sympy identity: m^ is P over 1 - beta_1^E, and W rests where it is 0: with m(E+1) = m(E) the telescoped sum
    (DA.E28) makes the mean of the clients' sums of gradients 0.
    """
    momenta_telescope()


def slip(s: Instance) -> list[Comparison]:
    r"""the equation that is solved

    P=\beta_1+(1-\beta_1)\mathcal G

    The text's P = beta_1 + (1 - beta_1) G with its G = (P - beta_1 m(E)) / (1 - beta_1).
    """
    P, _, _ = gradients(numeric(s))
    return [that("P", s.beta + (1 - s.beta) * ((P - s.beta * s.m) / (1 - s.beta))) == P]


def one_step(s: Instance) -> list[Comparison]:
    r"""T = 1 gives the V^ of (30)

    \hat V(E+1)=V(E)/(1-\beta_2^E)

    T = 1 at round E = 2 with V(E) = x^2: the V^ of (35) and of (30), both with the printed exponent.
    """
    _, _, g = gradients(numeric(s))
    V = s.x * s.x
    kept = s.beta2 * V + (1 - s.beta2) * g * g
    return [that("V^", V / (1 - s.beta2**2)) == kept / (1 - s.beta2**2)]


GIVEN = (BETA, RATES)
ONE = procedures(n=(1, 2), T=(1, 2, 3))
LONG = procedures(n=(1, 2), T=(1, 2, 3, 5, 10, 100))
STATEMENT = Statement(
    kind="identity",
    location="(34), (35) and the paragraph after, appendix A.2",
    says="(35) treats P as the momentum of a global Adam that is updated with the gradient G = (P - beta_1 m(E))/(1 - "
    "beta_1): after the round beta_1 m(E) + (1 - beta_1) G, which is P, is that Adam's momentum.",
    reading="P = beta_1 m(E) + (1 - beta_1) G: the m(E) that print has lost stands in the G that solves it. An Adam "
    "(30) goes on from the momentum that its update leaves; (35) goes on from m(E+1), the mean of m^i(T). 'Highly "
    "synchronized' and 'approximately +-1' name an aim, and claim nothing of (35).",
    severity="substantive",
    headline=True,
    domain=LONG,
    hypotheses=(replace(BETA, without=LARGE_BETA), replace(RATES, without=ANY_RATES), WEIGHTS),
    printed=claim_of(carried),
    corrected=claim_of(momenta_of_the_round, derive=derive),
    steps=(
        Step(
            "'P = beta_1 + (1 - beta_1) G'", claim_of(slip, domain=ONE, given=GIVEN), "P = beta_1 m(E) + (1 - beta_1) G"
        ),
        Step(
            "V^(E+1) = V(E)/(1 - beta_2^E): one local step is centralized Adam",
            claim_of(one_step, domain=procedures(n=(1, 2), T=(1,), extras=("beta2",)), given=GIVEN),
            "V(E+1)/(1 - beta_2^(E+1)), as in Algorithm 2 but for the exponent",
        ),
        Step(
            "how well m^ and V^ are synchronized (ours): m^/sqrt(V^) = +-T (1 - beta_1)/(T - beta_1) at steady "
            "gradients",
            claim_of(steady, derive=derive_steady),
        ),
        Step(
            "where it rests (ours): where FedAvg with T local steps rests",
            claim_of(rests, prove=prove_rest, domain=procedures(T=(1, 2, 3, 5, 10))),
        ),
    ),
    note="With T local steps P sums T momenta, of which the next round's G takes beta_1 times one away. At steady "
    "gradients G is (T - beta_1)/(1 - beta_1) times the gradient (91 times at beta_1 = 0.9, T = 10), so that eps loses "
    "its meaning, and m^/sqrt(V^) is +-10/91 where 'the key is that m, v must be highly synchronized as in centralized "
    "Adam' (+-1). The mean gradient of the round and P/T would keep +-1.",
)
