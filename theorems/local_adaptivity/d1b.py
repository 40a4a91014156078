"""LA section 4: x* = A(x*) only if all M_i agree, which heterogeneous data forbid."""

from theorems.local_adaptivity.common import batch_one, matrices, noncommutative, positive
from theorems.local_adaptivity.common_quadratic import STABLE, gradients, minimizer, weighting
from theorems.vocabulary import *


def instance(cursor: Cursor, n: int, tau: int) -> Instance:
    """Two clients with one rate, one preconditioner and one number of steps: only their data differ."""
    one = batch_one(cursor)
    H = np.stack([one, positive(cursor, 1e-3)], -1)
    x = np.stack([one * 0, 2 * cursor.take() - 1], -1)
    P, eta = (np.stack([v, v], -1) for v in (positive(cursor, 1e-3), positive(cursor, 1e-3)))
    steps = (tau,) * n
    return Instance(nb=cursor.nb, n=n, tau=steps, steps=str(steps), H=H, P=P, eta=eta, x=x, w=(x * 0 + 1) / n)


def _apart(cursor: Cursor, n: int, tau: int) -> Instance:
    """H_2 <= 9/10 H_1, so that floats tell M_1 from M_2."""
    s = instance(cursor, n, tau)
    s.H = np.stack([s.H[:, 0], s.H[:, 1] * 9 / 10], -1)
    return s


def printed(s: Instance) -> list[Comparison]:
    """``only if``: gradients g_1 = 1/w_1, g_2 = -1/w_2 cancel by weight, and sum w M g is M_1 - M_2."""
    M = weighting(s)
    apart = M[:, 1] - M[:, 0]
    g = np.stack([1 / s.w[:, 0], -1 / s.w[:, 1]], -1)
    return [
        Comparison("only if", (s.w * M * g).sum(axis=-1), "==", -apart),
        Comparison("if", (s.w * M[:, :1] * gradients(s, minimizer(s))).sum(axis=-1), "==", apart * 0),
        Comparison("heterogeneous data: M_1 != M_2", s.nb.abs(apart), ">", apart * 0),
    ]


def prove() -> Proof:
    M, N, g, h = matrices("M N g h")
    w = sympy.symbols("w", positive=True)
    noncommutative((w * M * g + (1 - w) * M * h, M * (w * g + (1 - w) * h)))
    noncommutative((w * M * (g / w) - (1 - w) * N * (g / (1 - w)), (M - N) * g))
    G, T, p, q, a, b = reals("G T p q a b")  # sums of k powers of a = 1 - y and b = 1 - z, y > z: p = a^k, q = b^k
    smt([0 <= a, a < b, 0 <= p, p <= q, q > 0], p * a < q * b)
    smt([0 <= b, b < 1, q > 0], q * b >= 0)
    smt([G <= T, p < q], G + p < T + q)
    return Proof(
        "sympy (symbols that do not commute) and z3",
        "A common M gives sum w M grad F_i(x*) = M grad F(x*) = 0. Gradients g/w_i and -g/w_j of two clients, the "
        "others at rest, cancel by weight and leave (M_i - M_j) g: in any dimension only M_i = M_j answers to all "
        "gradients. In d = 1, M = eta P sum_{k<tau} (1 - eta P H)^k falls with H, strictly from the second step on "
        "(induction, z3).",
    )


def _heterogeneous(s: Instance) -> list[Comparison]:
    g = gradients(s, minimizer(s))
    return [
        *(Comparison(f"gradient {i}", s.nb.abs(g[:, i]), ">", g[:, i] * 0) for i in range(s.n)),
        Comparison("curvatures differ", s.H[:, 1], "<", s.H[:, 0]),
    ]


STATEMENT = Statement(
    id="LA.D1b",
    kind="necessity",
    location="section 4, after (9)",
    says="Only if M_i = M_j for all client pairs can we conclude that x* = A(x*); and due to data heterogeneity M_i "
    "= M_j does not hold.",
    reading="'Can conclude': whatever the gradients at x*, which cancel by weight (for some gradients sum w M_i grad "
    "F_i(x*) = 0 without it: LA.D1). Heterogeneous: H_1 != H_2 and x_1* != x_2*, while rates, preconditioners and "
    "numbers of steps are common. d = 1.",
    severity="missing-hypothesis",
    domain=Domain(instance, grid(n=(2,), tau=(1, 2, 5, 100)), "two clients in d = 1 with common factors, tau <= 100"),
    hypotheses=(STABLE, Hypothesis("heterogeneous", _heterogeneous)),
    printed=Claim(
        "x* = A(x*) for all gradients exactly if M_i = M_j; heterogeneous clients have M_i != M_j",
        r"\Big[\sum_iw_ig_i=0\Rightarrow\sum_iw_iM_ig_i=0\Big]\iff M_i=M_j;\quad H_1\ne H_2\Rightarrow M_1\ne M_2",
        printed,
    ),
    corrected=Claim(
        "the same with two local steps or more",
        r"\tau\ge2:\ H_1\ne H_2\Rightarrow M_1\ne M_2",
        printed,
        prove,
        Domain(_apart, grid(n=(2,), tau=(2, 3, 5, 100)), "the same, H_2 <= 9/10 H_1"),
    ),
    note="With one local step M_i = eta_i P_i, whatever the data: heterogeneity alone makes nothing unequal, and "
    "FedAvg with tau = 1 rests at x*.",
)
