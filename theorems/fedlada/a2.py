"""LADA Algorithm 2: the local adaptive optimizer, as FedLADA with alpha = 1."""

from theorems.fedlada.common_adaptive import WEIGHTS, algorithm_1, algorithm_3, gradients
from theorems.vocabulary import *


def printed(s: Instance) -> list[Comparison]:
    r"""the same m and vhat

    \hat v_{\tau+1}=h(\{v_{i,\tau}\})=\max(v_{\tau+1},\hat v_\tau)

    beta convention set right (LADA.A1), h the maximum: what is left is which v it sees.
    """
    first, other = algorithm_1(s, 1 - s.beta1, 1 - s.beta2), algorithm_3(s)
    return [that("m", first[0]) == other[0], that("vhat", first[2]) == other[2]]


def corrected(s: Instance) -> list[Comparison]:
    r"""with h over v_0, ..., v_{tau+1}

    \hat v_{\tau+1}=h(\{v_0,\dots,v_{\tau+1}\})
    """
    first, other = algorithm_1(s, 1 - s.beta1, 1 - s.beta2, late=False), algorithm_3(s)
    return [that("m", first[0]) == other[0], that("vhat", first[2]) == other[2]]


def prove() -> None:
    """sympy and z3: At alpha = 1 line 12 of Algorithm 3 is a step along m theta. With 1 - beta for beta, and
    vhat_{tau+1} = max over v_0 .. v_{tau+1}, one step of m, v and vhat agrees for any state: a running maximum is the
    maximum of all (z3), and the listings' m and vhat are the same in symbols for up to three steps.
    """
    beta, m, g, pull = sympy.symbols("beta m g pull")
    identity(((1 - (1 - beta)) * m + (1 - beta) * g, beta * m + (1 - beta) * g))
    alpha, move = sympy.Integer(1), m
    identity((alpha * move + (1 - alpha) * pull, m))  # line 12 at alpha = 1
    a, b, c = reals("a b c")
    smt([], maximum(maximum(a, b), c) == maximum(a, maximum(b, c)))
    for K in (1, 2, 3):  # the two listings, run in symbols
        s = Instance(nb=Instance(maximum=sympy.Max), g=sympy.symbols(f"g:{K}"))
        s.beta1, s.beta2, s.v = sympy.symbols("beta1 beta2 v")
        for sides in corrected(s):
            identity((sides.lhs, sides.rhs))


STATEMENT = Statement(
    kind="equivalence",
    location="Algorithm 2; Table 5 ('alpha = 1.0 represents the local-adaptive scene')",
    says="FedLADA with alpha = 1 is the local adaptive method, Algorithm 2 with the maximum for h.",
    reading="beta means what it means in Algorithm 3 (LADA.A1), K steps in both; the same v_0 on all clients, vhat "
    "averaged after [56].",
    severity="typo",
    domain=gradients(),
    hypotheses=(WEIGHTS,),
    printed=claim_of(printed),
    corrected=claim_of(corrected, prove=prove),
    note="As printed the step after g_tau is scaled without g_tau, by the unset v_0 in the first step: a division by "
    "0 for v_0 = 0.",
)
