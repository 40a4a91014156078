"""LADA, appendix B.2.1: the bound of M^t, and the noise in it."""

from theorems.fedlada.common import below, boxed, need
from theorems.fedlada.common_noise import drift, moment, prove_noise, round_domain
from theorems.vocabulary import *


def bounded(s: Instance, noise: Scalar) -> list[Comparison]:
    """mbar is m without noise, and the last sum is over the clients that are drawn, as the first one."""
    return [that(moment(s)) <= 2 * noise * s.theta**2 * s.sigma**2 / (s.S * s.K) + 2 * drift(s)]


def printed(s: Instance) -> list[Comparison]:
    r"""with beta1^2 on the noise

    M^t\le\frac{2\beta_1^2G_\vartheta^2\sigma_l^2}{SK}+2\mathbb E\Big\|\frac1{SK}\sum\bar m\odot\vartheta_0\Big\|^2
    """
    return bounded(s, s.beta1**2)


def corrected(s: Instance) -> list[Comparison]:
    r"""as printed without noise; else without beta1^2

    M^t\le\frac{2G_\vartheta^2\sigma_l^2}{SK}+2\mathbb E\Big\|\frac1{SK}\sum\bar m\odot\vartheta_0\Big\|^2
    """
    return bounded(s, 1)


def prove() -> None:
    """z3 and sympy: sum_tau (m_tau - mbar_tau) = sum_j (1 - beta1^(K-j+1)) (g_j - grad F_i(x_j)), by induction on the
    steps behind j; Young splits M, the terms are martingale differences with independent clients (Lemma B.6, mended),
    weights are at most 1 and each entry of theta at most G_theta (Lemma B.2).
    """
    prove_noise()


def weight(s: Instance) -> list[Comparison]:
    r"""the fifth line's weight of step tau

    \sum_{j=\tau}^K(1-\beta_1)\beta_1^{K-j+1}=\beta_1(1-\beta_1^\tau)

    The weight of g_{i,tau}: sum_{j >= tau} (1 - beta1) beta1^(K-j+1) against beta1 (1 - beta1^tau).
    """
    left = sum((1 - s.beta1) * s.beta1 ** (s.K - j + 1) for j in range(s.tau, s.K + 1))
    return [that(left) == s.beta1 * (1 - s.beta1**s.tau)]


def momentum(s: Instance) -> list[Comparison]:
    r"""the third line of the chain, at tau = 1

    m_1=(1-\beta_1)\beta_1g_1

    m_1 = (1 - beta1) g_1 as line 8 has it, against (1 - beta1) beta1^(tau-j+1) g_j.
    """
    return [that((1 - s.beta1) * s.g) == (1 - s.beta1) * s.beta1 * s.g]


STATEMENT = Statement(
    kind="upper bound",
    location="B.2.1, the chain for M^t",
    says="M^t = E|(1/(SK)) sum m theta_0|^2 is at most 2 beta1^2 G^2 sigma_l^2/(SK) + 2 E|(1/(SK)) sum mbar "
    "theta_0|^2.",
    reading="mbar_tau = (1 - beta1) sum_j beta1^(tau-j) grad F_i(x_j), as section 3.4 expands m (there the exponent "
    "is tau - j + 1, with x_tau for x_j: the bound then fails without noise, too). Both sums "
    "are over the S clients drawn, and E is over them, too.",
    severity="substantive",
    domain=round_domain((1, 1, 1), (1, 1, 2), (2, 1, 1), (2, 2, 1), (3, 2, 2), (2, 2, 3), (1, 1, 10)),
    hypotheses=(need("0 < beta1 < 1, theta > 0", below("beta1"), below("beta1", 1), below("theta")),),
    printed=claim_of(printed),
    corrected=claim_of(corrected, prove=prove),
    steps=(
        Step(
            "m_tau = (1 - beta1) sum_j beta1^(tau-j+1) g_j",
            claim_of(momentum, domain=boxed("0 < beta1 < 1, any gradient", beta1=("1/10", "9/10"), g=(-1, 1))),
            "exponent tau - j, as section 3.4 has it: the factor beta1 is the whole difference",
        ),
        Step(
            "sum_{j=tau..K} (1 - beta1) beta1^(K-j+1) = beta1 (1 - beta1^tau)",
            claim_of(weight, domain=boxed("0 < beta1 < 1", grid(K=(2, 3), tau=(1,)), beta1=("1/10", "9/10"))),
            "beta1 (1 - beta1^(K-tau+1)): the same weights in reverse order, so sums of squares agree",
        ),
    ),
    note="For beta1 -> 0 the local step is plain SGD, whose noise the printed bound leaves out altogether.",
)
