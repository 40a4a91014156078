"""LADA, appendix B.2.1: W^t, the variance of drawing S of m clients."""

from itertools import combinations

from theorems.fedlada.common import boxed, mean, square
from theorems.fedlada.common_noise import drawn_square
from theorems.vocabulary import *


def compare(s: Instance) -> list[Comparison]:
    r"""the last equality and the bound

    W^t\le\Big\|\frac1m\sum_ia_i\Big\|^2+\frac{m-S}{Sm(m-1)}\sum_i\|a_i\|^2
    """
    m, S = s.m, s.S
    left, total, squares = drawn_square(s.a, S), sum(s.a) ** 2, square(s.a)
    share = S * m * (m - 1)
    return [
        that("last equality", left) == ((S - 1) * total + (m - S) * squares) / share,
        that("bound", left) <= mean(s.a) ** 2 + (m - S) * squares / share,
    ]


def prove() -> None:
    """sympy and z3: Two different clients are drawn together with probability S(S-1)/(m(m-1)), one with S/m: the
    expectation is an identity in |sum a|^2 and sum |a_i|^2 for all S and m (enumerated for m <= 4), and (S-1) m <= S
    (m-1).
    """
    S, m, P, Q = sympy.symbols("S m P Q")
    pairs = S * (S - 1) / (m * (m - 1))
    identity(((S / m * Q + pairs * (P - Q)) / S**2, ((S - 1) * P + (m - S) * Q) / (S * m * (m - 1))))
    for count in (2, 3, 4):
        a = sympy.symbols(f"a:{count}")
        for size in range(1, count + 1):
            left = mean([(sum(chosen) / sympy.Integer(size)) ** 2 for chosen in combinations(a, size)])
            top = (size - 1) * sum(a) ** 2 + (count - size) * sum(v**2 for v in a)
            identity((left, top / (size * count * (count - 1))))
    s, n, p = reals("s n p")
    smt([1 <= s, s <= n, n >= 2, p >= 0], (s - 1) * n * p <= s * (n - 1) * p)


STATEMENT = Statement(
    kind="upper bound",
    location="B.2.1, the chain for W^t",
    says="The mean over S drawn clients has second moment at most |mean|^2 + (m-S)/(Sm(m-1)) sum_i |a_i|^2.",
    reading="Clients are drawn without replacement and a_i = (1/K) sum_tau mbar theta_0 is what i would send; where "
    "one probability is printed twice, the first is that of the pair, S(S-1)/(m(m-1)); m >= 2.",
    domain=boxed("d = 1", tuple({"m": m, "S": S} for m in (2, 3, 4) for S in range(1, m + 1)), a=(-1, 1, "m")),
    printed=claim_of(compare, prove=prove),
    note="Sharper and no longer: |mean|^2 + (m-S)/(Sm(m-1)) sum_i |a_i - mean|^2 is an equality, and vanishes in its "
    "second term for equal clients. LADA.T35's correction uses it.",
)
