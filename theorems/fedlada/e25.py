"""LADA (25): (24), rearranged."""

from theorems.fedlada.common import boxed
from theorems.vocabulary import *


def compare(s: Instance) -> list[Comparison]:
    r"""the gaps are equal

    g_a^{t+1}-g_a^t\approx\bar g_i^t-\bar g_i^{t-1}
    """
    first = (s.g_next - s.now) - (s.g_a - s.before)
    second = (s.g_next - s.g_a) - (s.now - s.before)
    return [that(first) == second]


def derive(proof: Derivation, s: Instance) -> None:
    """Both differences are the same number, so the approximations are equally good."""
    g, h, u, v = reals("g_next g_a now before")
    proof.leaf("the gaps", [], (g - u) - (h - v) == (g - h) - (u - v), g_next=s.g_next, g_a=s.g_a, now=s.now,
               before=s.before)  # fmt: skip


STATEMENT = Statement(
    kind="equivalence",
    location="equation (25), C.2",
    says="(24) is the same as g_a^{t+1} - g_a^t = gbar_i^t - gbar_i^{t-1}.",
    domain=boxed("any numbers", g_next=(-1, 1), g_a=(-1, 1), now=(-1, 1), before=(-1, 1)),
    printed=claim_of(compare, derive=derive),
)
