"""LADA, appendix B.2.3: the bound of R_3."""

from theorems.fedlada.common_scales import SIZES, changes, scales
from theorems.fedlada.lemmas_scales import derive_slope
from theorems.vocabulary import *


def compare(s: Instance) -> list[Comparison]:
    r"""the bound

    R_3\le\frac{\eta\eta_lG_g^2}{2\epsilon_v^3}\mathbb E\sum_j\big((\bar{\hat v}_K)_{(j)}-(\bar{\hat v}_0)_{(j)}\big)

    Divided by eta eta_l.
    """
    total, grown = changes(s)
    left = sum(-s.gradient * change for change in total)
    return [that(2 * s.eps**3 * left / (s.S * s.K)) <= grown / s.S]


STATEMENT = Statement(
    kind="upper bound",
    location="B.2.3",
    says="R_3 = -eta eta_l E<grad F(z), (1/(mK)) sum m (theta_tau - theta_0)> <= eta eta_l G_g^2/(2 eps_v^3) E sum_j "
    "(vhat_K - vhat_0)_j.",
    reading="(c) is 'vhat >= eps_v^2'; the last line's means over clients are over all m. G_g = 1; eta eta_l is "
    "divided out.",
    domain=scales(),
    hypotheses=(SIZES,),
    printed=claim_of(compare, derive=derive_slope),
)
