"""LAMB section 4.2: for R large both rates are dominated by sqrt p/sqrt(n R)."""

from theorems.fedlamb.common import boxed, need
from theorems.vocabulary import *


def dominated(s: Instance) -> list[Comparison]:
    r"""From R = n (sigma^2 + p + T^2)^2 on each term of (4) is at most sqrt(p/(n R)).

    \sqrt{\tfrac pn}\frac1{\sqrt{\mathsf hR}},\ \frac{\sigma^2}{Rn\sqrt p},\ \frac{(T-1)^2p}{\mathsf h^3R^{3/2}}\le
      \sqrt{\frac p{nR}}
    """
    root = s.nb.sqrt
    one = s.sigma * 0 + 1
    large = s.sigma**2 + s.p + s.T**2
    R = s.n * large**2 * s.more
    rate = root(one * s.p) / (s.n * large * root(s.more))
    return [
        that("first", root(one * s.p / s.n) / root(s.h * R)) <= rate,
        that("second", s.sigma**2 / (R * s.n * root(one * s.p))) <= rate,
        that("third", (s.T - 1) ** 2 * s.p / (s.h**3 * R * root(R))) <= rate,
    ]


def prove() -> None:
    """z3: Divided by sqrt(p/(n R)) the terms are 1/sqrt h, sigma^2/(p sqrt(n R)) and (T-1)^2 sqrt(p n)/(h^3 R), each at
    most 1 there.
    """
    a, p, n, q, h, k, t, g = reals("a p n q h k t g")  # q^2 = p or n, k^2 = more, a = sigma^2 + p + T^2, g^2 = h
    rate = q / (n * a * k)
    smt([p >= 1, q > 0, q * q == p, n >= 1, k >= 1, a >= 1, h >= 1, g > 0, g * g == h], rate / g <= rate)
    smt([p >= 1, n >= 1, k >= 1, t >= 0, a >= t, a >= p], t <= n * a * k * p)
    smt([n >= 1, q >= 1, q * q == n, k >= 1, t >= 0, p >= 1, a >= t + p], t * p <= q * a * a * k * k)


STATEMENT = Statement(
    kind="limit",
    location="section 4.2, after Theorem 2: 'both rates are dominated by'",
    says="For R sufficiently large (4) and (5) are dominated by O(sqrt p/sqrt(n R)).",
    reading="The arithmetic of (4); whether (4) is true is LAMB.C1. (5) is that rate itself.",
    domain=boxed(
        "R = n (sigma^2 + p + T^2)^2 rounds and more",
        grid(n=(1, 4), h=(1, 3), p=(1, 5, 100), T=(1, 2, 10)),
        sigma=(0, 3), more=(1, 100),
    ),
    hypotheses=(need("R >= n (sigma^2 + p + T^2)^2", lambda s: [(s.more, ">=", 1)]),),
    printed=claim_of(dominated, prove=prove),
)  # fmt: skip
