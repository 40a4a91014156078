"""LADA (22): SCAFFOLD's correction."""

from theorems.fedlada.common import mean
from theorems.fedlada.listing_scaffold import RATES, T, played, rounds, symbols
from theorems.vocabulary import *


def pairs(s: Instance) -> list[tuple[Any, Any]]:
    """(SCAFFOLD's direction, g + g_a^t - gbar_i^{t-1}) for every round but the first, client and step."""
    run, found = played(s), []
    for t in range(1, T):
        own = [mean(gradients) for gradients in s.g[t - 1]]
        for i in range(s.n):
            for k in range(s.steps):
                found.append((run.used[t][i][k], s.g[t][i][k] + mean(own) - own[i]))
    return found


def compare(s: Instance) -> list[Comparison]:
    r"""(22)

    g_{\mathrm{correct}}=g_{i,\tau}^t+g_a^t-\bar g_i^{t-1}
    """
    return [that(sum((a - b) ** 2 for a, b in pairs(s))) == s.x * 0]


def prove() -> None:
    """sympy identity: Option II's variate c_i - c + (x - y)/(K eta_l) is the mean of the round's gradients, for every K
    (identity), and c, which starts as the mean of the c_i, stays it; the listing is played on free gradients, up to n =
    3, K = 2.
    """
    c, c_i, gbar, K, eta = sympy.symbols("c c_i gbar K eta")
    identity((c_i - c + (eta * K * (gbar + c - c_i)) / (K * eta), gbar))  # option II's new variate, any K
    for n, K_ in ((1, 1), (2, 2), (3, 1)):
        identity(*pairs(symbols(n, K_)))


STATEMENT = Statement(
    kind="identity",
    location="equation (22), C.2",
    says="SCAFFOLD corrects g_{i,tau}^t by g_a^t - gbar_i^{t-1}, gbar_i^{t-1} the average of i's local updates in "
    "round t - 1.",
    reading="All clients take part, 'local updates' are the gradients before correction, g_a^t their mean over "
    "clients and steps of round t - 1, t >= 1. A client that was not drawn in round t - 1 uses its last round, and c "
    "moves by (S/m) of the change.",
    domain=rounds(),
    hypotheses=(RATES,),
    printed=claim_of(compare, prove=prove),
    note="If 'updates' meant the corrected ones, their mean over a round is g_a^t plus a change, and (22) fails.",
)
