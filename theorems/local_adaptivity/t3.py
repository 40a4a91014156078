"""LA Theorem 3: local correction converges to stationary points."""

from theorems.local_adaptivity import e117, e127, e129, l4
from theorems.local_adaptivity.common import WEIGHTS, positive
from theorems.local_adaptivity.common_correction import POSITIVE_STEPS, corrected_run, rate_run, steps_of
from theorems.vocabulary import *


def instance(cursor: Cursor, tau: int, n: int, T: int) -> Instance:
    """``root`` stands for eta tau T^(1/3) of the second rate; G is then as large as it says."""
    s = corrected_run(cursor, n, (tau,) * n, T)
    s.root, s.cap = 4 * positive(cursor, 1e-2), s.start * 0 + 1
    return s


def understated(cursor: Cursor, **discrete: int) -> Instance:
    """G is a hundredth of what the run meets."""
    s = instance(cursor, **discrete)
    s.slack = s.slack / 100
    return s


def fast(cursor: Cursor, **discrete: int) -> Instance:
    """eta tau up to 10/L."""
    s = instance(cursor, **discrete)
    s.cap = 10 * s.cap
    return s


def printed(s: Instance) -> list[Comparison]:
    r"""(100) with constants 2 and 3

    \min_{t<T}\|\nabla F(x^{(t)})\|^2\le\frac{2DL}T+\frac{3(D^2L^2\Lambda G^2)^{1/3}}{T^{2/3}}

    The rate with constants 2 and 3: 2DL/T + 3 D/(q T), q = (D/(L^2 Lambda G^2 T))^(1/3), G chosen through q.
    """
    run = rate_run(s)
    D = run.D + s.start * 0
    # G^2 = D/(L^2 Lambda T q^3) must be at least what is met: q is at most this.
    least = run.L**2 * run.Lambda * run.G**2 * s.T
    q = s.nb.minimum(s.root, D / (least * s.root**2))  # q^3 <= D/least, as q^3 <= root^2 q
    eta = s.nb.minimum(s.cap / run.L, q) / s.tau[0]
    _, smallest, _ = steps_of(s, (eta,) * s.n, eta * s.tau[0])
    return [that("(100)", smallest * q) <= 2 * D * run.L * q / s.T + 3 * D / s.T]


def prove() -> None:
    """z3 and sympy: LA.L4 (our proof), LA.E117, LA.E127 with eta_i = eta, tau_i = tau, and LA.E129 with the constants 2
    and 3: the least of T squared gradients is at most their mean, hence at most 2DL/T + 3 (D^2 L^2 Lambda
    G^2)^(1/3)/T^(2/3).
    """
    for part in (l4.prove, e117.prove, e127.prove, e129.prove):
        part()


def _moving(s: Instance) -> list[Comparison]:
    run = rate_run(s)
    return [that("D > 0", run.D) > s.start * 0, *(that(f"H {i}", s.H[:, i]) > s.start * 0 for i in range(s.n))]


SMALL = tuple({"tau": t, "n": n, "T": T} for n in (1, 2) for t in (1, 4) for T in (20, 100))

STATEMENT = Statement(
    kind="convergence",
    location="Theorem 3, Appendix F",
    says="With equal eta and tau, alpha = eta tau <= 1/L and the rate (99), local correction finds min_t ||grad "
    "F(x^(t))||^2 = O(1/T + Lambda^(1/3) G^(2/3)/T^(2/3)).",
    reading="O(.) with explicit constants: 2DL/T + 3 (D^2 L^2 Lambda G^2)^(1/3)/T^(2/3). The A of Assumption 4 are "
    "symmetric, that is the B commute (LA.H4); F is bounded below; T is known beforehand. Instances: quadratics in d "
    "= 1, G any bound that holds along the run.",
    headline=True,
    domain=Domain(
        instance,
        tuple({"tau": t, "n": n, "T": T} for n in (1, 2, 3) for t in (1, 2, 4) for T in (1, 2, 5, 20)),
        "one to three quadratic clients in d = 1, T <= 20",
    ),
    hypotheses=(
        Hypothesis("D > 0, H > 0", _moving, role="F is bounded below and not at its minimum; (99) divides by D"),
        WEIGHTS,
        POSITIVE_STEPS,
        Hypothesis(
            "Assumption 5: G bounds what is met",
            lambda s: [that(s.slack) >= s.start * 0 + 1],
            Domain(understated, SMALL, "G a hundredth of a bound"),
        ),
        Hypothesis(
            "eta tau <= 1/L", lambda s: [that(s.cap) <= s.start * 0 + 1], Domain(fast, SMALL, "eta tau up to 10/L")
        ),
    ),
    printed=claim_of(printed, prove=prove),
    steps=(
        Step("Lemma 4, (107)", l4.STATEMENT.steps[1].claim, l4.STATEMENT.steps[1].correction),
        Step(
            "(129)",
            Claim(
                "as LA.E129",
                r"\le\frac{DL}T+\ldots",
                e129.STATEMENT.printed.compare,
                domain=e129.STATEMENT.domain,
                given=e129.STATEMENT.hypotheses,
            ),
            "2 and 3 for 1 and 1",
        ),
    ),
    note="The theorem stands although its proof does not: Lemma 4 is proved for matrices that commute only, and "
    "(129) drops constants. It says nothing of B that do not commute, since (sum B)^-1 B is then not symmetric. The "
    "normalised update has no rate in it: Algorithm 1, whose N_i omits eta, must use alpha = tau here.",
)
