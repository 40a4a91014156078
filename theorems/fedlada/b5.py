"""LADA Lemma B.5: the norm of a sum of n vectors."""

from theorems.bridges import mean_square, sums
from theorems.fedlada.common import boxed, square
from theorems.vocabulary import *


def compare(s: Instance) -> list[Comparison]:
    r"""the bound

    \|\sum_ix_i\|^2\le n\sum_i\|x_i\|^2
    """
    total = [sum(x[j] for x in s.x) for j in range(s.d)]
    return [that(square(total)) <= s.n * sum(square(x) for x in s.x)]


def derive(proof: Derivation, s: Instance) -> None:
    """The square of a mean is at most the mean of the squares in each coordinate; times n^2, and summed."""
    S, Q, n = reals("S Q n")
    values = np.stack([np.stack(x, -1) for x in s.x], -1)
    total, squares = values.sum(axis=-1), (values * values).sum(axis=-1)
    proof.cross(mean_square, "in each coordinate", values=values)
    proof.setting("n >= 1", s.n, 1)
    proof.leaf("times n^2", [S / n * (S / n) <= Q / n, n >= 1], S * S <= n * Q, S=total, Q=squares, n=s.nb.number(s.n))
    proof.cross(sums, "over coordinates", low=total * total, high=s.n * squares)


STATEMENT = Statement(
    kind="upper bound",
    location="Lemma B.5, appendix B.1",
    says="|x_1 + ... + x_n|^2 <= n (|x_1|^2 + ... + |x_n|^2).",
    reading="The right side's x lacks its index i.",
    domain=boxed("x_i in [-1, 1]^d", grid(n=(1, 2, 3), d=(1, 2)), x=(-1, 1, "n", "d")),
    printed=claim_of(compare, derive=derive),
)
