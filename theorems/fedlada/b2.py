"""LADA Lemma B.2: a Hadamard product is at most the norm times the largest entry."""

from theorems.bridges import extremes, sums
from theorems.fedlada.common import boxed, square
from theorems.vocabulary import *


def compare(s: Instance) -> list[Comparison]:
    r"""the bound

    \|x\odot y\|^2\le\|x\|^2\|y\|_\infty^2
    """
    largest = s.y[0] ** 2
    for entry in s.y[1:]:
        largest = s.nb.maximum(largest, entry**2)
    return [that(square([a * b for a, b in zip(s.x, s.y, strict=True)])) <= square(s.x) * largest]


def derive(proof: Derivation, s: Instance) -> None:
    """Each coordinate has (x_j y_j)^2 <= x_j^2 max_i y_i^2; the coordinates are summed."""
    x, y, top = reals("x y top")
    u, v = np.stack(s.x, -1), np.stack(s.y, -1)
    most = s.nb.largest(v * v)[..., None]
    proof.cross(extremes, "y_j^2 <= max_i y_i^2", nb=s.nb, x=v * v)
    proof.leaf("in each coordinate", [y * y <= top], (x * y) * (x * y) <= x * x * top, x=u, y=v, top=most)
    proof.cross(sums, "over coordinates", low=(u * v) * (u * v), high=u * u * most)


STATEMENT = Statement(
    kind="upper bound",
    location="Lemma B.2, appendix B.1",
    says="|x . y|^2 <= |x|^2 |y|_inf^2 for the Hadamard product.",
    domain=boxed("x, y in [-1, 1]^d", grid(d=(1, 2, 3)), x=(-1, 1, "d"), y=(-1, 1, "d")),
    printed=claim_of(compare, derive=derive),
)
