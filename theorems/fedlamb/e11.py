"""LAMB (11): the inner product by squares."""

from theorems.bridges import equal_sums, sums
from theorems.fedlamb.common import boxed, need, total
from theorems.vocabulary import *

VECTORS: Domain = boxed(
    "two vectors and a positive root", grid(d=(1, 2, 3)), f=(1, -1, "d"), g=(0, 2, "d"), root=(1, "1/10", "d")
)


def squares(s: Instance) -> tuple[Any, Any, Any]:
    """<f, g>/sqrt v, (|f|^2 + |g|^2)/2 and |f - g|^2, all over v^(1/2)."""
    triples = list(zip(s.f, s.g, s.root, strict=True))
    return (
        total([f * g / r for f, g, r in triples]),
        total([(f * f + g * g) / r for f, g, r in triples]) / 2,
        total([(f - g) ** 2 / r for f, g, r in triples]),
    )


def printed(s: Instance) -> list[Comparison]:
    r"""the identity

    \langle\nabla f,\tfrac{\bar g}{\sqrt{\hat v}}\rangle%
      =\tfrac12\|\tfrac{\nabla f}{\hat v^{1/4}}\|^2+\tfrac12\|\tfrac{\bar g}{\hat v^{1/4}}\|^2%
      -\|\tfrac{\nabla f-\bar g}{\hat v^{1/4}}\|^2
    """
    inner, half, apart = squares(s)
    return [that("(11)", inner) == half - apart]


def corrected(s: Instance) -> list[Comparison]:
    r"""the last square, too, has the factor 1/2; as printed the left side is larger, which is what the proof uses

    \langle\nabla f,\tfrac{\bar g}{\sqrt{\hat v}}\rangle=\tfrac12\|\tfrac{\nabla f}{\hat v^{1/4}}\|^2%
      +\tfrac12\|\tfrac{\bar g}{\hat v^{1/4}}\|^2-\tfrac12\|\tfrac{\nabla f-\bar g}{\hat v^{1/4}}\|^2
    """
    inner, half, apart = squares(s)
    return [that("with 1/2", inner) == half - apart / 2, that("as it is used", inner) >= half - apart]


def derive(proof: Derivation, s: Instance) -> None:
    """2 x y = x^2 + y^2 - (x - y)^2, coordinate by coordinate, each over sqrt v."""
    f, g, r = reals("f g root")
    F, G, R = (np.stack(each, -1) for each in (s.f, s.g, s.root))
    here = {"f": F, "g": G, "root": R}
    halved, off = (F * F + G * G) / R / 2, (F - G) * (F - G) / R
    half, apart = (f * f + g * g) / r / 2, (f - g) * (f - g) / r
    proof.leaf("in each coordinate", [0 < r], f * g / r == half - apart / 2, **here)
    proof.cross(equal_sums, "over coordinates", low=F * G / R, high=halved - off / 2, weights=np.ones(s.d, dtype=int))
    proof.leaf("as it is used", [0 < r], half - apart <= f * g / r, **here)
    proof.cross(sums, "over coordinates", low=halved - off, high=F * G / R)


STATEMENT = Statement(
    kind="identity",
    location="(11), B.2",
    says="<grad f, g-bar/sqrt v> = 1/2 |grad f/v^(1/4)|^2 + 1/2 |g-bar/v^(1/4)|^2 - |(grad f - g-bar)/v^(1/4)|^2.",
    severity="typo",
    domain=VECTORS,
    hypotheses=(need("v > 0", lambda s: [(r, ">", 0) for r in s.root]),),
    printed=claim_of(printed),
    corrected=claim_of(corrected, derive=derive),
    note="Harmless where it is used. But the proof compares grad f with the normalised g-bar, whose length has "
    "nothing to do with grad f: that difference (LAMB.B2) does not become small.",
)
