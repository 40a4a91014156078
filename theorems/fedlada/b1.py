"""LADA Lemma B.1: an inner product from three norms."""

from theorems.bridges import equal_sums
from theorems.fedlada.common import boxed, dot, square
from theorems.vocabulary import *


def compare(s: Instance) -> list[Comparison]:
    r"""the identity

    \langle x,y\rangle=\tfrac12(\|x\|^2+\|y\|^2-\|x-y\|^2)
    """
    apart = [a - b for a, b in zip(s.x, s.y, strict=True)]
    return [that(dot(s.x, s.y)) == (square(s.x) + square(s.y) - square(apart)) / 2]


def derive(proof: Derivation, s: Instance) -> None:
    """The identity of each coordinate, summed over the coordinates."""
    x, y = reals("x y")
    u, v = np.stack(s.x, -1), np.stack(s.y, -1)
    proof.leaf("in each coordinate", [], x * y == (x * x + y * y - (x - y) * (x - y)) / 2, x=u, y=v)
    halves = (u * u + v * v - (u - v) * (u - v)) / 2
    proof.cross(equal_sums, "over coordinates", low=u * v, high=halves, weights=np.ones(s.d, dtype=int))


STATEMENT = Statement(
    kind="identity",
    location="Lemma B.1, appendix B.1",
    says="<x, y> = (|x|^2 + |y|^2 - |x - y|^2) / 2.",
    domain=boxed("x, y in [-1, 1]^d", grid(d=(1, 2, 3)), x=(-1, 1, "d"), y=(-1, 1, "d")),
    printed=claim_of(compare, derive=derive),
)
