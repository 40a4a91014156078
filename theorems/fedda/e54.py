"""DA (54): the same distance with the bound of (53) put in."""

from theorems.fedda.common_average import momentum_is_bounded
from theorems.fedda.common_flow import FLOW, SMALL_RATE, bound_of_gradients, flows, local_at, sgdm_at
from theorems.fedda.e52 import prove as prove_path
from theorems.vocabulary import *


def sides(s: Instance) -> tuple[list[Any], list[Any]]:
    tau = s.t * s.eta
    W, _ = sgdm_at(s, tau)
    local, momentum, G = bound_of_gradients(s)
    away = [s.nb.abs(local_at(s, i, tau) - W) for i in range(s.n)]
    return away, [(local[i] + momentum + G) * tau for i in range(s.n)]


def printed(s: Instance) -> list[Comparison]:
    r"""equal

    \|\bar W^i(\tau)-W(\tau)\|=(\|g^i\|_{L^\infty}+\|m(0)\|+\|g\|_{L^\infty})\tau
    """
    away, bound = sides(s)
    return [that(f"client {i + 1}", away[i]) == bound[i] for i in range(s.n)]


def corrected(s: Instance) -> list[Comparison]:
    r"""at most that

    \|\bar W^i(\tau)-W(\tau)\|\le(\|g^i\|_{L^\infty}+\|m(0)\|+\|g\|_{L^\infty})\tau
    """
    away, bound = sides(s)
    return [that(f"client {i + 1}", away[i]) <= bound[i] for i in range(s.n)]


def prove() -> None:
    """z3 and sympy: (52) with sup |m| <= |m(0)| + sup |g| (DA.E52, DA.E53)."""
    prove_path()
    momentum_is_bounded()


STATEMENT = Statement(
    kind="upper bound",
    location="(54), appendix A.3",
    says="|Wbar^i(tau) - W(tau)| = (sup |g^i| + |m(0)| + sup |g|) tau.",
    severity="typo",
    reading="Suprema over the points visited.",
    domain=flows(),
    hypotheses=(SMALL_RATE, FLOW),
    printed=claim_of(printed),
    corrected=claim_of(corrected, prove=prove),
    note="(52) and (55), before and after, have the inequality.",
)
