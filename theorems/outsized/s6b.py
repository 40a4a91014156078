"""OLR Appendix A: "the only way for the surrogate to have the critical point of the loss is gamma = 0"."""

from theorems.bridges import powers, sums
from theorems.outsized.common import ASSUMPTION_2, GAMMA_BELOW
from theorems.vocabulary import *


def decode(cursor: Cursor, n: int, K: int) -> Instance:
    """d = 1, different Hessians 1, 1/2, 1/4 and minimizers 0, 1 and one in [-1, 0); 1/100 <= gamma L <= 99/100."""
    nb = cursor.nb
    gamma = (1 + (cursor.take() - cursor.take()) * nb.number(Fraction(98, 100))) / 2
    one = gamma * 0 + 1
    lam = np.stack([one / 2**i for i in range(n)], -1)[..., None]
    c = np.stack([one * 0, one, *(-(1 + 9 * u) / 10 for u in cursor.many(n - 2))], -1)[..., None]
    w = np.stack([one / n] * n, -1)
    p = Population(nb, lam, lam[..., None] * 0 + 1, c, w)
    return Instance(p=p, gamma=gamma, K=K, theta=Theta.sum(K))


def differ(s: Instance) -> list[Comparison]:
    """sum_i Q_i A_i (sum_j A_j (c_j - c_i)), the surrogate's gradient at x* times sum A_j, is not 0."""
    lam, c = s.p.lam[..., 0], s.p.c[..., 0]
    centre, total = (lam * c).sum(axis=-1), lam.sum(axis=-1)
    field = (s.p.filtered(s.gamma, s.theta)[..., 0] * (centre[..., None] - c * total[..., None])).sum(axis=-1)
    return [that("gradient of the surrogate at x*", field * field) > s.gamma * 0]


def derive(proof: Derivation, s: Instance) -> None:
    """The gradient at x*, times A_1 + A_2, is A_1 A_2 (q_1 - q_2)(c_2 - c_1), and q_1 < q_2, the sums of powers, by
    their second terms, as 1 - gamma A_1 < 1 - gamma A_2.
    """
    p = s.p
    (a, b), (c, e) = ([v[..., i] for i in range(2)] for v in (p.lam[..., 0], p.c[..., 0]))
    m, g, x, y, d, u, v, R, S = reals("mu gamma x y d u v R S")
    proof.leaf("A_i > 0", [m > 0, m <= x], 0 < x, mu=p.mu[..., None, None], x=p.lam)
    proof.leaf("A_1 > A_2", [], 0 * x + Fraction(1, 2) < 0 * x + 1, x=a)
    proof.leaf("c_2 > c_1", [], 0 * x < 0 * x + 1, x=a)
    proof.leaf("1 - gamma A_1 < 1 - gamma A_2", [g > 0, y < x], 1 - g * x < 1 - g * y, gamma=s.gamma, x=a, y=b)
    proof.leaf("1 - gamma A_1 >= 0", [g > 0, x <= y, g * y < 1], 0 <= 1 - g * x, gamma=s.gamma, x=a, y=p.L)
    proof.leaf("1 - gamma A_1 <= 1 - gamma A_2", [u < v], u <= v, u=1 - s.gamma * a, v=1 - s.gamma * b)
    first, second = 1 - s.gamma * a, 1 - s.gamma * b
    proof.cross(powers, "(1 - gamma A_1)^k <= (1 - gamma A_2)^k", low=first, high=second, exponents=range(s.K))
    low, high = (np.stack([r * 0, *(r**k for k in range(2, s.K))], -1) for r in (first, second))
    proof.leaf("0 <= 0", [], 0 * x <= 0 * x, x=a)
    proof.cross(sums, "the terms from the third on", low=low, high=high)
    proof.leaf("q_1 < q_2", [u < v, R <= S], 1 + u + R < 1 + v + S,
               u=first, v=second, R=low.sum(axis=-1), S=high.sum(axis=-1))  # fmt: skip
    q1, q2 = (sum(r**k for k in range(s.K)) for r in (first, second))
    proof.leaf("not 0", [u < v, x > 0, y > 0, d > 0], x * y * (u - v) * d < 0 * d, x=a, y=b, u=q1, v=q2, d=e - c)
    proof.leaf("its square", [u < 0 * u], 0 * u < u * u, u=a * b * (q1 - q2) * (e - c))


STATEMENT = Statement(
    kind="necessity",
    location="Appendix A",
    says="For many Theta the only way for the surrogate to have the critical point of the loss is gamma = 0.",
    reading="Theta_{1:K} with K >= 2, heterogeneous clients (all A_i and c_i different), 0 < gamma < 1/L: the "
    "critical points differ.",
    severity="missing-hypothesis",
    note="With three clients the biases can cancel: A = 1, 1/2, 1/4 with minimizers 0, 1, -1 give the same critical "
    "point. For K = 2 it then is the same for every gamma, since the condition is E[A_i^2 (x* - c_i)] = 0. No Theta "
    "excludes it; with two clients in d = 1 the sentence is right.",
    domain=Domain(decode, grid(n=(2, 3), K=(2, 3)), "two or three clients in d = 1 with different A_i"),
    hypotheses=(ASSUMPTION_2, GAMMA_BELOW),
    printed=Claim(
        "heterogeneous clients and gamma > 0 move the critical point",
        r"\gamma>0\Rightarrow\nabla\tilde f(x^*,\gamma,\Theta_{1:K})\ne0",
        differ,
    ),
    corrected=Claim(
        "as printed for two clients in d = 1; with more but where their biases cancel, E[Q_i A_i (x* - c_i)] = 0",
        r"n=2,\ d=1:\ \gamma>0\Rightarrow\nabla\tilde f(x^*,\gamma,\Theta_{1:K})\ne0",
        differ,
        domain=Domain(decode, grid(n=(2,), K=(2, 3, 5, 10, 100)), "two clients in d = 1 with different A_i and c_i"),
        given=(ASSUMPTION_2, GAMMA_BELOW),
        derive=derive,
    ),
)
