"""LADA (26): SCAFFOLD with a scaled correction."""

from theorems.fedlada.common import boxed
from theorems.vocabulary import *

ACCURACY = (
    ("0", "78.32"),
    ("0.25", "80.74"),
    ("0.5", "81.09"),
    ("0.75", "81.72"),
    ("1", "81.77"),
    ("1.25", "81.05"),
    ("1.5", "80.62"),
)


def scaled(alpha: Scalar, g: Scalar, g_a: Scalar, own: Scalar) -> Any:
    return g + alpha * (g_a - own)


def compare(s: Instance) -> list[Comparison]:
    r"""the two ends

    g_{\mathrm{correct}}=g_{i,\tau}^t+\alpha(g_a^t-\bar g_i^{t-1})
    """
    return [
        that("alpha = 0 is FedAvg", scaled(0, s.g, s.g_a, s.own)) == s.g,
        that("alpha = 1 is SCAFFOLD", scaled(1, s.g, s.g_a, s.own)) == s.g + s.g_a - s.own,
    ]


def prove() -> None:
    """sympy identity: Both ends of (26), and the largest accuracy of Table 10 stands at alpha = 1."""
    g, g_a, own = sympy.symbols("g g_a own")
    identity((scaled(0, g, g_a, own), g), (scaled(1, g, g_a, own), g + g_a - own))
    best = max(ACCURACY, key=lambda row: sympy.Rational(row[1]))
    if best[0] != "1":
        raise AssertionError(f"Table 10 is best at alpha = {best[0]}")


STATEMENT = Statement(
    kind="identity",
    location="equation (26) and Table 10, C.2",
    says="g + alpha (g_a - gbar_i) is FedAvg for alpha = 0 and SCAFFOLD for alpha = 1, the best alpha of Table 10.",
    domain=boxed("any numbers", g=(-1, 1), g_a=(-1, 1), own=(-1, 1)),
    printed=claim_of(compare, prove=prove),
)
