"""OLR Lemma 35: phi_L / phi_mu is at most L / mu."""

from surrogate import bounds
from theorems.domain import LEAST_MU, STEPS
from theorems.outsized.lemmas import phi_per_eigenvalue, powers_fall
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


def derive(proof: Derivation, s: Instance) -> None:
    """phi / lambda = sum_{k<K} (1 - gamma lambda)^k falls with lambda, term by term."""
    m, y, S, T = reals("mu L S T")
    powers_fall(proof, s.gamma, s.K, s.mu, s.L)
    phi_per_eigenvalue(proof, s.gamma, s.K, s.mu, s.L)
    top, bottom = (bounds.phi(s.K, lam, s.gamma) / lam for lam in (s.L, s.mu))
    proof.leaf("L > 0", [m > 0, m <= y], 0 < y, mu=s.mu, L=s.L)
    proof.leaf("multiplied out", [S <= T, m > 0, y > 0], y * S * m <= m * T * y, mu=s.mu, L=s.L, S=top, T=bottom)


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
    printed=claim_of(compare, derive=derive),
)
