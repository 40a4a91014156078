"""LA section 4: ideal preconditioners reach x~ in one round."""

from theorems.local_adaptivity.common import between, matrices, noncommutative, places, positive, shares
from theorems.vocabulary import *


def instance(cursor: Cursor, n: int, tau: int) -> Instance:
    """P_i H_i = 1: the curvatures drop out."""
    eta, start, x = positive(cursor, 1e-3), 4 * cursor.take() - 2, places(cursor, n)
    return Instance(nb=cursor.nb, n=n, tau=tau, eta=eta, start=start, x=x, w=shares(cursor, n))


def printed(s: Instance) -> list[Comparison]:
    r"""one round ends at x~ = sum w x_i*

    P_i=H_i^{-1}:\ x^{(1)}=\tilde x=\sum_iw_ix_i^*
    """
    k = (1 - s.eta) ** s.tau
    alpha = 1 / (s.eta * s.nb.geometric(s.eta, s.tau))
    ends = k[..., None] * (s.start[..., None] - s.x) + s.x
    after = s.start - alpha * (s.start - (s.w * ends).sum(axis=-1))
    return [that("one round", after) == (s.w * s.x).sum(axis=-1)]


def prove() -> None:
    """sympy (symbols that do not commute) and z3: With P_i = H_i^-1 and one client rate, A_i(x) - x_i* = k (x - x_i*),
    k = (1 - eta)^tau < 1, in any dimension; alpha = 1/(1 - k) takes x to sum w x_i*, where A rests (eta = alpha = 1: k
    = 0).
    """
    x, c = matrices("x c")
    k, eta = sympy.symbols("k eta")
    noncommutative(((1 - eta) * (x - c) + c, x - eta * (x - c)))
    alpha = 1 / (1 - k)
    mean = k * x + (1 - k) * c  # c: the mean of the x_i*
    noncommutative((sympy.expand((1 - k) * x) - (x - mean), (1 - k) * c))
    if sympy.simplify(alpha * (1 - k) - 1) != 0:
        raise AssertionError("alpha does not undo 1 - k")
    e, t = reals("e t")
    smt([0 < e, e <= 1, t >= 0, t < 1], (1 - e) * t < 1)


STATEMENT = Statement(
    kind="identity",
    location="section 4, after (10)",
    says="With ideal local preconditioners P_i = H_i^-1, FedOpt converges to x~ in one round under proper rates.",
    reading="eta_i = eta in (0, 1], tau_i = tau, alpha = 1/(1 - (1 - eta)^tau).",
    domain=Domain(
        instance,
        tuple({"n": n, "tau": t} for n in (1, 2, 3) for t in (1, 2, 10, 1000)),
        "one to three clients, d = 1 (P H = 1 makes coordinates alike)",
    ),
    hypotheses=(between("0 < eta <= 1", lambda s: s.eta, 0, 1, "(]"),),
    printed=claim_of(printed, prove=prove),
    note="x~ is then the mean of the clients' minimizers, far from x* as a rule: the fastest preconditioner ignores "
    "all curvature.",
)
