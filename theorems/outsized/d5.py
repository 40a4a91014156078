"""OLR section 3: homogeneous clients have sigma_c = 0, but so have others; and c is not the minimizer."""

from theorems.outsized.common import ASSUMPTION_2
from theorems.vocabulary import *


def decode(cursor: Cursor, d: int) -> Instance:
    """Equal clients; clients that share c alone; two clients in d = 1 with gaps in A and in c."""
    equal, centred = clients(cursor, 3, d, same="both"), clients(cursor, 2, d, same="c")
    a, gap, w = cursor.many(3)
    nb = cursor.nb
    tenth = nb.number(Fraction(1, 10))
    one = a * 0 + 1
    pair = Instance(a=tenth + a * (one - 2 * tenth), gap=tenth + gap, w=tenth + w * (one - 2 * tenth))
    return Instance(nb=nb, p=equal, centred=centred, pair=pair)


def distance(pair: Any) -> Any:
    """x* - c of clients (1, 0) and (a, gap) with weights 1 - w and w."""
    a, gap, w = pair.a, pair.gap, pair.w
    return w * a * gap / (1 - w + w * a) - w * gap


def compare(s: Instance) -> list[Comparison]:
    r"""sigma_c = 0 for equal c_i whatever A_i; x* differs from c

    c_i=c\ \forall i\Rightarrow\sigma_c=0;\quad x^*-c=\frac{w(1-w)(A_2-A_1)(c_2-c_1)}{\mathbb E[A_i]}\ne0
    """
    zero = s.pair.a * 0
    heterogeneous = s.centred.lam[..., 0, 0] + zero
    return [
        that("homogeneous: sigma_c = 0", s.p.mean(((s.p.c - s.p.mean(s.p.c)[..., None, :]) ** 2).sum(-1))) == zero,
        that("same c, any A: sigma_c = 0", s.centred.mean((s.centred.c**2).sum(-1))) == zero * heterogeneous,
        that("c is not the minimizer", -distance(s.pair)) > zero,
    ]


def prove() -> None:
    """sympy identity: Equal c_i give sigma_c = 0 whatever the A_i, so sigma_c = 0 does not say that clients are
    homogeneous. For two clients in d = 1, x* - c = w (1 - w) (A_2 - A_1) (c_2 - c_1) / E[A_i]: not 0 as soon as both
    differ.
    """
    a, b, c1, c2, w = sympy.symbols("a b c1 c2 w")
    rest = ((1 - w) * a * c1 + w * b * c2) / ((1 - w) * a + w * b)
    mean = (1 - w) * c1 + w * c2
    identity((rest - mean, w * (1 - w) * (b - a) * (c2 - c1) / ((1 - w) * a + w * b)))


STATEMENT = Statement(
    kind="existence",
    location="section 3, after Assumption 3",
    says="Homogeneous clients have sigma_c = 0; heterogeneous ones may have it, too; c is in general not the "
    "minimizer of f.",
    domain=Domain(decode, grid(d=(1, 2)), "equal clients; clients that share c; two clients with different A and c"),
    hypotheses=(ASSUMPTION_2,),
    printed=claim_of(compare, prove=prove),
)
