"""LADA Lemma B.3: Hadamard products grow with their second factor."""

from theorems.bridges import sums
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


def derive(proof: Derivation, s: Instance) -> None:
    """Coordinate by coordinate y_j^2 <= z_j^2, times x_j^2; the coordinates are summed."""
    x, y, z = reals("x y z")
    u, v = np.stack(s.x, -1), np.stack(s.y, -1)
    w = v + np.stack(s.rise, -1)
    proof.leaf("y^2 <= z^2", [0 <= y, y <= z], y * y <= z * z, y=v, z=w)
    proof.leaf("in each coordinate", [y * y <= z * z], (x * y) * (x * y) <= (x * z) * (x * z), x=u, y=v, z=w)
    proof.cross(sums, "over coordinates", low=(u * v) * (u * v), high=(u * w) * (u * w))


def ordered(s: Instance) -> list[Comparison]:
    return [c for y, rise in zip(s.y, s.rise, strict=True) for c in (that(y) >= y * 0, that(y + rise) >= y)]


BOX: dict[str, Any] = {"x": (-1, 1, "d"), "y": (0, 1, "d")}


STATEMENT = Statement(
    kind="upper bound",
    location="Lemma B.3, appendix B.1",
    says="|x . y|^2 <= |x . z|^2 where 0 <= y <= z entry by entry.",
    domain=boxed("x in [-1, 1]^d, 0 <= y <= z", grid(d=(1, 2, 3)), rise=(0, 1, "d"), **BOX),
    hypotheses=(
        Hypothesis("0 <= y <= z", ordered, boxed("z may be below y", grid(d=(1, 2)), rise=(-1, 1, "d"), **BOX)),
    ),
    printed=claim_of(compare, derive=derive),
)
