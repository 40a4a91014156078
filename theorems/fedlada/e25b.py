"""LADA, after (25): what FedLADA's correction needs."""

from theorems.fedlada.common import below, boxed, need
from theorems.vocabulary import *


def printed(s: Instance) -> list[Comparison]:
    r"""exact where g_a does not move

    g_a^{t+1}=g_a^t\Rightarrow g_{\mathrm{correct}}=g_a^{t+1}

    g_a^{t+1} = g_a^t = 0, the mean of two clients' updates u and -u: a client's direction against g_a^{t+1}.
    """
    return [that("the client's direction", s.nb.abs(s.alpha * s.u)) == s.u * 0]


def corrected(s: Instance) -> list[Comparison]:
    r"""the error is alpha (g - g_a^t) - (g_a^{t+1} - g_a^t): clients' dissimilarity enters with the factor alpha

    g_{\mathrm{correct}}-g_a^{t+1}=\alpha(g_{i,\tau}^t-g_a^t)-(g_a^{t+1}-g_a^t)

    In general, with g_a^t = g_a, update g_a + u and g_a^{t+1} = g_a + step.
    """
    direction = s.alpha * (s.g_a + s.u) + (1 - s.alpha) * s.g_a
    return [that(direction - (s.g_a + s.step)) == s.alpha * s.u - s.step]


def prove() -> None:
    """sympy identity: alpha g + (1 - alpha) g_a - g_a^{t+1} = alpha (g - g_a) - (g_a^{t+1} - g_a)."""
    alpha, g_a, u, step = sympy.symbols("alpha g_a u step")
    identity((alpha * (g_a + u) + (1 - alpha) * g_a - (g_a + step), alpha * u - step))


STATEMENT = Statement(
    kind="necessity",
    location="after equation (25), C.2",
    says="FedLADA's correction only relies on g_a^{t+1} = g_a^t; the dissimilarity of clients does not affect it.",
    reading="As for SCAFFOLD in (24): the client's direction is the global one.",
    severity="substantive",
    domain=boxed("two clients whose updates are u and -u", alpha=(0, 1), u=(-1, 1), g_a=(-1, 1), step=(-1, 1)),
    hypotheses=(need("0 < alpha <= 1", below("alpha")),),
    printed=claim_of(printed),
    corrected=claim_of(corrected, prove=prove),
    note="At rest g_a = 0 and FedLADA's clients still step by alpha g: it rests where local Adam with rate alpha "
    "eta_l does, while (24) is exact at rest and SCAFFOLD rests at x*.",
)
