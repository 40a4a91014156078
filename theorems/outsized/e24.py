"""OLR (24) and section 9.1: the loss of the drawn clients estimates f(x_t), and a window reduces its variance."""

from itertools import product

from theorems.bridges import independent_deviations, independent_draws
from theorems.outsized.common import ASSUMPTION_2
from theorems.vocabulary import *

WINDOWS = ((1, 1), (2, 1), (1, 2), (2, 2))


def decode(cursor: Cursor, n: int, d: int, M: int, W: int) -> Instance:
    p = clients(cursor, n, d)
    return Instance(p=p, x=np.stack([2 - 4 * u for u in cursor.many(d)], -1), M=M, W=W)


def losses(s: Instance) -> Any:
    """f_i(x), (..., n)."""
    return (s.p.lam * s.p.turned(s.x) ** 2).sum(axis=-1) / 2


def draws(s: Instance, count: int) -> list[Any]:
    """The mean loss of each of the n^count equally likely draws."""
    f = losses(s)
    return [sum(f[..., i] for i in drawn) / count for drawn in product(range(s.p.n), repeat=count)]


def spread(s: Instance, count: int) -> Any:
    """The variance of the mean of so many draws."""
    mean, means = losses(s).sum(axis=-1) / s.p.n, draws(s, count)
    return sum((each - mean) * (each - mean) for each in means) / len(means)


def compare(s: Instance) -> list[Comparison]:
    r"""l_t has the mean f(x), and a window of W rounds at the same x has 1/W of its variance

    \mathbb E[\ell_t]=f(x_t),\quad\operatorname{Var}(\hat\ell_t)=\operatorname{Var}(\ell_t)/W\text{ while }x_t=x
    """
    means = draws(s, s.M)
    return [
        that("mean", sum(means) / len(means)) == s.p.quadratic(s.p.lam, s.x),
        that("variance", s.W * spread(s, s.M * s.W)) == spread(s, s.M),
    ]


def derive(proof: Derivation, s: Instance) -> None:
    """Var of the mean of m independent draws is Var_i f_i(x)/m."""
    p, nb, f = s.p, s.p.nb, losses(s)
    proof.cross(independent_draws, "E[l_t] = sum w_i f_i(x)", w=p.w, answers=f[..., None], M=s.M)
    x, y, m, n, v = reals("one many M W var")
    for count in (s.M, s.M * s.W):
        values = np.stack([f] * count, -2)[..., None]  # (..., draws, clients, 1)
        proof.cross(independent_deviations, "variances add", m=f[..., :1] * 0, values=values)
    off = f - (f.sum(axis=-1) / p.n)[..., None]
    own = (off * off).sum(axis=-1) / p.n
    for name, value in (("M >= 1", s.M), ("W >= 1", s.W)):
        proof.setting(name, value, 1)
    one, many = s.M * s.M * spread(s, s.M), s.M * s.W * (s.M * s.W) * spread(s, s.M * s.W)
    here = {"M": nb.number(s.M), "W": nb.number(s.W), "var": own}
    proof.leaf("of M draws", [x <= m * v, x >= m * v, m >= 1], x / (m * m) == v / m, one=one, **here)
    proof.leaf("of M W draws", [y <= m * n * v, y >= m * n * v, m >= 1, n >= 1], n * (y / (m * n * (m * n))) == v / m,
               many=many, **here)  # fmt: skip
    a, b, c = reals("a b c")
    proof.leaf("both", [a == c, b == c], a == b, a=s.W * spread(s, s.M * s.W), b=spread(s, s.M), c=own / s.M)


STATEMENT = Statement(
    kind="identity",
    location="(24), section 9; (25), section 9.1; section 8.4",
    says="The loss of the clients that take part, before they train, is a stochastic estimate of f(x_t); the average "
    "over a "
    "window of W rounds is one with reduced variance.",
    reading="Clients are drawn independently and uniformly, and each computes its own loss exactly. The variance is "
    "that at a "
    "model that stays: the window is looked at on a plateau.",
    domain=Domain(
        decode,
        tuple({"n": n, "d": d, "M": M, "W": W} for n in (2, 3) for d in (1, 2) for M, W in WINDOWS),
        "two or three clients, all draws of M clients and of W rounds counted out",
    ),
    hypotheses=(replace(ASSUMPTION_2, role="minimizers are not looked at; it is section 7's"),),
    printed=claim_of(compare, derive=derive),
    note="While x_t moves the window's average is about past models: it lags behind, above f(x_t) while the loss "
    "falls. The "
    "gradients that follow use the same clients, so that l_t and q_t are not independent.",
)
