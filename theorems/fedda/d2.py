"""DA.D2: local momentum deviates exponentially from the centralized one, FedDA's algebraically."""

from theorems.fedda.common import BETA, numeric, procedures
from theorems.fedda.common_deviation import bounded, concave, explodes, prove_explosion, prove_start, run, second_step
from theorems.fedda.common_euler import LIPSCHITZ, POSITIVE_RATE, SHARES, SUPREMA, bounds, euler
from theorems.fedda.common_flow import FLOW, SMALL_RATE, flows, local_momentum_at, sgdm_at, start
from theorems.fedda.common_pair import prove_comparison, prove_flow
from theorems.fedda.common_state import cauchy_schwarz
from theorems.fedda.e57 import parts
from theorems.fedda.e57 import prove as prove_algebraic
from theorems.fedda.lemmas_euler import derive_deviations
from theorems.fedda.listing_fedda import sgdm
from theorems.vocabulary import *


def printed(s: Instance) -> list[Comparison]:
    r"""|m^i - m| <= k sup |R| (e^(lambda+ t eta) - 1)/lambda+ and |mbar - m| <= C* eta t^2/2

    \|m^i-m\|\le\tfrac{1-\beta}\eta\sup\|R\|\frac{e^{\lambda^+t\eta}-1}{\lambda^+},\ \|\bar m-m\|\le\frac{C^*}2\eta t^2
    """
    return bounds(s)


def flowing(s: Instance) -> list[Comparison]:
    r"""the same for the systems, solved in closed form on overdamped convex clients in d = 1

    \|m^i-m\|\le\tfrac{1-\beta}\eta\sup\|R\|\frac{e^{\lambda^+t\eta}-1}{\lambda^+},\ \|\bar m-m\|\le\frac{C^*}2\eta t^2

    (46)'s first entry with |R| at its supremum, R(W) = sum_j p_j (g^j(W) - g^i(W)); and (57)'s.
    """
    nb, f, tau = s.nb, start(s), s.t * s.eta
    _, m = sgdm_at(s, tau)
    L = s.nb.largest(s.a)
    fast = (nb.sqrt(f.k * f.k + 4 * f.k * L) - f.k) / 2  # lambda+ of A
    found = []
    for i in range(s.n):
        a, c = s.a[..., i], s.c[..., i]
        R = nb.maximum(nb.abs(f.H * f.y - a * (s.x - c)), nb.abs(a * (f.centre - c)))  # W falls from x to the centre
        found.append((nb.abs(local_momentum_at(s, i, tau) - m), f.k * R * (nb.exp(fast * tau) - 1) / fast))
    algebraic, _, C = parts(s)
    return [
        *(that(f"local, client {i + 1}", left) <= right for i, (left, right) in enumerate(found)),
        that("FedDA", algebraic) <= C * s.eta * s.t**2 / 2,
    ]


def prove() -> Proof:
    cauchy_schwarz()
    prove_comparison()
    prove_flow()
    low, high, rho = reals("low high rho")  # rho = exp((low - high) s)
    smt([low < 0, high > 0, 0 < rho, rho <= 1], high - low * rho <= high - low)
    rate, tau, u = sympy.symbols("rate tau u", positive=True)
    identity((sympy.integrate(sympy.exp(rate * u), (u, 0, tau)), (sympy.exp(rate * tau) - 1) / rate))
    algebraic = prove_algebraic()
    return Proof(
        "z3 and sympy",
        "Local: (42) to (46) (DA.E42 to E46) bound |m^i - m| by the integral of the first entry of exp(A u) (1 - "
        "beta) (|R|/eta, 0), which is k |R| (l+ e^{l+ u} - l- e^{l- u})/(l+ - l-) <= k |R| e^{l+ u}: no constant is "
        "needed, and R is bounded with the gradients. The mean of the m^i is no further off than the furthest. "
        "FedDA: " + algebraic.argument,
    )


def beginning(s: Instance) -> list[Comparison]:
    r"""at t = 2 local momentum is off by (1 - beta)^2 eta |sum p_i a_i (g^i - g)|, FedDA's by (1 - beta) eta |sum p_i
    a_i ((1 - beta)(g^i - g) + beta (g^i - m))|; with one client local momentum is exact; with gradients bounded by G no
    deviation ever exceeds 2 max(|m(0)|, G)

    \sum_i\tfrac{N^i}{N}m^i(2)-m(2)=-(1-\beta)^2\eta\sum_i\tfrac{N^i}{N}a_i(g^i-g),\ %
      \bar m(2)-m(2)=-(1-\beta)\eta\sum_i\tfrac{N^i}{N}a_i((1-\beta)(g^i-g)+\beta(g^i-m(0)))
    """
    exact = second_step(numeric(s), [s.a[..., i] for i in range(s.n)])
    return [*(that(label, a) == b for label, a, b in exact), *bounded(s)]


def grows(s: Instance) -> list[Comparison]:
    r"""|m^i - m| at 2 T is at least that at T

    \|m^i(2T)-m(2T)\|\ge\|m^i(T)-m(T)\|

    The first client's momentum against SGDM's, after 2 T steps and after T.
    """
    r = numeric(s)
    gaps = [
        s.nb.abs(sgdm(r.grads[:1], [1], r.x, r.m, r, T)[-1][1] - sgdm(r.grads, r.p, r.x, r.m, r, T)[-1][1])
        for T in (s.T, 2 * s.T)
    ]
    return [that("grows", gaps[1]) >= gaps[0]]


def ordinary(cursor: Cursor, T: int) -> Instance:
    """Two clients of different curvature with minimizers close together, beta = 9/10 and eta = 1/10."""
    one, number = cursor.u[..., 0] * 0 + 1, cursor.nb.number
    a, c, m = 1 - cursor.take() / 2, cursor.take(), cursor.take()
    return Instance(
        nb=cursor.nb, n=2, T=T, x=one, m=m - 1, eta=one * number(Fraction(1, 10)), beta=one * number(Fraction(9, 10)),
        alpha=one, p=np.stack([one / 2, one / 2], -1), a=np.stack([one, a / 2], -1),
        c=np.stack([one * 0, (1 + 9 * c) / 10], -1),
    )  # fmt: skip


def slower(s: Instance) -> list[Comparison]:
    r"""FedDA's momentum is no further off than the furthest local one (alpha = 1)

    \|\bar m(T)-m(T)\|\le\max_i\|m^i(T)-m(T)\|

    FedDA's deviation against the largest of the clients' own, and so against that of their mean.
    """
    r = numeric(s)
    fedda, _, central = run(r, s.T)
    own = [s.nb.abs(sgdm([g], [1], r.x, r.m, r, s.T)[-1][1] - central) for g in r.grads]
    return [that("deviations", s.nb.abs(fedda - central)) <= s.nb.maximum(*own)]


GIVEN = (BETA, SMALL_RATE, POSITIVE_RATE)
CONCAVE = Hypothesis(
    "one client with gradient -w, and m(0) = 0",
    lambda s: [that(s.a[..., 0]) == s.x * 0 - 1, that(s.m) == s.x * 0, that(s.p[..., 0]) == s.x * 0 + 1],
    role="the example",
)
STATEMENT = Statement(
    kind="upper bound",
    location="section 4, after (29); appendix A.3, before (40) and after (57)",
    says="Local momentum deviates from the centralized one at the exponential rate O(e^(lambda t)), FedDA's global "
    "momentum at the algebraic rate O(t^2).",
    reading="As O(.) says, and (47) and (57) show: upper bounds under the assumptions of A.3 (suprema over the points "
    "visited), for (40) and (22) with alpha = 1 against (19) from the same start. Judged on explicit Euler steps of "
    "any length eta/N, whose limit is the systems. lambda is an eigenvalue of A, not as printed (DA.E44). That one "
    "deviation grows, or is larger than the other, are the steps below.",
    headline=True,
    domain=euler(),
    hypotheses=(
        replace(BETA, role="k = (1 - beta)/eta is the rate at which momentum forgets: it must be positive"),
        POSITIVE_RATE,
        SHARES,
        LIPSCHITZ,
        SUPREMA,
    ),
    printed=claim_of(printed, derive=derive_deviations),
    steps=(
        Step(
            "beside the proof: 'which implies that |m^i - m| is exponentially growing'",
            claim_of(grows, domain=procedures(n=(1, 2, 3), T=(2, 3, 5, 10, 30)), given=GIVEN),
            "an upper bound implies no growth: under Assumption 2 the deviation is bounded for every t, and on convex "
            "losses it dies out",
        ),
        Step(
            "beside the proof: 'much slower than that of local momentum'",
            claim_of(slower, domain=Domain(ordinary, grid(T=(20,)), "two clients, beta = 9/10, eta = 1/10, T = 20")),
            "the comparison is not established: two upper bounds of unequal sharpness are compared, and either way of "
            "bounding serves both momenta",
        ),
        Step(
            "how the deviations begin, and that both are bounded (ours)",
            claim_of(beginning, prove=prove_start, domain=procedures(n=(1, 2, 3), T=(2, 3, 5, 10, 30))),
        ),
        Step(
            "without Assumption 2 FedDA's deviation is exponential, too (ours)",
            Claim(
                "on one concave client it grows at least by (1 + eta)^T from T to 2 T",
                r"|\bar m-m|(2T)\ge(1+\eta)^T|\bar m-m|(T)",
                explodes,
                prove_explosion,
                Domain(concave, grid(T=(2, 5, 10, 20)), "one client with gradient -w, 1/10 <= beta, eta <= 9/10, 1"),
                given=(*GIVEN, CONCAVE),
            ),
        ),
        Step("the systems themselves (ours)", claim_of(flowing, prove=prove, domain=flows(), given=(*GIVEN, FLOW))),
    ),
    note="Both bounds hold, and neither says which momentum is closer. The mean of local momenta is SGDM's exactly "
    "with one client, and for equal curvatures at every t; its deviation starts with the covariance of curvature and "
    "gradient. FedDA adds beta (1 - beta) eta sum p_i a_i (m(0) - g^i), which no homogeneity removes: its local steps "
    "do not follow the momentum. The appendix says that FedDA has 'no such a term as g^i(W^i) - g^i(W)', which (48) "
    "has, takes it for a forcing of size C* tau there, and for a feedback of size L_g |W^i - W| in (42).",
)
