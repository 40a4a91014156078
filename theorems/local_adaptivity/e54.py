"""LA (52)-(54): the average of contractions is a contraction."""

from theorems.local_adaptivity.common import between, positives, shares
from theorems.vocabulary import *


def instance(cursor: Cursor, M: int) -> Instance:
    """E[A_i](x) - E[A_i](y) = slope_i (x - y) in d = 1, of either sign."""
    return Instance(nb=cursor.nb, M=M, slope=2 * positives(cursor, M, 1e-6) - 1, w=shares(cursor, M))


def printed(s: Instance) -> list[Comparison]:
    r"""contraction constant sum w h

    \|\mathbb{E}[\mathcal{A}(x)]-\mathbb{E}[\mathcal{A}(y)]\|^2\le\sum_iw_ih_i\|x-y\|^2
    """
    h = s.slope**2
    return [
        that("(54)", (s.w * s.slope).sum(axis=-1) ** 2) <= (s.w * h).sum(axis=-1),
        that("below 1", (s.w * h).sum(axis=-1)) <= s.nb.largest(h),
    ]


def prove() -> None:
    """z3: Jensen's inequality for the square of the norm: two points are decided by z3, more follow by induction on the
    number of clients (split off one with weight w), vectors by the triangle inequality. The mean of the h_i is at most
    their largest, so below 1, and Banach's theorem gives one fixed point.
    """
    a, b, w, h = reals("a b w h")
    smt([0 <= w, w <= 1], (w * a + (1 - w) * b) ** 2 <= w * a * a + (1 - w) * b * b)
    smt([0 <= w, w <= 1, a <= h, b <= h, h < 1], both(w * a + (1 - w) * b <= h, w * a + (1 - w) * b < 1))


STATEMENT = Statement(
    kind="upper bound",
    location="(52) to (54), Appendix C",
    says="||E[A](x) - E[A](y)||^2 <= sum w_i h_i ||x - y||^2 with sum w_i h_i < 1: E[A] has exactly one fixed point.",
    domain=Domain(instance, grid(M=(1, 2, 3, 5)), "one to five clients in d = 1 with slopes in (-1, 1)"),
    hypotheses=(between("|slope_i| < 1 (Assumption 1)", lambda s: s.slope, -1, 1),),
    printed=claim_of(printed, prove=prove),
    note="Sharper: (sum w_i sqrt(h_i))^2, by the triangle inequality alone. All clients must take part, or the "
    "weights be those of the expected mean.",
)
