"""What the statements of this paper share: populations with a client rate, the assumptions, phi and chi."""

from surrogate import bounds
from theorems.domain import STEPS
from theorems.statement import Relation
from theorems.vocabulary import *


def fedavg_instance(cursor: Cursor, n: int, d: int, K: int, **options: Any) -> Instance:
    """Clients with mu I <= A_i <= L I and Theta = Theta_{1:K}, 0 < gamma < 1/L."""
    p = clients(cursor, n, d, **options)
    return Instance(p=p, gamma=rate(cursor, p.L), K=K, theta=Theta.sum(K))


def fedavg_domain(
    n: Sequence[int] = (1, 2, 3), d: Sequence[int] = (1, 2), K: Sequence[int] = STEPS, **options: Any
) -> Domain:
    """The domain of the paper's bounds on the distance between minimizers."""
    return Domain(
        lambda cursor, **discrete: fedavg_instance(cursor, **discrete, **options),
        grid(n=n, d=d, K=K),
        "finitely many clients with uniform weights, mu I <= A_i <= L I, 0 < gamma < 1/L, K up to 1e5",
    )


def phis(s: Instance, gamma: Any = None) -> tuple[Any, Any]:
    """(phi_{K,mu}(gamma), phi_{K,L}(gamma)) at the extremes of all clients."""
    gamma = s.gamma if gamma is None else gamma
    return bounds.phi(s.K, s.p.mu, gamma), bounds.phi(s.K, s.p.L, gamma)


def _positive(s: Instance) -> list[Comparison]:
    return [that(s.p.mu) > s.p.mu * 0, that("weights sum to 1", s.p.w.sum(axis=-1)) == s.p.mu * 0 + 1]


def _below(s: Instance) -> list[Comparison]:
    return [that(s.gamma * s.p.L) < s.gamma * 0 + 1, that("positive", s.gamma) > s.gamma * 0]


def rates_below(limit: int = 1, relation: Relation = "<", without: Domain | None = None, note: str = "") -> Hypothesis:
    """0 <= gamma < limit/L, or <=."""
    return Hypothesis(
        f"0 <= gamma {relation} {limit}/L{note}",
        lambda s: [
            Comparison("", s.gamma * s.p.L, relation, s.gamma * 0 + limit),
            that("sign", s.gamma) >= s.gamma * 0,
        ],
        without,
    )


ASSUMPTION_2 = Hypothesis(
    "mu > 0 (Assumption 2; mu and L are the extreme eigenvalues)",
    _positive,
    role="with mu = 0 minimizers and the condition number need not exist",
)
GAMMA_BELOW = Hypothesis("0 < gamma < 1/L", _below)
