"""Hidden constants made explicit: for every C there are rounds after which C times the printed rate is too small."""

from theorems.fedlamb.common import need
from theorems.fedlamb.common_skewed import skewed_instance
from theorems.vocabulary import *


def many_rounds(cursor: Cursor, n: int, root_h: int, T: int, C: int) -> Instance:
    """R = (10^4 T C)^2 rounds at a rate from 1/(2 sqrt(h R)) to 1/sqrt(h R)."""
    side = 10**4 * T * C
    alpha = (1 - cursor.take() / 2) / (side * root_h)
    return skewed_instance(cursor, n, root_h, T, alpha, R=side * side, side=side, C=C)


LARGE = need(
    "R = (10^4 T C)^2",
    lambda s: [(s.alpha * 0 + s.R, "==", (10**4 * s.T * s.C) ** 2)],
    role="a choice of ours: so many rounds that C times the printed rate is too small",
)
