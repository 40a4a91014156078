"""LADA, appendix B.2.1: Delta^t, what the change of theta within a round adds."""

from theorems.fedlada.common import below, need
from theorems.fedlada.common_scales import changes, prove_scales, scales
from theorems.vocabulary import *


def compare(s: Instance) -> list[Comparison]:
    r"""the bound

    \Delta^t\le\frac{G_g^2}{\epsilon_v^4}\mathbb E\sum_j\big((\bar{\hat v}_K)_{(j)}-(\bar{\hat v}_0)_{(j)}\big)
    """
    total, grown = changes(s)
    return [that(s.eps**4 * (sum(total) / (s.S * s.K)) ** 2) <= grown / s.S]


def prove() -> None:
    """z3: Jensen over the SK terms; |m_j| <= G_g; (1/sqrt(v) - 1/sqrt(v_0))^2 <= (v - v_0)/eps_v^4 for eps_v^2 <= v_0
    <= v (z3, in units of eps_v); vhat never falls (LADA.E5), so the last step has the largest difference.
    """
    prove_scales()


STATEMENT = Statement(
    kind="upper bound",
    location="B.2.1, the chain for Delta^t",
    says="E|(1/(SK)) sum m (theta_tau - theta_0)|^2 <= (G_g^2/eps_v^4) E sum_j (mean vhat_K - mean vhat_0)_j.",
    reading="Step (d) is 'vhat >= eps_v^2' (printed v >= eps_v). G_g = 1. Drawing S of m clients gives the mean over "
    "all in E.",
    domain=scales(),
    hypotheses=(need("eps_v > 0", below("eps")),),
    printed=claim_of(compare, prove=prove),
)
