"""OLR Theorem 21, sharper (ours): resting points move at most as condition numbers do."""

from surrogate import bounds
from theorems.outsized.common import ASSUMPTION_2
from theorems.outsized.common_rates import TWO_RATES, apart, spread_domain
from theorems.outsized.lemmas_clients import resting_points_move
from theorems.vocabulary import *


def instance(cursor: Cursor, n: int, d: int, K: int) -> Any:
    s = spread_domain((K,), 0.9).decode(cursor, n=n, d=d, K=K)
    s.gamma_2 = s.gamma
    s.gamma_1 = s.gamma_2 * cursor.take() * cursor.nb.number(Fraction(9, 10))
    if not cursor.nb.exact:  # far enough from the limit c that floats resolve the difference
        s.gamma_1 = np.minimum(s.gamma_1, 2 / (K * s.p.mu))
    return s


def bound(s: Instance) -> list[Comparison]:
    r"""the distance is at most the bound

    \|x^*(\gamma_1)-x^*(\gamma_2)\|\le\frac{\sigma_c}2\,%
      \frac{\tilde\kappa(\gamma_1)-\tilde\kappa(\gamma_2)}{\sqrt{\tilde\kappa(\gamma_2)}}
    """
    p = s.p
    return [that("bound", apart(s)) <= bounds.theorem_21b(p.mu, p.L, p.sigma_c, s.gamma_1, s.gamma_2, s.K)]


def derive(proof: Derivation, s: Instance) -> None:
    resting_points_move(proof, s.p, s.gamma_1, s.gamma_2, s.K)


STATEMENT = Statement(
    kind="upper bound",
    location="not in the paper: sharpens Theorem 21 and replaces Corollary 22, section 6",
    says="For 0 <= gamma_1 <= gamma_2 < 1/L FedAvg's resting points are within sigma_c (kappa~(gamma_1) - "
    "kappa~(gamma_2)) / (2 sqrt kappa~(gamma_2)) of each other, kappa~ = phi_L/phi_mu.",
    domain=Domain(
        instance,
        grid(n=(1, 2, 3), d=(1, 2), K=(1, 2, 3, 10, 100, 1000, 10**5)),
        "weighted clients, 0 <= gamma_1 <= gamma_2 < 1/L",
    ),
    hypotheses=(ASSUMPTION_2, Hypothesis(TWO_RATES.name, TWO_RATES.holds)),
    printed=claim_of(bound, derive=derive),
    note="At most half of Theorem 21's bound divided by 1 + kappa~; uniform in K, where Corollary 22 fails.",
)
