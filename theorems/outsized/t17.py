"""OLR Theorem 17: how far FedAvg rests from x*, in terms of phi."""

from __future__ import annotations

from typing import Any

from theorems.outsized.common import ASSUMPTION_2, GAMMA_BELOW, fedavg_domain, phis
from theorems.population import phi_gap
from theorems.statement import Claim, Comparison, Statement


def bound(s: Any) -> list[Comparison]:
    p = s.p
    low, _ = phis(s)
    gap = phi_gap(p.nb, s.K, p.L, s.gamma)
    displacement = p.nb.norm(p.displacement(s.gamma, s.theta))
    return [Comparison("bound", displacement, "<=", p.sigma_c * (1 + p.sigma_A / p.mu) * gap / low)]


STATEMENT = Statement(
    id="OLR.T17",
    paper="outsized",
    kind="upper bound",
    location="Theorem 17, section 6",
    says="FedAvg's resting point is within sigma_c (1 + sigma_A/mu) (L K - phi_L) / phi_mu of x*, for gamma < 1/L.",
    headline=True,
    domain=fedavg_domain(),
    hypotheses=(ASSUMPTION_2, GAMMA_BELOW),
    printed=Claim(
        says="the displacement is at most the bound",
        latex=r"\|x^*(\gamma,\Theta_{1:K})-x^*\|\le\sigma_c\left(1+\frac{\sigma_A}{\mu}\right)\frac{LK-\phi_{K,L}(\gamma)}{\phi_{K,\mu}(\gamma)}",
        compare=bound,
    ),
)
