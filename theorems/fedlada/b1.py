"""LADA Lemma B.1: an inner product from three norms."""

from theorems.fedlada.common import boxed, dot, square
from theorems.vocabulary import *


def compare(s: Instance) -> list[Comparison]:
    r"""the identity

    \langle x,y\rangle=\tfrac12(\|x\|^2+\|y\|^2-\|x-y\|^2)
    """
    apart = [a - b for a, b in zip(s.x, s.y, strict=True)]
    return [that(dot(s.x, s.y)) == (square(s.x) + square(s.y) - square(apart)) / 2]


def prove() -> None:
    """sympy identity: The identity of each coordinate, summed over the coordinates."""
    x, y = sympy.symbols("x y")
    identity((x * y, (x**2 + y**2 - (x - y) ** 2) / 2))


STATEMENT = Statement(
    kind="identity",
    location="Lemma B.1, appendix B.1",
    says="<x, y> = (|x|^2 + |y|^2 - |x - y|^2) / 2.",
    domain=boxed("x, y in [-1, 1]^d", grid(d=(1, 2, 3)), x=(-1, 1, "d"), y=(-1, 1, "d")),
    printed=claim_of(compare, prove=prove),
)
