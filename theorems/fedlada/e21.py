"""LADA (21): the root gamma stays below 1 / (4 (1-beta1) G^2 L^2)."""

from theorems.fedlada.common import below, boxed, need
from theorems.vocabulary import *


def pieces(s: Instance, bound: int) -> tuple[Any, Any]:
    """kappa = (1-beta1) G^2 and alpha (1+1/a) eta_l^2 = t / (bound kappa), L = 1."""
    kappa = (1 - s.beta1) * s.G**2
    return kappa, s.t / (bound * kappa)


def compare(s: Instance) -> list[Comparison]:
    r"""(21)

    \frac{4\beta_1\kappa}{(4\kappa)^2}+\frac{1+a-\beta_1}{4\kappa}-\alpha(1+a)(1+\tfrac1a)\eta_l^2>0,\ %
      \kappa=(1-\beta_1)G_\vartheta^2L^2
    """
    kappa, push = pieces(s, 4)
    left = 4 * s.beta1 * kappa / (4 * kappa) ** 2 + (1 + s.a - s.beta1) / (4 * kappa)
    return [that("(21)", left - (1 + s.a) * push) > 0]


def derive(proof: Derivation, s: Instance) -> None:
    """The left side is (1 + a)(1 - t)/(4 kappa) with t = 4 alpha (1-beta1)(1+1/a) G^2 L^2 eta_l^2 < 1."""
    b, a, t, k, G = reals("beta1 a t kappa G")
    kappa, _ = pieces(s, 4)
    proof.leaf("kappa > 0", [b < 1, 0 < G], 0 < (1 - b) * (G * G), beta1=s.beta1, G=s.G)
    left = 4 * b * k / (4 * k * (4 * k)) + (1 + a - b) / (4 * k) - (1 + a) * (t / (4 * k))
    here = {"a": s.a, "t": s.t, "kappa": kappa}
    proof.leaf("the left side", [0 < k], left == (1 + a) * (1 - t) / (4 * k), beta1=s.beta1, **here)
    proof.leaf("its sign", [0 < k, 0 < a, t < 1], 0 < (1 + a) * (1 - t) / (4 * k), **here)


def halved(s: Instance) -> list[Comparison]:
    r"""the halved condition

    \eta_l\le\frac1{2\sqrt{2\alpha(1-\beta_1)(1+1/a)}G_\vartheta L}\Rightarrow\gamma^+%
      \le\frac1{8(1-\beta_1)G_\vartheta^2L^2}

    The quadratic (19) at gamma = 1/(8 kappa) must be >= 0 for gamma+ <= 1/(8 kappa).
    """
    kappa, push = pieces(s, 8)
    left = 4 * s.beta1 * kappa / (8 * kappa) ** 2 + (1 + s.a - s.beta1) / (8 * kappa)
    return [that(left) >= (1 + s.a) * push]


def box(top: int) -> Domain:
    return boxed("the open box", beta1=(0, 1), a=(0, 2), G=(0, 2), t=(0, top))


CONDITION = need(
    "0 < beta1 < 1, a > 0, G_theta > 0, the rate condition (t < 1)",
    below("beta1"),
    below("beta1", 1),
    below("a"),
    below("G"),
    below("t", 1),
)

STATEMENT = Statement(
    kind="upper bound",
    location="equation (21), B.2.2",
    says="For every a > 0 and eta_l < 1/(2 sqrt(alpha (1-beta1)(1+1/a)) G L) the quadratic (19) is positive at 1/(4 "
    "(1-beta1) G^2 L^2).",
    domain=box(1),
    hypotheses=(CONDITION,),
    printed=claim_of(compare, derive=derive),
    steps=(
        Step(
            "beside the proof: eta_l <= 1/(2 sqrt(2 alpha (1-beta1)(1+1/a)) G L) gives gamma+ <= 1/(8 "
            "(1-beta1) G^2 L^2)",
            claim_of(
                halved,
                domain=boxed(
                    "beta1 in [1/10, 9/10], the condition with t <= 1",
                    beta1=("1/10", "9/10"),
                    a=("1/10", 2),
                    G=("1/10", 2),
                    t=(0, 1),
                ),
                given=(CONDITION,),
            ),
            "the square of eta_l must carry the factor (2 + 2a - beta1)/(2 + 2a)",
        ),
    ),
)
