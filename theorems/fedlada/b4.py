"""LADA Lemma B.4: Young's inequality for the norm of a sum."""

from theorems.bridges import sums
from theorems.fedlada.common import below, boxed, need, square
from theorems.vocabulary import *


def compare(s: Instance) -> list[Comparison]:
    r"""the bound

    \|x+y\|^2\le(1+\mu)\|x\|^2+(1+\tfrac1\mu)\|y\|^2
    """
    total = [a + b for a, b in zip(s.x, s.y, strict=True)]
    return [that(square(total)) <= (1 + s.mu) * square(s.x) + (1 + 1 / s.mu) * square(s.y)]


def derive(proof: Derivation, s: Instance) -> None:
    """In each coordinate right minus left is (mu x_j - y_j)^2 / mu >= 0."""
    x, y, mu = reals("x y mu")
    u, v, most = np.stack(s.x, -1), np.stack(s.y, -1), s.mu[..., None]
    high = (1 + most) * (u * u) + (1 + 1 / most) * (v * v)
    proof.leaf("in each coordinate", [0 < mu], (x + y) * (x + y) <= (1 + mu) * (x * x) + (1 + 1 / mu) * (y * y),
               x=u, y=v, mu=most)  # fmt: skip
    proof.cross(sums, "over coordinates", low=(u + v) * (u + v), high=high)


STATEMENT = Statement(
    kind="upper bound",
    location="Lemma B.4, appendix B.1",
    says="|x + y|^2 <= (1 + mu) |x|^2 + (1 + 1/mu) |y|^2 for mu > 0.",
    domain=boxed("x, y in [-1, 1]^d, 0 < mu <= 4", grid(d=(1, 2, 3)), x=(-1, 1, "d"), y=(-1, 1, "d"), mu=(0, 4)),
    hypotheses=(need("mu > 0", below("mu")),),
    printed=claim_of(compare, derive=derive),
)
