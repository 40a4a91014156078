"""LADA (23): FedLADA's correction, written as SCAFFOLD's."""

from theorems.fedlada.common import boxed
from theorems.vocabulary import *


def compare(s: Instance) -> list[Comparison]:
    r"""(23)

    \alpha g+(1-\alpha)g_a=g+(1-\alpha)(g_a-g)
    """
    return [that(s.alpha * s.g + (1 - s.alpha) * s.g_a) == s.g + (1 - s.alpha) * (s.g_a - s.g)]


def derive(proof: Derivation, s: Instance) -> None:
    """Entry by entry."""
    a, g, h = reals("alpha g g_a")
    proof.leaf("(23)", [], a * g + (1 - a) * h == g + (1 - a) * (h - g), alpha=s.alpha, g=s.g, g_a=s.g_a)


STATEMENT = Statement(
    kind="identity",
    location="equation (23), C.2",
    says="alpha g + (1 - alpha) g_a = g + (1 - alpha)(g_a - g).",
    domain=boxed("any numbers", alpha=(0, 1), g=(-1, 1), g_a=(-1, 1)),
    printed=claim_of(compare, derive=derive),
)
