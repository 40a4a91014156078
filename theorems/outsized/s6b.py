"""OLR Appendix A: "the only way for the surrogate to have the critical point of the loss is gamma = 0"."""

from theorems.outsized.common import ASSUMPTION_2, GAMMA_BELOW
from theorems.outsized.common_spectrum import ordered_powers
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


def prove() -> None:
    """sympy and z3: In d = 1 with two clients the surrogate's gradient at x* is w (1 - w) A_1 A_2 (Q_1 - Q_2) (c_2 -
    c_1) / E[A_i]; for 0 < gamma < 1/L and K >= 2 the sums of powers Q_i differ strictly as the A_i do (z3), so it is
    not 0.

    Two clients: Q_1 A_1 (x* - c_1) + Q_2 A_2 (x* - c_2) = (Q_1 - Q_2) A_1 (x* - c_1), Q_1 < Q_2.
    """
    a, b, c1, c2, q1, q2, w = sympy.symbols("a b c1 c2 q1 q2 w")
    x = (w * a * c1 + (1 - w) * b * c2) / (w * a + (1 - w) * b)
    field = w * q1 * a * (x - c1) + (1 - w) * q2 * b * (x - c2)
    identity((field, w * (1 - w) * a * b * (q1 - q2) * (c2 - c1) / (w * a + (1 - w) * b)))
    ordered_powers()
    S, T, p, q = reals("S T p q")
    smt([S <= T, 0 <= p, p < q], S + p < T + q)


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
        "two clients in d = 1",
        r"n=2,\ d=1:\ \gamma>0\Rightarrow\nabla\tilde f(x^*,\gamma,\Theta_{1:K})\ne0",
        differ,
        prove,
        Domain(decode, grid(n=(2,), K=(2, 3, 5, 10, 100)), "two clients in d = 1 with different A_i and c_i"),
    ),
)
