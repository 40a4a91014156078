"""LADA Lemma B.1: an inner product from three norms."""

from theorems.fedlada.common import boxed, dot, square
from theorems.vocabulary import *


def compare(s: Instance) -> list[Comparison]:
    apart = [a - b for a, b in zip(s.x, s.y, strict=True)]
    return [Comparison("", dot(s.x, s.y), "==", (square(s.x) + square(s.y) - square(apart)) / 2)]


def prove() -> Proof:
    x, y = sympy.symbols("x y")
    identity((x * y, (x**2 + y**2 - (x - y) ** 2) / 2))
    return Proof("sympy identity", "The identity of each coordinate, summed over the coordinates.")


STATEMENT = Statement(
    id="LADA.B1",
    kind="identity",
    location="Lemma B.1, appendix B.1",
    says="<x, y> = (|x|^2 + |y|^2 - |x - y|^2) / 2.",
    domain=boxed("x, y in [-1, 1]^d", grid(d=(1, 2, 3)), x=(-1, 1, "d"), y=(-1, 1, "d")),
    printed=Claim("the identity", r"\langle x,y\rangle=\tfrac12(\|x\|^2+\|y\|^2-\|x-y\|^2)", compare, prove),
)
