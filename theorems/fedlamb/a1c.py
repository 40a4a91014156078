"""LAMB Algorithm 1, lines 6, 10 and 16: the second moment grows without bound."""

from theorems.fedlamb.common import need, positive, share
from theorems.fedlamb.listing_fedlamb import local_round
from theorems.vocabulary import *


def instance(cursor: Cursor, T: int, R: int) -> Instance:
    """One client with the constant gradient g, |g| = M; v-hat starts at 0, as printed."""
    return Instance(
        nb=cursor.nb, T=T, R=R, g=positive(cursor), theta=1 + cursor.take(), alpha=positive(cursor) / 4,
        beta1=share(cursor), beta2=share(cursor, Fraction(999, 1000)), eps=positive(cursor),
    )  # fmt: skip


def largest(s: Instance) -> Any:
    """v-hat after R rounds: v^0 = v-hat, line 10 T times, v-hat = max(v-hat, v^T)."""
    peak = 0 * s.g
    for _ in range(s.R):
        root = 1 + 0 * s.g
        _, _, v = local_round(s.nb, lambda y: s.g + 0 * y, s.theta, 0 * s.g, peak, root, s, s.T, printed=True)
        peak = s.nb.maximum(peak, v)
    return peak


def printed(s: Instance) -> list[Comparison]:
    r"""v-hat <= M^2

    \hat v_r\le M^2
    """
    return [that("v-hat", largest(s)) <= s.g**2]


def plain(s: Instance) -> list[Comparison]:
    r"""without the division by 1 - beta_2^t in line 10: v starts at v-hat, not at 0, and has no bias to correct

    v^t=\beta_2v^{t-1}+(1-\beta_2)g^2,\ v^0=\hat v\Rightarrow\hat v_r\le\max(\hat v_0,M^2)

    Without correction, v starting at v-hat.
    """
    peak = 0 * s.g
    for _ in range(s.R):
        v = peak
        for _ in range(s.T):
            v = s.beta2 * v + (1 - s.beta2) * s.g**2
        peak = s.nb.maximum(peak, v)
    return [that("v-hat", peak) <= s.g**2]


def prove() -> None:
    """z3 and sympy: A mean of values that are at most M^2 is at most M^2, and so are averages over clients and the
    maximum; induction over steps and rounds. Line 10 at t = 1 is v = g^2 + beta_2/(1 - beta_2) v-hat, which grows for
    beta_2 > 1/2.
    """
    v, g2, beta, M2 = reals("v g2 beta M2")
    smt([0 <= beta, beta <= 1, v <= M2, g2 <= M2], beta * v + (1 - beta) * g2 <= M2)
    b, w, g = sympy.symbols("b w g")
    identity(((b * w + (1 - b) * g) / (1 - b), g + b / (1 - b) * w))  # what line 10 does at t = 1


STATEMENT = Statement(
    kind="upper bound",
    location="Algorithm 1, lines 6, 10 and 16; its use in B.2 (1/sqrt(v-hat) >= ...)",
    says="v-hat, an average of squared gradients, is at most M^2.",
    reading="Not displayed, but what 'standard second moment estimation' and H2 give, and what B.2 uses.",
    severity="substantive",
    domain=Domain(instance, grid(T=(1, 2), R=(1, 2, 3, 10)), "one client with a constant gradient, up to 10 rounds"),
    hypotheses=(
        need(
            "0 < beta_1, beta_2 < 1", lambda s: [(b, r, e) for b in (s.beta1, s.beta2) for r, e in ((">", 0), ("<", 1))]
        ),
        need("g, alpha > 0", lambda s: [(s.g, ">", 0), (s.alpha, ">", 0)]),
    ),
    printed=claim_of(printed),
    corrected=claim_of(plain, prove=prove),
    note="At beta_2 = 0.999, as in the experiments, one local step multiplies v-hat by 999 in every round. Layer-wise "
    "normalisation hides the common factor; what remains is the distortion between coordinates.",
)
