"""LADA (19): the quadratic for gamma has one positive and one negative root."""

from theorems.fedlada.common import below, boxed, need
from theorems.vocabulary import *


def parts(s: Instance) -> tuple[Any, Any, Any]:
    """Coefficients of gamma^2, gamma and 1, L = 1."""
    return (4 * s.beta1 * (1 - s.beta1) * s.G**2, 1 + s.a - s.beta1, -s.alpha * (1 + s.a) * (1 + 1 / s.a) * s.eta_l**2)


def compare(s: Instance) -> list[Comparison]:
    r"""the signs of the roots

    \gamma^-<0<\gamma^+
    """
    high, middle, low = parts(s)
    root = s.nb.sqrt(middle**2 - 4 * high * low)
    return [
        that("one positive", (root - middle) / (2 * high)) > 0,
        that("one negative", (-root - middle) / (2 * high)) < 0,
    ]


def prove() -> None:
    """z3: The outer coefficients have opposite signs, so the roots are real and of opposite signs."""
    h, m, low, b, a, al, e = reals("h m low b a al e")
    smt([0 < b, b < 1, a > 0], 1 + a - b > 0)
    smt([0 < al, a > 0, e > 0], al * (1 + a) * (1 + a) * e * e > 0)
    smt([h > 0, m > 0, low < 0], m * m - 4 * h * low > m * m)


STATEMENT = Statement(
    kind="existence",
    location="equation (19), B.2.2",
    says="4 beta1 (1-beta1) G^2 L^2 gamma^2 + (1+a-beta1) gamma - alpha (1+a)(1+1/a) eta_l^2 = 0 has one positive and "
    "one negative root.",
    domain=boxed("the open box", beta1=(0, 1), a=(0, 2), alpha=(0, 1), G=(0, 2), eta_l=(0, 1)),
    hypotheses=(
        need(
            "0 < beta1 < 1; a, alpha, G_theta, eta_l > 0",
            below("beta1"),
            below("beta1", 1),
            below("a"),
            below("alpha"),
            below("G"),
            below("eta_l"),
        ),
    ),
    printed=claim_of(compare, prove=prove),
)
