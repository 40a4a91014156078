"""LADA, appendix B.2.1: the assembled bound of R_1 = E|z^{t+1} - z^t|^2."""

from theorems.fedlada.common import below, mean, need, square
from theorems.fedlada.common_noise import moment, prove_noise, round_domain, weights
from theorems.fedlada.common_scales import prove_scales
from theorems.vocabulary import *


def assembled(s: Instance, noise: Scalar) -> list[Comparison]:
    """Divided by (eta eta_l)^2; vhat does not move."""
    sent = [s.theta * g * sum(weights(s)) / s.K for g in s.g]
    drawing = (s.m - s.S) * square(sent) / (s.S * s.m * (s.m - 1)) if s.S < s.m else s.theta * 0
    right = noise * s.theta**2 * s.sigma**2 / (s.S * s.K) + mean(sent) ** 2 + drawing
    return [that(moment(s)) <= 4 * right]


def printed(s: Instance) -> list[Comparison]:
    r"""with beta1^2

    R_1\le4\eta^2\eta_l^2\Big(\frac{\beta_1^2G_\vartheta^2\sigma_l^2}{SK}+\mathbb E\Big\|\frac1{mK}\sum_{i,\tau}%
      \bar m_{i,\tau}\odot\vartheta_0\Big\|^2+\frac{m-S}{Sm(m-1)}\sum_i\mathbb E\Big\|\frac1K\sum_\tau\bar m_{i,\tau}%
      \odot\vartheta_0\Big\|^2\Big)%
      +\frac{2\eta^2\eta_l^2G_g^2}{\epsilon_v^4}\mathbb E\sum_j\big((\bar{\hat v}_K)_{(j)}-(\bar{\hat v}_0)_{(j)}\big)
    """
    return assembled(s, s.beta1**2)


def corrected(s: Instance) -> list[Comparison]:
    r"""as printed without noise; else with 1 for beta1^2

    R_1\le4\eta^2\eta_l^2\Big(\frac{G_\vartheta^2\sigma_l^2}{SK}+\mathbb E\Big\|\frac1{mK}\sum_{i,\tau}%
      \bar m_{i,\tau}\odot\vartheta_0\Big\|^2+\frac{m-S}{Sm(m-1)}\sum_i\mathbb E\Big\|\frac1K\sum_\tau\bar m_{i,\tau}%
      \odot\vartheta_0\Big\|^2\Big)%
      +\frac{2\eta^2\eta_l^2G_g^2}{\epsilon_v^4}\mathbb E\sum_j\big((\bar{\hat v}_K)_{(j)}-(\bar{\hat v}_0)_{(j)}\big)
    """
    return assembled(s, 1)


def prove() -> None:
    """z3 and sympy: R_1 = (eta eta_l)^2 E|(1/(SK)) sum m (theta_0 + (theta - theta_0))|^2 by Lemma B.8; Young gives 2 M
    + 2 Delta, and the mended bound of M (LADA.M) with W (LADA.W) and Delta (LADA.Delta) the rest.
    """
    prove_noise()
    prove_scales()


STATEMENT = Statement(
    kind="upper bound",
    location="B.2.1, 'Combining the three terms'",
    says="R_1 <= 4 (eta eta_l)^2 (beta1^2 G^2 sigma_l^2/(SK) + |mean|^2 + drawing) + 2 (eta eta_l)^2 (G_g^2/eps_v^4) "
    "E sum (vhat_K - vhat_0).",
    reading="mbar as in LADA.M.",
    severity="substantive",
    domain=round_domain((1, 1, 1), (2, 1, 1), (2, 2, 1), (2, 1, 2), (3, 2, 3)),
    hypotheses=(need("0 < beta1 < 1, theta > 0", below("beta1"), below("beta1", 1), below("theta")),),
    printed=claim_of(printed),
    corrected=claim_of(corrected, prove=prove),
    note="Inherited from LADA.M; the rest of the chain is sound.",
)
