"""OLR Lemma 35: phi_L / phi_mu is at most L / mu."""

from surrogate import bounds
from theorems.domain import LEAST_MU, STEPS
from theorems.outsized.common_spectrum import ordered_powers
from theorems.vocabulary import *


def decode(cursor: Cursor, K: int) -> Instance:
    """L = 1, mu <= 1, and gamma from 0 to 1/L, both ends included."""
    mu, gamma = 1 - cursor.take() * cursor.nb.number(1 - LEAST_MU), cursor.take()
    return Instance(nb=cursor.nb, mu=mu, L=mu * 0 + 1, gamma=gamma, K=K)


def beyond(cursor: Cursor, K: int) -> Instance:
    """gamma from 0 to 2/L."""
    s = decode(cursor, K)
    return Instance(**{**vars(s), "gamma": 2 * s.gamma})


def compare(s: Instance) -> list[Comparison]:
    r"""the quotient of the phi is at most L/mu

    \frac{\phi_{K,L}(\gamma)}{\phi_{K,\mu}(\gamma)}\le\frac L\mu
    """
    high, low = bounds.phi(s.K, s.L, s.gamma), bounds.phi(s.K, s.mu, s.gamma)
    return [that("quotient", high * s.mu) <= low * s.L]


def prove() -> None:
    """z3: phi / lambda = sum_{k<K} (1 - gamma lambda)^k; for 0 <= 1 - gamma L <= 1 - gamma mu the powers and their sums
    stay ordered (induction on k and K, z3), so phi_L / L <= phi_mu / mu.

    q = phi / lam = sum of powers does not increase with lam.
    """
    ordered_powers()
    S, T, p, q, lam, mu = reals("S T p q lam mu")
    smt([0 <= S, S <= T, 0 <= p, p <= q], S + p <= T + q)
    smt([0 < mu, mu <= lam, 0 <= S, S <= T], lam * S * mu <= mu * T * lam)
    g = reals("g")
    smt([0 < mu, mu <= lam, 0 <= g, g * lam <= 1], 0 <= 1 - g * lam)
    smt([0 < mu, mu <= lam, 0 <= g, g * lam <= 1], 1 - g * lam <= 1 - g * mu)


STATEMENT = Statement(
    kind="upper bound",
    location="Lemma 35, appendix B.3.6",
    says="phi_{K,L}(gamma) / phi_{K,mu}(gamma) <= L/mu for mu <= L, gamma in [0, 1/L], K >= 1.",
    reading="mu > 0; multiplied out.",
    domain=Domain(decode, grid(K=STEPS), "mu/L >= 1e-4, 0 <= gamma <= 1/L"),
    hypotheses=(
        Hypothesis("mu > 0", lambda s: [that(s.mu) > s.mu * 0]),
        Hypothesis("mu <= L", lambda s: [that(s.mu) <= s.L]),
        Hypothesis(
            "0 <= gamma <= 1/L",
            lambda s: [that(s.gamma * s.L) <= s.gamma * 0 + 1, that("sign", s.gamma) >= s.gamma * 0],
            Domain(beyond, grid(K=(1, 2, 3, 4, 5, 10)), "0 <= gamma <= 2/L"),
        ),
    ),
    printed=claim_of(compare, prove=prove),
)
