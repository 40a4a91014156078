"""LADA Lemma B.5: the norm of a sum of n vectors."""

from theorems.fedlada.common import boxed, square
from theorems.vocabulary import *


def compare(s: Instance) -> list[Comparison]:
    r"""the bound

    \|\sum_ix_i\|^2\le n\sum_i\|x_i\|^2
    """
    total = [sum(x[j] for x in s.x) for j in range(s.d)]
    return [that(square(total)) <= s.n * sum(square(x) for x in s.x)]


def prove() -> None:
    """sympy identity: Induction on n in each coordinate: with S^2 <= n Q for the first n, (S + x)^2 <= (n + 1)(S^2/n +
    x^2), as the difference is (S - n x)^2 / n >= 0.
    """
    n, S, x = sympy.symbols("n S x")
    identity(((n + 1) * (S**2 / n + x**2) - (S + x) ** 2, (S - n * x) ** 2 / n))


STATEMENT = Statement(
    kind="upper bound",
    location="Lemma B.5, appendix B.1",
    says="|x_1 + ... + x_n|^2 <= n (|x_1|^2 + ... + |x_n|^2).",
    reading="The right side's x lacks its index i.",
    domain=boxed("x_i in [-1, 1]^d", grid(n=(1, 2, 3), d=(1, 2)), x=(-1, 1, "n", "d")),
    printed=claim_of(compare, prove=prove),
)
