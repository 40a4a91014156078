"""LA section 4: x* = A(x*) only if all M_i agree, which heterogeneous data forbid."""

from theorems.local_adaptivity.common import WEIGHTS, between, identity_like, matrices, noncommutative, positive
from theorems.vocabulary import *


def instance(cursor: Cursor, tau: int, d: int, top: int | Fraction = 2) -> Instance:
    """Two clients with one rate, one preconditioner and one number of steps; eta |P| |H_i| up to ``top``."""
    p = clients(cursor, 2, d, weighted=True, least_mu=Fraction(1, 50))
    P = clients(cursor, 1, d, least_mu=Fraction(1, 50)).A[:, 0]
    eta = cursor.nb.number(top) * positive(cursor, 1e-2)
    return Instance(nb=cursor.nb, tau=tau, d=d, p=p, P=P, eta=eta)


def apart(cursor: Cursor, tau: int, d: int) -> Instance:
    """H_2 is at most 9/10 of what it may be, so that floats tell M_1 from M_2; eta |P| |H_i| up to 3/2, or 4."""
    s = instance(cursor, tau, d, Fraction(3, 2) if tau % 2 else 4)
    lam = s.p.lam.copy()
    lam[:, 1] = lam[:, 1] * 9 / 10
    s.p = replace(s.p, lam=lam)
    return s


def weighting(s: Instance) -> list[Any]:
    """M_i = eta sum_{k < tau} (I - eta P H_i)^k P = [I - (I - eta P H_i)^tau] H_i^-1, by Horner's rule."""
    step, found = s.eta[:, None, None] * s.P, []
    for i in (0, 1):
        left, M = identity_like(step) - step @ s.p.A[:, i], step
        for _ in range(s.tau - 1):
            M = step + left @ M
        found.append(M)
    return found


def printed(s: Instance) -> list[Comparison]:
    """With M_1 for both clients the pulls at x* cancel; and M_1 is not M_2."""
    M, x = weighting(s), s.p.minimizer
    g = s.p.w[..., None] * (s.p.A @ (x[:, None] - s.p.c)[..., None])[..., 0]
    pulls = (M[0][:, None] @ g[..., None])[..., 0]
    return [
        *(that(f"if: entry {k}", pulls[:, 0, k]) == -pulls[:, 1, k] for k in range(s.d)),
        that("heterogeneous data: M_1 != M_2", square(M[0] - M[1])) > s.eta * 0,
    ]


def square(M: Any) -> Any:
    """The sum of the squares of the entries."""
    return (M * M).sum(axis=-1).sum(axis=-1)


def prove() -> None:
    """sympy (symbols that do not commute) and z3: A common M gives sum w M grad F_i(x*) = M grad F(x*) = 0. Gradients
    g/w_i and -g/w_j of two clients, the others at rest, cancel by weight and leave (M_i - M_j) g: only M_i = M_j
    answers to all gradients. With S_i = P^(1/2) H_i P^(1/2), M_i = eta P^(1/2) S(I - eta S_i) P^(1/2), S(a) = 1 + a +
    ... + a^(tau-1). (1 - a)^2 S'(a) = 1 - a^n (1 + n (1 - a)), n = tau - 1, is positive on [0, 1) (what is taken away
    falls with n), for all a < 0 if n is odd, and for -1/2 <= a < 0 if n is even, but for a = -1/2, n = 2, where it is
    0. So S is one to one, and S_1 != S_2 gives M_1 != M_2, in any dimension.
    """
    M, N, g, h = matrices("M N g h")
    w = sympy.symbols("w", positive=True)
    noncommutative((w * M * g + (1 - w) * M * h, M * (w * g + (1 - w) * h)))
    noncommutative((w * M * (g / w) - (1 - w) * N * (g / (1 - w)), (M - N) * g))
    x, m = sympy.symbols("x m", positive=True)  # S = 1 + x + ... + x^m has (1 - x)^2 S' = 1 - x^m (1 + m (1 - x))
    slope = sympy.diff((1 - x ** (m + 1)) / (1 - x), x) * (1 - x) ** 2
    if sympy.simplify(sympy.expand(slope - (1 - x**m * (1 + m * (1 - x))))) != 0:
        raise AssertionError("the slope is not what it should be")
    a, n, p, y = reals("a n p y")  # p: a^n, or its size; y = -a
    smt([], a * p * (1 + (n + 1) * (1 - a)) - p * (1 + n * (1 - a)) == -(n + 1) * p * (1 - a) ** 2)
    smt([0 <= a, a < 1], a * (2 - a) < 1)
    smt([a < 0, p > 0, n >= 1], 1 + p * (1 + n * (1 - a)) > 0)
    smt([0 < y, 2 * y <= 1], y**2 * (3 + 2 * y) <= 1)
    smt([0 < y, 2 * y <= 1, n >= 2, p > 0], y**2 * p * (1 + (n + 2) * (1 + y)) < p * (1 + n * (1 + y)))


def _different(s: Instance) -> list[Comparison]:
    return [
        that("H_1 != H_2", square(s.p.A[:, 0] - s.p.A[:, 1])) > s.eta * 0,
        that("x_1* != x_2*", ((s.p.c[:, 0] - s.p.c[:, 1]) ** 2).sum(axis=-1)) > s.eta * 0,
    ]


def _step(s: Instance) -> Any:
    return s.eta * s.nb.opnorm(s.P) * s.p.L


ROLE = "as section 4 has it"
GIVEN = (
    WEIGHTS,
    between("H_i > 0", lambda s: s.p.lam.reshape(len(s.eta), -1), 0, role=ROLE),
    between("P > 0", lambda s: s.nb.eigenvalues(s.P)[..., 0], 0, role=ROLE),
    between("eta > 0", lambda s: s.eta, 0, role=ROLE),
    Hypothesis("heterogeneous: H_1 != H_2, x_1* != x_2*", _different, role="what 'due to data heterogeneity' says"),
)

STATEMENT = Statement(
    kind="necessity",
    location="section 4, after (9)",
    says="Only if M_i = M_j for all client pairs can we conclude that x* = A(x*); and due to data heterogeneity M_i "
    "= M_j does not hold.",
    reading="'Can conclude': whatever the gradients at x*, which cancel by weight (for some gradients sum w M_i grad "
    "F_i(x*) = 0 without it: LA.D1). Rates, preconditioners and numbers of steps are common: with P_i to choose, M_i "
    "can be made equal.",
    severity="missing-hypothesis",
    domain=Domain(instance, grid(d=(1, 2), tau=(1, 2, 3, 5)), "two clients with common factors in d <= 2, tau <= 5"),
    hypotheses=(
        *GIVEN,
        between(
            "eta |P| |H_i| < 2",
            _step,
            None,
            2,
            role="local steps contract (Assumption 1); the correction says how much of it is needed",
        ),
    ),
    printed=Claim(
        "M_1 for M_i gives A(x*) = x*; heterogeneous clients have M_1 != M_2",
        r"\Big[\sum_iw_ig_i=0\Rightarrow\sum_iw_iM_ig_i=0\Big]\iff M_i=M_j;\quad H_1\ne H_2\Rightarrow M_1\ne M_2",
        printed,
    ),
    corrected=Claim(
        "the same if tau >= 2 is even, or if tau >= 3 is odd and eta |P| |H_i| <= 3/2",
        r"\tau\in\{2,4,6,\ldots\},\text{ or }\tau\in\{3,5,\ldots\}\text{ and }\eta\|P\|\|H_i\|\le\tfrac32:"
        r"\quad H_1\ne H_2\Rightarrow M_1\ne M_2",
        printed,
        prove,
        Domain(
            apart,
            (*grid(d=(1,), tau=(2, 3, 4, 5, 100)), *grid(d=(2,), tau=(2, 3, 4))),
            "two clients in d <= 2, tau >= 2, eta |P| |H_i| up to 3/2 for odd tau and up to 4 for even",
        ),
        (
            *GIVEN,
            Hypothesis(
                "tau even, or eta |P| |H_i| <= 3/2",
                lambda s: [] if s.tau % 2 == 0 else [that(2 * _step(s)) <= s.eta * 0 + 3],
            ),
        ),
    ),
    note="As printed it is true from two steps on while eta |P| |H_i| <= 1, as small client rates make it. With one "
    "step M_i = eta_i P_i, whatever the data, and FedAvg rests at x*. 3/2 cannot be raised for tau = 3: eta = P = 1 "
    "and H = 3/2 - e, 3/2 + e have equal M_i.",
)
