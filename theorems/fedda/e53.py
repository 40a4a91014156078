"""DA (53): centralized momentum is an average of past gradients."""

from theorems.fedda.common_average import momentum_is_bounded
from theorems.fedda.common_flow import FLOW, SMALL_RATE, bound_of_gradients, flows, sgdm_at, start
from theorems.vocabulary import *


def compare(s: Instance) -> list[Comparison]:
    r"""|m(tau)| <= exp(-k tau)|m(0)| + (1 - exp(-k tau)) sup |g| <= |m(0)| + sup |g|

    \|m(\tau)\|\le e^{-k\tau}\|m(0)\|+k\int_0^\tau e^{-k(\tau-s)}\|g(W(s))\|ds\le\|m(0)\|+\|g\|_{L^\infty}
    """
    tau = s.t * s.eta
    _, momentum, G = bound_of_gradients(s)
    worn = s.nb.exp(-(start(s).k * tau))
    m = s.nb.abs(sgdm_at(s, tau)[1])
    return [
        that("(53)", m) <= worn * momentum + (1 - worn) * G,
        that("|m(0)| + sup |g|", m) <= momentum + G,
        that("ours: max(|m(0)|, sup |g|)", m) <= s.nb.maximum(momentum, G),
    ]


def prove() -> None:
    """sympy and z3: Variation of constants in (19): m is exp(-k tau) m(0) plus g(W) against a kernel of mass 1 - exp(-k
    tau), an average. So |m| is at most the larger of |m(0)| and sup |g|.
    """
    momentum_is_bounded()


STATEMENT = Statement(
    kind="upper bound",
    location="(53) and after, appendix A.3",
    says="|m(tau)| is at most exp(-k tau) |m(0)| plus the averaged |g(W)|, hence at most |m(0)| + sup |g|.",
    reading="k = (1 - beta)/eta; |g(W(s))| replaced by its supremum over the points visited.",
    domain=flows(),
    hypotheses=(SMALL_RATE, FLOW),
    printed=claim_of(compare, prove=prove),
    note="Ours is sharper: max(|m(0)|, sup |g|). The same holds for every local m^i, which contradicts (47)'s "
    "conclusion.",
)
