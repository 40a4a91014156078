"""Hidden constants made explicit: for every C there are rounds after which C times the printed rate is too small."""

from theorems.fedlamb.common import need, standing_instance
from theorems.vocabulary import *


def many_rounds(cursor: Cursor, n: int, h: int, T: int, C: int) -> Instance:
    """R = (10^4 T C)^2 rounds at the rate alpha = pace/(sqrt(h R)); standing clients with a >= 1/10."""
    side = 10**4 * T * C
    alpha = (1 - cursor.take() / 2) / (side * h)
    return standing_instance(cursor, n, h, T, R=side * side, side=side, C=C, alpha=alpha)


LARGE = need(
    "R = (10^4 T C)^2",
    lambda s: [(s.alpha * 0 + s.R, "==", (10**4 * s.T * s.C) ** 2)],
    role="a choice of ours: so many rounds that C times the printed rate is too small",
)
