"""OLR Lemma 8: the extreme eigenvalues of Q_i(gamma, Theta_{1:K})."""

from theorems.domain import STEPS
from theorems.outsized.common import ASSUMPTION_2, GAMMA_BELOW
from theorems.outsized.common_spectrum import filter_is, geometric_sum_is_closed, ordered_powers, spectral_mapping
from theorems.vocabulary import *


def decode(cursor: Cursor, n: int, d: int, K: int) -> Instance:
    """gamma L and mu / L stay above 1/1000, so that floats resolve 1 - (1 - gamma mu)^K."""
    thousandth = cursor.nb.number(Fraction(1, 1000))
    p = clients(cursor, n, d, least_mu=Fraction(1, 1000))
    gamma = (thousandth + cursor.take() * (1 - 2 * thousandth)) / p.L
    return Instance(p=p, gamma=gamma, K=K, theta=Theta.sum(K))


def closed(s: Instance, lam: Scalar) -> Any:
    return (1 - s.p.nb.power(1 - s.gamma * lam, s.K)) / (s.gamma * lam)


def compare(s: Instance) -> list[Comparison]:
    r"""extremes at mu_i and L_i, bounded by those at mu and L

    \lambda_{\max}(Q_i)=\frac{1-(1-\gamma\mu_i)^K}{\gamma\mu_i},\quad%
      \lambda_{\min}(Q_i)=\frac{1-(1-\gamma L_i)^K}{\gamma L_i}

    The last client's extremes, then all clients' against mu and L.
    """
    nb, q, lam = s.p.nb, s.p.filter(s.gamma, s.theta), s.p.lam[..., -1, :]
    low, high = nb.smallest(q[..., -1, :]), nb.largest(q[..., -1, :])
    return [
        that("largest", high) == closed(s, nb.smallest(lam)),
        that("smallest", low) == closed(s, nb.largest(lam)),
        that("largest, any client", nb.largest(q, 2)) <= closed(s, s.p.mu),
        that("smallest, any client", closed(s, s.p.L)) <= nb.smallest(q, 2),
    ]


def prove() -> None:
    """z3 and sympy: Q_i has the eigenvalues sum_{k<K} (1 - gamma lambda)^k = (1 - (1 - gamma lambda)^K) / (gamma
    lambda) (induction on K, sympy). Each term decreases in lambda (induction on k, z3) and so does the sum: extremes at
    mu_i and L_i, and within those at mu and L.

    Closed geometric sums, decreasing term by term.
    """
    spectral_mapping()
    filter_is(Theta.sum, lambda z, K: (1 - (1 - z) ** K) / z)
    ordered_powers()
    geometric_sum_is_closed()
    S, T, p, q = reals("S T p q")
    smt([S <= T, p <= q], S + p <= T + q)
    g, lam, mu = reals("g lam mu")
    smt([0 < mu, mu <= lam, 0 < g, g * lam < 1], 1 - g * lam <= 1 - g * mu)


STATEMENT = Statement(
    kind="spectrum",
    location="Lemma 8, section 5",
    says="For Theta_{1:K} the extreme eigenvalues of Q_i are (1 - (1 - gamma mu_i)^K) / (gamma mu_i) and the same "
    "with L_i; over all clients they lie between the values at L and at mu.",
    reading="gamma > 0, for which the formulas are written (Lemma 9 says so); at gamma = 0 both are K.",
    domain=Domain(decode, grid(n=(1, 2), d=(1, 2), K=STEPS), "1/1000 <= gamma L <= 999/1000, mu/L >= 1/1000"),
    hypotheses=(ASSUMPTION_2, GAMMA_BELOW),
    printed=claim_of(compare, prove=prove),
)
