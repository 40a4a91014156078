"""DA (43): the distance of the models grows at most as fast as the momenta are apart."""

from theorems.bridges import inner_products
from theorems.fedda.common import BETA
from theorems.fedda.common_state import dot, states
from theorems.vocabulary import *


def compare(s: Instance) -> list[Comparison]:
    r"""the differential inequality

    \tfrac{d}{d\tau}\|W^i-W\|\le\|m^i-m\|

    Times |W^i - W|, with (W^i - W)' = -(m^i - m).
    """
    apart, D = s.y[..., 0, :] - s.x, s.v - s.m
    norm = s.p.nb.length
    return [that("times |W^i - W|", dot(apart, -D)) <= norm(apart) * norm(D)]


def derive(proof: Derivation, s: Instance) -> None:
    """|E| |E|' = <E, -D> <= |E| |D| by Cauchy-Schwarz for E = W^i - W, D = m^i - m."""
    proof.cross(inner_products, "Cauchy-Schwarz", nb=s.p.nb, u=s.y[..., 0, :] - s.x, v=s.m - s.v)


STATEMENT = Statement(
    kind="upper bound",
    location="(43), appendix A.3",
    says="|W^i - W|' <= |m^i - m|.",
    reading="The upper derivative where W^i = W.",
    domain=states(),
    hypotheses=(BETA,),
    printed=claim_of(compare, derive=derive),
)
