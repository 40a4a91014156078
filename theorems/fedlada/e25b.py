"""LADA, after (25): what FedLADA's correction needs."""

from theorems.fedlada.common import below, boxed, need
from theorems.vocabulary import *


def printed(s: Instance) -> list[Comparison]:
    """g_a^{t+1} = g_a^t = 0, the mean of two clients' updates u and -u: a client's direction against g_a^{t+1}."""
    return [Comparison("the client's direction", s.nb.abs(s.alpha * s.u), "==", s.u * 0)]


def corrected(s: Instance) -> list[Comparison]:
    """In general, with g_a^t = g_a, update g_a + u and g_a^{t+1} = g_a + step."""
    direction = s.alpha * (s.g_a + s.u) + (1 - s.alpha) * s.g_a
    return [Comparison("", direction - (s.g_a + s.step), "==", s.alpha * s.u - s.step)]


def prove() -> Proof:
    alpha, g_a, u, step = sympy.symbols("alpha g_a u step")
    identity((alpha * (g_a + u) + (1 - alpha) * g_a - (g_a + step), alpha * u - step))
    return Proof("sympy identity", "alpha g + (1 - alpha) g_a - g_a^{t+1} = alpha (g - g_a) - (g_a^{t+1} - g_a).")


STATEMENT = Statement(
    id="LADA.E25b",
    kind="necessity",
    location="after equation (25), C.2",
    says="FedLADA's correction only relies on g_a^{t+1} = g_a^t; the dissimilarity of clients does not affect it.",
    reading="As for SCAFFOLD in (24): the client's direction is the global one.",
    severity="substantive",
    domain=boxed("two clients whose updates are u and -u", alpha=(0, 1), u=(-1, 1), g_a=(-1, 1), step=(-1, 1)),
    hypotheses=(need("0 < alpha <= 1", below("alpha")),),
    printed=Claim(
        "exact where g_a does not move", r"g_a^{t+1}=g_a^t\Rightarrow g_{\mathrm{correct}}=g_a^{t+1}", printed
    ),
    corrected=Claim(
        "the error is alpha (g - g_a^t) - (g_a^{t+1} - g_a^t): clients' dissimilarity enters with the factor alpha",
        r"g_{\mathrm{correct}}-g_a^{t+1}=\alpha(g_{i,\tau}^t-g_a^t)-(g_a^{t+1}-g_a^t)",
        corrected,
        prove,
    ),
    note="At rest g_a = 0 and FedLADA's clients still step by alpha g: it rests where local Adam with rate alpha "
    "eta_l does, while (24) is exact at rest and SCAFFOLD rests at x*.",
)
