"""OLR Lemma 8: the extreme eigenvalues of Q_i(gamma, Theta_{1:K})."""

from theorems.bridges import extremes, geometric_sum
from theorems.domain import STEPS
from theorems.outsized.common import ASSUMPTION_2, GAMMA_BELOW
from theorems.outsized.lemmas import column, phi_per_eigenvalue, powers_fall
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


def derive(proof: Derivation, s: Instance) -> None:
    """sum_{k<K} (1 - gamma lambda)^k falls with lambda, and is (1 - (1 - gamma lambda)^K)/(gamma lambda)."""
    p, nb = s.p, s.p.nb
    lam, q = p.lam[..., -1:, :], p.filter(s.gamma, s.theta)
    ends = nb.smallest(lam)[..., None], nb.largest(lam)[..., None]
    m, x, g, L, a, b, c = reals("mu lam gamma L a b c")
    proof.leaf("lambda > 0", [m > 0, m <= x], 0 < x, mu=column(p.mu), lam=p.lam)
    proof.leaf("L > 0", [m > 0, m <= x], 0 < x, mu=p.lam, lam=column(p.L))
    proof.leaf(
        "gamma lambda <= 1", [g > 0, x <= L, g * L < 1], g * x <= 1, gamma=column(s.gamma), lam=p.lam, L=column(p.L)
    )
    proof.cross(extremes, "mu_i and L_i", nb=nb, x=lam)
    proof.cross(extremes, "the extremes of Q_i", nb=nb, x=q[..., -1, :])
    for small, large in ((column(p.mu), p.lam), (p.lam, column(p.L)), (ends[0], lam), (lam, ends[1])):
        powers_fall(proof, column(s.gamma), s.K, small, large)
        phi_per_eigenvalue(proof, column(s.gamma), s.K, small, large)
    shown = {}
    for name, at in {"mu_i": ends[0], "L_i": ends[1], "mu": column(p.mu), "L": column(p.L)}.items():
        base = 1 - column(s.gamma) * at
        total = sum(base**k for k in range(s.K))
        proof.cross(geometric_sum, "gamma lambda S = 1 - (1 - gamma lambda)^K", ratio=base, count=s.K)
        closed = [g > 0, x > 0, g * x * a <= 1 - b, g * x * a >= 1 - b]
        proof.leaf(
            "the closed sum", closed, a == (1 - b) / (g * x), gamma=column(s.gamma), lam=at, a=total, b=base**s.K
        )
        shown[name] = total, (1 - base**s.K) / (column(s.gamma) * at)
    high, low = nb.largest(q[..., -1, :])[..., None, None], nb.smallest(q[..., -1, :])[..., None, None]
    for value, name in ((high, "mu_i"), (low, "L_i")):
        total, closed_sum = shown[name]
        proof.leaf("an extreme of Q_i", [a <= b, a >= b, b <= c, b >= c], a == c, a=value, b=total, c=closed_sum)
    total, closed_sum = shown["mu"]
    proof.leaf("any client, above", [a <= b, b == c], a <= c, a=q, b=total, c=closed_sum)
    total, closed_sum = shown["L"]
    proof.leaf("any client, below", [b <= a, b == c], c <= a, a=q, b=total, c=closed_sum)


STATEMENT = Statement(
    kind="spectrum",
    location="Lemma 8, section 5",
    says="For Theta_{1:K} the extreme eigenvalues of Q_i are (1 - (1 - gamma mu_i)^K) / (gamma mu_i) and the same "
    "with L_i; over all clients they lie between the values at L and at mu.",
    reading="gamma > 0, for which the formulas are written (Lemma 9 says so); at gamma = 0 both are K.",
    domain=Domain(decode, grid(n=(1, 2), d=(1, 2), K=STEPS), "1/1000 <= gamma L <= 999/1000, mu/L >= 1/1000"),
    hypotheses=(ASSUMPTION_2, GAMMA_BELOW),
    printed=claim_of(compare, derive=derive),
)
