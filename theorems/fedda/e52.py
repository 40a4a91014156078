"""DA (51) and (52): how far the local path is from the centralized one."""

from theorems.fedda.common_flow import FLOW, SMALL_RATE, bound_of_gradients, flows, local_at, sgdm_at
from theorems.vocabulary import *


def compare(s: Instance) -> list[Comparison]:
    r"""at most (sup |g^i| + sup |m|) tau

    \|\bar W^i(\tau)-W(\tau)\|\le(\|g^i\|_{L^\infty}+\sup_{s\le\tau}\|m(s)\|)\tau
    """
    tau = s.t * s.eta
    W, _ = sgdm_at(s, tau)
    local, momentum, _ = bound_of_gradients(s)
    return [
        that(f"client {i + 1}", s.nb.abs(local_at(s, i, tau) - W)) <= (local[i] + momentum) * tau for i in range(s.n)
    ]


def prove() -> None:
    """z3: (51) is the difference of dWbar^i = -g^i(Wbar^i) and dW = -m from a common start; the integrand is at most
    sup |g^i| + sup |m| by the triangle inequality.
    """
    g, m, G, M, off, tau = reals("g m G M off tau")
    smt([-G <= g, g <= G, -M <= m, m <= M], -(G + M) <= m - g)
    smt([-G <= g, g <= G, -M <= m, m <= M], m - g <= G + M)
    smt([tau >= 0, G >= 0, M >= 0, off <= (G + M) * tau, m <= M, -g <= G], off + (m - g) <= (G + M) * (tau + 1))


STATEMENT = Statement(
    kind="upper bound",
    location="(51) and (52), appendix A.3",
    says="|Wbar^i(tau) - W(tau)| <= (sup |g^i| + sup_{s <= tau} |m(s)|) tau.",
    reading="Suprema over the points visited; on the searched instances they are the values at the start.",
    domain=flows(),
    hypotheses=(SMALL_RATE, FLOW),
    printed=claim_of(compare, prove=prove),
)
