"""LA Theorem 3: local correction converges to stationary points."""

from theorems.local_adaptivity import e129
from theorems.local_adaptivity.common import WEIGHTS, between
from theorems.local_adaptivity.common_local import corrected_clients, gradient, height, lowest, rates, rounds, shares
from theorems.local_adaptivity.lemmas_correction import stationary
from theorems.vocabulary import *


def understated(cursor: Cursor, **discrete: Any) -> Instance:
    """G is a hundredth of what the run meets."""
    s = corrected_clients(cursor, **discrete)
    s.slack = s.slack / 100
    return s


def fast(cursor: Cursor, **discrete: Any) -> Instance:
    """eta tau up to 10/L."""
    s = corrected_clients(cursor, **discrete)
    s.cap = 10 * s.cap
    return s


def printed(s: Instance) -> list[Comparison]:
    r"""(100) with constants 2 and 3

    \min_{t<T}\|\nabla F(x^{(t)})\|^2\le\frac{2DL}T+\frac{3(D^2L^2\Lambda G^2)^{1/3}}{T^{2/3}}

    Times q = (D/(L^2 Lambda G^2 T))^(1/3), with which the second term is 3 D/(q T).
    """
    squares = [(gradient(s, each.x) ** 2).sum(axis=-1) for each in rounds(s)]
    D, _, q, _, _ = rates(s)
    return [that("(100)", s.nb.smallest(np.stack(squares, -1)) * q) <= 2 * D * s.p.L * q / s.T + 3 * D / s.T]


def _moving(s: Instance) -> list[Comparison]:
    D, _, q, _, _ = rates(s)
    return [that("D", D) > D * 0, that("q", q) > q * 0]


def _met(s: Instance) -> list[Comparison]:
    most = rates(s).G2
    return [
        that(f"step {t}{i}{k}", (v[:, i] * v[:, i]).sum(axis=-1)) <= most
        for t, each in enumerate(rounds(s))
        for k, v in enumerate(each.moved)
        for i in range(s.n)
    ]


def _smooth(s: Instance) -> list[Comparison]:
    found = []
    for t, each in enumerate(rounds(s)):
        for k, (y, g) in enumerate(zip(each.points, each.gradients, strict=True)):
            change, way = each.gradients[0] - g, each.x[:, None] - y
            sizes, lengths = (change * change).sum(axis=-1), (way * way).sum(axis=-1)
            found += [that(f"change {t}{i}{k}", sizes[:, i]) <= s.p.L * s.p.L * lengths[:, i] for i in range(s.n)]
    return found


def _bounded(s: Instance) -> list[Comparison]:
    return [that(f"F {t}", height(s, each.after)) >= lowest(s) for t, each in enumerate(rounds(s))]


def _definite(s: Instance) -> list[Comparison]:
    A = shares(s)
    least = s.nb.smallest(s.nb.eigenvalues(A))
    pairs = [(i, k) for i in range(s.n) for k in range(s.tau)]
    return [
        *(that(f"definite {i}{k}", least[:, i, k]) > s.slack * 0 for i, k in pairs),
        *(that(f"symmetric {i}{k}", A[:, i, k, 0, -1]) == A[:, i, k, -1, 0] for i, k in pairs),
    ]


SMALL = grid(d=(1,), n=(1, 2), tau=(1, 4), T=(20, 100))

STATEMENT = Statement(
    kind="convergence",
    location="Theorem 3, Appendix F",
    says="With equal eta and tau, alpha = eta tau <= 1/L and the rate (99), local correction finds min_t ||grad "
    "F(x^(t))||^2 = O(1/T + Lambda^(1/3) G^(2/3)/T^(2/3)).",
    reading="O(.) with explicit constants: 2DL/T + 3 (D^2 L^2 Lambda G^2)^(1/3)/T^(2/3). The A of Assumption 4 are "
    "symmetric: each B commutes with their sum (LA.H4); F is bounded below; T is known beforehand. Instances: "
    "quadratics, and a z^2/2 (1 - theta + theta/(1 + z^2/r^2)) in coordinates z of its own; G any bound that holds "
    "along the run.",
    headline=True,
    domain=Domain(
        corrected_clients,
        grid(d=(1, 2), wells=(False, True), n=(1, 2, 3), tau=(1, 2, 4), T=(1, 2, 5))
        + grid(d=(2,), wells=(False, True), n=(1, 2), tau=(3,), T=(1, 2, 5), unit=(True,))
        + grid(d=(1,), wells=(False, True), n=(1, 2), tau=(1, 4), T=(20,)),
        "one to three clients in d <= 2, quadratics or wells that are not convex, T <= 20",
    ),
    hypotheses=(
        Hypothesis("F >= F_inf", _bounded, role="F is bounded below"),
        between("H_i > 0 at its minimizer", lambda s: s.p.lam.reshape(len(s.reach), -1), 0, role="of the instances"),
        between("0 <= theta <= 1", lambda s: s.theta, 0, 1, "[]", role="of the instances: theta > 0 is not quadratic"),
        Hypothesis("D > 0, q > 0", _moving, role="x^(0) is no minimizer, G is finite: (99) divides by D and G"),
        WEIGHTS,
        Hypothesis("A_i^(k) symmetric, positive definite (Assumption 4)", _definite, role="what the theorem is about"),
        Hypothesis(
            "|grad F_i(x) - grad F_i(y)| <= L |x - y| (Assumption 3)", _smooth, role="L is the largest Hessian's"
        ),
        Hypothesis(
            "|B_i^(k) grad F_i| <= G (Assumption 5)", _met, Domain(understated, SMALL, "G a hundredth of a bound")
        ),
        Hypothesis(
            "eta as in (99), so that eta tau <= 1/L",
            lambda s: [that(s.cap) == s.cap * 0 + 1],
            Domain(fast, SMALL, "eta tau up to 10/L"),
        ),
    ),
    printed=claim_of(printed, derive=stationary),
    steps=(
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
    note="The theorem stands; in its proof (129) drops constants, which O(.) does not see, and Lemma 4, proved for "
    "matrices that commute with their sum only (LA.L4), is used for such. It says nothing of B that do not commute "
    "with their sum, since (sum B)^-1 B is then not symmetric (LA.H4). With momentum (124) is a bound alone "
    "(LA.E124). The normalised update has no rate in it: Algorithm 1, whose N_i omits eta, must use alpha = tau here.",
)
