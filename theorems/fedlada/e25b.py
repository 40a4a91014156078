"""LADA, after (25): what FedLADA's correction needs, and what it does not."""

from theorems.fedlada.common import below, boxed, need
from theorems.vocabulary import *


def printed(s: Instance) -> list[Comparison]:
    r"""the error is alpha (g - g_a^t) - (g_a^{t+1} - g_a^t), in which no average of one client occurs

    g_{\mathrm{correct}}-g_a^{t+1}=\alpha(g_{i,\tau}^t-g_a^t)-(g_a^{t+1}-g_a^t)

    With update g_a + u and g_a^{t+1} = g_a + step.
    """
    direction = s.alpha * (s.g_a + s.u) + (1 - s.alpha) * s.g_a
    return [that("the client's direction", direction - (s.g_a + s.step)) == s.alpha * s.u - s.step]


def prove() -> None:
    """sympy identity: alpha g + (1 - alpha) g_a - g_a^{t+1} = alpha (g - g_a) - (g_a^{t+1} - g_a)."""
    alpha, g_a, u, step = sympy.symbols("alpha g_a u step")
    identity((alpha * (g_a + u) + (1 - alpha) * g_a - (g_a + step), alpha * u - step))


STATEMENT = Statement(
    kind="identity",
    location="after equation (25), C.2",
    says="FedLADA only relies on g_a^{t+1} = g_a^t; the dissimilarity of g_a^{t+1} - g_a^t and gbar_i^t - "
    "gbar_i^{t-1}, the two sides of (25), does not affect it.",
    reading="The error of the direction (23), as an estimate of g_a^{t+1}, against SCAFFOLD's, which is the difference "
    "of these two (LADA.E24).",
    domain=boxed("any numbers", alpha=(0, 1), u=(-1, 1), g_a=(-1, 1), step=(-1, 1)),
    hypotheses=(need("0 < alpha <= 1", below("alpha")),),
    printed=claim_of(printed, prove=prove),
    note="g_a^{t+1} = g_a^t alone does not make the direction the global one: the client's own deviation stays, times "
    "alpha. At rest g_a = 0 and FedLADA's clients still step by alpha g: it rests where local Adam with rate alpha "
    "eta_l does, while (24) is exact at rest and SCAFFOLD rests at x*.",
)
