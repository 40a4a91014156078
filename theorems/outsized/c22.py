"""OLR Corollary 22: how far FedAvg's resting point moves with gamma."""

from __future__ import annotations

from fractions import Fraction
from types import SimpleNamespace
from typing import Any

from surrogate import Theta
from theorems.domain import STEPS, Cursor, Domain, clients, grid, rate
from theorems.outsized.common import ASSUMPTION_2
from theorems.statement import Claim, Comparison, Hypothesis, Statement


def two_rates(cursor: Cursor, n: int, d: int, K: int) -> SimpleNamespace:
    p = clients(cursor, n, d)
    high = rate(cursor, p.L)
    low = high * cursor.take() * cursor.nb.number(Fraction(9, 10))  # apart enough that floats resolve the difference
    return SimpleNamespace(p=p, low=low, high=high, K=K, theta=Theta.sum(K))


def bound(s: Any, factor: Any = 1) -> list[Comparison]:
    p = s.p
    apart = p.nb.norm(p.rest(p.filtered(s.low, s.theta)) - p.rest(p.filtered(s.high, s.theta)))
    return [Comparison("bound", apart, "<=", 2 * p.sigma_c * p.L**3 / (p.mu * p.mu) * (s.high - s.low) * factor)]


RATES = Hypothesis(
    "0 <= gamma_1 <= gamma_2 < 1/L",
    lambda s: [
        Comparison("", s.high * s.p.L, "<", s.high * 0 + 1),
        Comparison("ordered", s.low, "<=", s.high),
        Comparison("sign", s.low, ">=", s.low * 0),
    ],
)

STATEMENT = Statement(
    id="OLR.C22",
    paper="outsized",
    kind="upper bound",
    location="Corollary 22, section 6",
    says="FedAvg's resting points at two client rates are within 2 sigma_c L^3/mu^2 |gamma_2 - gamma_1|.",
    headline=True,
    severity="substantive",
    domain=Domain(two_rates, grid(n=(1, 2, 3), d=(1, 2), K=STEPS), "two rates 0 <= gamma_1 <= gamma_2 < 1/L"),
    hypotheses=(ASSUMPTION_2, RATES),
    printed=Claim(
        says="the distance is at most 2 sigma_c L^3/mu^2 (gamma_2 - gamma_1)",
        latex=r"\|x^*(\gamma_1)-x^*(\gamma_2)\|\le 2\sigma_c\frac{L^3}{\mu^2}(\gamma_2-\gamma_1)",
        compare=bound,
    ),
    corrected=Claim(
        says="the distance is at most (K - 1) times the printed bound",
        latex=r"\|x^*(\gamma_1)-x^*(\gamma_2)\|\le 2(K-1)\sigma_c\frac{L^3}{\mu^2}(\gamma_2-\gamma_1)",
        compare=lambda s: bound(s, s.K - 1),
    ),
)
