"""LA section 4: ideal preconditioners reach x~ in one round."""

from theorems.local_adaptivity.common import WEIGHTS, between, coordinates, matrices, noncommutative
from theorems.local_adaptivity.common_matrices import played, preconditioned
from theorems.vocabulary import *


def instance(cursor: Cursor, n: int, d: int, tau: int, top: int = 1) -> Instance:
    """P_i = H_i^-1, and one client rate."""
    s = preconditioned(cursor, (tau,) * n, d)
    s.P, s.frames, s.rate = 1 / s.p.lam, Instance(R=s.p.R), top * s.eta[:, 0]
    s.eta = s.eta * 0 + s.rate[:, None]
    s.start = np.stack([4 * cursor.take() - 2 for _ in range(d)], -1)
    return s


def printed(s: Instance) -> list[Comparison]:
    r"""one round ends at x~ = sum w x_i*

    P_i=H_i^{-1}:\ x^{(1)}=\tilde x=\sum_iw_ix_i^*

    The round is played step by step, in differences to the clients' minimizers.
    """
    alpha = 1 / (s.rate * s.nb.geometric(s.rate, s.tau[0]))
    ends = np.stack([played(s, i, s.start) for i in range(s.n)], 1)
    after = s.start - alpha[:, None] * s.p.mean(s.start[:, None] - ends)
    return coordinates("one round", after, s.p.mean(s.p.c))


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
    reading="Proper rates: eta_i = eta in (0, 1], tau_i = tau, alpha = 1/(1 - (1 - eta)^tau).",
    domain=Domain(
        instance,
        grid(n=(1, 2, 3), d=(1, 2), tau=(1, 2, 10)),
        "one to three clients in d <= 2 with P_i = H_i^-1",
    ),
    hypotheses=(
        WEIGHTS,
        between("H_i > 0", lambda s: s.p.lam.reshape(len(s.rate), -1), 0, role="P_i is its inverse"),
        between(
            "0 < eta <= 1",
            lambda s: s.rate,
            0,
            1,
            "(]",
            Domain(lambda c, **k: instance(c, top=3, **k), grid(n=(1, 2), d=(1,), tau=(1, 3)), "eta up to 3"),
        ),
    ),
    printed=claim_of(printed, prove=prove),
    note="x~ is then the mean of the clients' minimizers, far from x* as a rule: the fastest preconditioner ignores "
    "all curvature.",
)
