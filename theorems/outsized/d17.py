"""OLR section 3.1: MAML and FOMAML need not share stationary points for quadratic objectives."""

from theorems.bridges import positive_powers, powers
from theorems.outsized.common import GAMMA_BELOW
from theorems.vocabulary import *


def decode(cursor: Cursor, K: int) -> Instance:
    """Two weighted clients in d = 1 with A_1 > A_2 and c_1 < c_2, 1/10 <= gamma L <= 9/10."""
    p = clients(cursor, 2, 1, weighted=True)
    tenth = cursor.nb.number(Fraction(1, 10))
    a, b, e = cursor.many(3)
    slow = p.lam[..., :1, :] * (1 - tenth - 8 * tenth * a)[..., None, None]
    far = p.c[..., :1, :] + (1 + e)[..., None, None]
    p = replace(p, lam=np.concatenate([p.lam[..., :1, :], slow], -2), c=np.concatenate([p.c[..., :1, :], far], -2))
    return Instance(p=p, gamma=(tenth + 8 * tenth * b) / p.L, K=K)


def compare(s: Instance) -> list[Comparison]:
    r"""the stationary point of K-MAML lies nearer to the client of smaller curvature than FOMAML's, for every gamma <
    1/L

    \operatorname{argmin}\tilde f(x,\gamma,\Theta_{2K+1})>\operatorname{argmin}\tilde f(x,\gamma,\Theta_{K+1})\quad%
      (A_1>A_2,\ c_1<c_2)
    """
    maml, first_order = (s.p.rest(s.p.filtered(s.gamma, Theta.last(n)))[..., 0] for n in (2 * s.K + 1, s.K + 1))
    return [that("stationary points", maml) > first_order]


def derive(proof: Derivation, s: Instance) -> None:
    """FOMAML weighs client i by w_i A_i P_i, P_i = (1 - gamma A_i)^K, MAML once more by P_i; P_1 < P_2."""
    p, g = s.p, s.gamma
    (a, b), (c, e), (v, w) = ([x[..., i] for i in range(2)] for x in (p.lam[..., 0], p.c[..., 0], p.w))
    x, y, t, u, q, r = reals("x y gamma u q r")
    first, second = 1 - g * a, 1 - g * b
    proof.setting("K >= 1", s.K, 1)
    proof.leaf("1 - gamma A_1 > 0", [t > 0, x <= y, t * y < 1], 0 < 1 - t * x, gamma=g, x=a, y=p.L)
    proof.leaf("1 - gamma A_1 < 1 - gamma A_2", [t > 0, y < x], 1 - t * x < 1 - t * y, gamma=g, x=a, y=b)
    proof.leaf("1 - gamma A_2 > 0", [0 < x, x < y], 0 < y, x=first, y=second)
    for base in (first, second):
        proof.cross(positive_powers, "(1 - gamma A)^k > 0", base=base, exponents=range(s.K + 1))
    proof.cross(powers, "(1 - gamma A_1)^k <= (1 - gamma A_2)^k", low=first, high=second, exponents=range(s.K))
    proof.leaf("P_1 < P_2", [u <= q, u > 0, 0 < x, x < y], u * x < q * y,
               x=first, y=second, u=first ** (s.K - 1), q=second ** (s.K - 1))  # fmt: skip
    P, Q = first**s.K, second**s.K
    for weight, curvature, power in ((v, a, P), (w, b, Q)):
        proof.leaf("w A P > 0", [u > 0, x > 0, q > 0], 0 < u * x * q, u=weight, x=curvature, q=power)
    proof.leaf(
        "weighted once more", [x > 0, y > 0, 0 < q, q < r, t < u],
        (x * t + y * u) / (x + y) < (x * q * t + y * r * u) / (x * q + y * r),
        x=v * a * P, y=w * b * Q, q=P, r=Q, gamma=c, u=e,
    )  # fmt: skip


def sizes(s: Instance) -> list[Comparison]:
    first, second = (s.p.lam[..., i, 0] for i in range(2))
    return [that("positive", second) > second * 0, that("ordered", second) < first, that("L", first) > first * 0]


GIVEN = (
    Hypothesis("0 < A_2 < A_1", sizes),
    GAMMA_BELOW,
    Hypothesis("c_1 < c_2", lambda s: [that(s.p.c[..., 0, 0]) < s.p.c[..., 1, 0]]),
    Hypothesis("positive weights", lambda s: [that(s.p.w) > s.p.w * 0]),
)

STATEMENT = Statement(
    kind="existence",
    location="section 3.1, last paragraph",
    says="MAML and FOMAML need not share stationary points for quadratic objectives.",
    reading="K-MAML is Theta_{2K+1} (Theorem 4); its first-order form, the gradient after the same K steps, is "
    "Theta_{K+1} "
    "(OLR.S7).",
    domain=Domain(decode, grid(K=(1, 2, 3, 5)), "two weighted clients in d = 1, 1/10 <= gamma L <= 9/10"),
    hypotheses=GIVEN,
    printed=claim_of(compare, derive=derive),
)
