"""LAMB Algorithm 1, line 9: the corrected momentum is written back, and momentum that is carried is corrected."""

from theorems.fedlamb.common import need, positive, share
from theorems.fedlamb.listing_fedlamb import local_round
from theorems.vocabulary import *


def instance(cursor: Cursor, T: int, r: int) -> Instance:
    """A constant gradient g; r rounds of T steps, momentum carried from round to round (line 6)."""
    return Instance(
        nb=cursor.nb, T=T, r=r, g=positive(cursor), theta=1 + cursor.take(), alpha=positive(cursor) / 4,
        beta1=share(cursor), beta2=share(cursor), eps=cursor.take(),
    )  # fmt: skip


def last_momentum(s: Instance, printed: bool, rounds: int) -> Any:
    m, theta = 0 * s.g, s.theta
    for _ in range(rounds):
        theta, m, _ = local_round(s.nb, lambda y: s.g + 0 * y, theta, m, 0 * s.g, 1 + 0 * s.g, s, s.T, printed)
    return m


def printed(s: Instance) -> list[Comparison]:
    r"""m of a constant gradient is the gradient

    g\equiv g_0\Rightarrow m_{r,i}^T=g_0
    """
    return [that("m of a constant gradient", last_momentum(s, True, s.r)) == s.g]


def corrected(s: Instance) -> list[Comparison]:
    r"""with m kept and m-hat = m/(1 - beta_1^t) used, m = 0 at the start of every round

    m^t=\beta_1m^{t-1}+(1-\beta_1)g^t,\ \hat m^t=m^t/(1-\beta_1^t),\ m^0=0
    """
    return [that("m-hat of a constant gradient", last_momentum(s, False, 1)) == s.g]


def prove() -> None:
    """sympy identity: m^t = (1 - beta_1^t) g by induction on t from m^0 = 0, so m^t/(1 - beta_1^t) = g.

    m = (1 - beta^t) g is kept by a step: beta (1 - q) g + (1 - beta) g = (1 - beta q) g, q = beta^t.
    """
    beta, q, g = sympy.symbols("beta q g")
    identity((beta * (1 - q) * g + (1 - beta) * g, (1 - beta * q) * g))


STATEMENT = Statement(
    kind="identity",
    location="Algorithm 1, lines 6 and 9; 'lines 8-11 correspond to the standard moment estimation and correction'",
    says="Line 9 is the standard bias correction: of a constant gradient g the corrected momentum is g.",
    severity="substantive",
    domain=Domain(instance, grid(T=(1, 2, 5), r=(1, 2)), "constant gradients in d = 1, one or two rounds"),
    hypotheses=(
        need(
            "0 < beta_1, beta_2 < 1", lambda s: [(b, r, e) for b in (s.beta1, s.beta2) for r, e in ((">", 0), ("<", 1))]
        ),
        need("g, alpha > 0", lambda s: [(s.g, ">", 0), (s.alpha, ">", 0)]),
    ),
    printed=claim_of(printed),
    corrected=claim_of(corrected, prove=prove),
    note="Written back, m^2 = g/(1 - beta_1^2) (5.3 g at 0.9), and from the second round on m^1 = g + beta_1/(1 - "
    "beta_1) m (10 g): directions are over-weighted by old gradients, which normalisation does not undo. LAMB.A1c is "
    "the same for v.",
)
