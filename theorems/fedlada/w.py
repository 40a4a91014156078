"""LADA, appendix B.2.1: W^t, the variance of drawing S of m clients."""

from theorems.bridges import equal_sums, sample_variance
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


def derive(proof: Derivation, s: Instance) -> None:
    """E|mean drawn|^2 = |a|^2 + (m - S)/(S (m - 1)) (sum a_i^2/m - |a|^2), expanded; and (S - 1) m <= S (m - 1)."""
    a, A, Q, P, V, L, m, S = reals("a A Q P V L m S")
    values, count, drawn = np.stack(s.a, -1), s.nb.number(s.m), s.nb.number(s.S)
    centre, squares = values.sum(axis=-1) / s.m, (values * values).sum(axis=-1)
    proof.cross(sample_variance, "drawing S of m", values=values, near=centre * 0, S=s.S)
    proof.setting("m >= 2", s.m, 2)
    proof.setting("S >= 1", s.S, 1)
    off = values - centre[..., None]
    proof.leaf("a square", [], (a - A) * (a - A) == a * a - 2 * A * a + A * A, a=values, A=centre[..., None])
    expanded = values * values - 2 * centre[..., None] * values + centre[..., None] * centre[..., None]
    proof.cross(equal_sums, "over clients", low=off * off, high=expanded, weights=np.ones(s.m, dtype=int))
    spent = (off * off).sum(axis=-1)
    proof.leaf("the mean", [m >= 2], P == m * (P / m), P=values.sum(axis=-1), m=count)
    proof.leaf("the variance", [V == Q - 2 * A * P + m * (A * A), P == m * A], V == Q - m * (A * A), V=spent, Q=squares,
               A=centre, P=values.sum(axis=-1), m=count)  # fmt: skip
    proof.leaf(
        "last equality", [L == A * A + V / m * ((m - S) / (S * (m - 1))), V == Q - m * (A * A), m >= 2, S >= 1],
        L == ((S - 1) * (m * A * (m * A)) + (m - S) * Q) / (S * m * (m - 1)), V=spent, Q=squares, A=centre, m=count,
        S=drawn, L=drawn_square(s.a, s.S),
    )  # fmt: skip


STATEMENT = Statement(
    kind="upper bound",
    location="B.2.1, the chain for W^t",
    says="The mean over S drawn clients has second moment at most |mean|^2 + (m-S)/(Sm(m-1)) sum_i |a_i|^2.",
    reading="Clients are drawn without replacement and a_i = (1/K) sum_tau mbar theta_0 is what i would send; where "
    "one probability is printed twice, the first is that of the pair, S(S-1)/(m(m-1)); m >= 2.",
    domain=boxed("d = 1", tuple({"m": m, "S": S} for m in (2, 3, 4) for S in range(1, m + 1)), a=(-1, 1, "m")),
    printed=claim_of(compare, derive=derive),
    note="Sharper and no longer: |mean|^2 + (m-S)/(Sm(m-1)) sum_i |a_i - mean|^2 is an equality, and vanishes in its "
    "second term for equal clients. LADA.T35's correction uses it.",
)
