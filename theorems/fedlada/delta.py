"""LADA, appendix B.2.1: Delta^t, what the change of theta within a round adds."""

from theorems.fedlada.common_scales import SIZES, changes, scales
from theorems.fedlada.lemmas_scales import derive_square
from theorems.vocabulary import *


def compare(s: Instance) -> list[Comparison]:
    r"""the bound

    \Delta^t\le\frac{G_g^2}{\epsilon_v^4}\mathbb E\sum_j\big((\bar{\hat v}_K)_{(j)}-(\bar{\hat v}_0)_{(j)}\big)
    """
    total, grown = changes(s)
    return [that(s.eps**4 * (sum(total) / (s.S * s.K)) ** 2) <= grown / s.S]


STATEMENT = Statement(
    kind="upper bound",
    location="B.2.1, the chain for Delta^t",
    says="E|(1/(SK)) sum m (theta_tau - theta_0)|^2 <= (G_g^2/eps_v^4) E sum_j (mean vhat_K - mean vhat_0)_j.",
    reading="Step (d) is 'vhat >= eps_v^2' (printed v >= eps_v). G_g = 1. Drawing S of m clients gives the mean over "
    "all in E.",
    domain=scales(),
    hypotheses=(SIZES,),
    printed=claim_of(compare, derive=derive_square),
)
