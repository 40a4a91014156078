"""LADA Algorithm 1: the global adaptive optimizer."""

from theorems.fedlada.common_adaptive import WEIGHTS, algorithm_1, algorithm_3, gradients
from theorems.vocabulary import *


def printed(s: Instance) -> list[Comparison]:
    r"""the same m and v as Algorithm 3's

    m_{t+1}=(1-\beta_1)m_t+\beta_1\hat g_t=\beta_1m_t+(1-\beta_1)\hat g_t
    """
    first, other = algorithm_1(s, s.beta1, s.beta2), algorithm_3(s)
    return [that("m", first[0]) == other[0], that("v", first[1]) == other[1]]


def corrected(s: Instance) -> list[Comparison]:
    r"""with 1 - beta for beta

    m_{t+1}=\beta_1m_t+(1-\beta_1)\hat g_t
    """
    first, other = algorithm_1(s, 1 - s.beta1, 1 - s.beta2), algorithm_3(s)
    return [that("m", first[0]) == other[0], that("v", first[1]) == other[1]]


def prove() -> None:
    """sympy identity: One step of both moments agrees for any state, hence every round does."""
    beta1, beta2, m, v, g = sympy.symbols("beta1 beta2 m v g")
    identity(((1 - (1 - beta1)) * m + (1 - beta1) * g, beta1 * m + (1 - beta1) * g))
    identity(((1 - (1 - beta2)) * v + (1 - beta2) * g**2, beta2 * v + (1 - beta2) * g**2))
    for K in (1, 2, 3):
        s = Instance(nb=Instance(maximum=sympy.Max), beta1=beta1, beta2=beta2, v=v, g=sympy.symbols(f"g:{K}"))
        first, other = algorithm_1(s, 1 - beta1, 1 - beta2), algorithm_3(s)
        identity((first[0], other[0]), (first[1], other[1]))


STATEMENT = Statement(
    kind="equivalence",
    location="Algorithm 1, equation (2)",
    says="Algorithm 1's moments are the exponential averages with beta1, beta2 of the paper (0.9 and 0.99, Algorithm "
    "3).",
    reading="One meaning of beta1 and beta2 for the whole paper; beta_t and eta_t in (2) are beta1 and eta. Its "
    "offset and its server step are those of FedOpt.",
    severity="typo",
    domain=gradients(),
    hypotheses=(WEIGHTS,),
    printed=claim_of(printed),
    corrected=claim_of(corrected, prove=prove),
    note="With beta1 = 0.9 as printed, the average would forget nine tenths every round. (2) and Algorithm 2 share "
    "the slip. vhat = h({v_t}) leaves out v_{t+1}, and v_0 is not given: with v_0 = 0 round 0 divides by 0 (LADA.A2).",
)
