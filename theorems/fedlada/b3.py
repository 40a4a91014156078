"""LADA Lemma B.3: Hadamard products grow with their second factor."""

from theorems.fedlada.common import boxed, square
from theorems.vocabulary import *


def compare(s: Instance) -> list[Comparison]:
    r"""the bound

    \|x\odot y\|^2\le\|x\odot z\|^2

    z = y + rise with y, rise >= 0.
    """
    low = [a * b for a, b in zip(s.x, s.y, strict=True)]
    high = [a * (b + c) for a, b, c in zip(s.x, s.y, s.rise, strict=True)]
    return [that(square(low)) <= square(high)]


def prove() -> None:
    """z3: Coordinate by coordinate (x_j y_j)^2 <= (x_j z_j)^2; the coordinates are summed."""
    x, y, z = reals("x y z")
    smt([0 <= y, y <= z], (x * y) ** 2 <= (x * z) ** 2)


STATEMENT = Statement(
    kind="upper bound",
    location="Lemma B.3, appendix B.1",
    says="|x . y|^2 <= |x . z|^2 where 0 <= y <= z entry by entry.",
    domain=boxed("x in [-1, 1]^d, 0 <= y <= z", grid(d=(1, 2, 3)), x=(-1, 1, "d"), y=(0, 1, "d"), rise=(0, 1, "d")),
    printed=claim_of(compare, prove=prove),
)
