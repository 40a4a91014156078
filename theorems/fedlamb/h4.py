"""LAMB H4: phi lies between two positive constants; the paper's phi is the identity."""

from theorems.fedlamb.common import need, positive
from theorems.vocabulary import *


def instance(cursor: Cursor) -> Instance:
    """Constants phi_m <= phi_M; the test point a = 2 phi_M."""
    high = positive(cursor) + cursor.take()
    return Instance(nb=cursor.nb, phi_m=high * positive(cursor), phi_M=high, a=2 * high)


def printed(s: Instance) -> list[Comparison]:
    r"""phi_m <= a <= phi_M at a = 2 phi_M

    \phi_m\le\phi(a)=a\le\phi_M\ \ \forall a>0
    """
    return [that("phi_m <= phi(a)", s.phi_m) <= s.a, that("phi(a) <= phi_M", s.a) <= s.phi_M]


def local_steps(cursor: Cursor, T: int, d: int) -> Instance:
    """One layer, T steps of length at most alpha |theta| in any directions."""
    theta = np.stack([2 * cursor.take() - 1 for _ in range(d)], -1)
    along = []
    for _ in range(T):
        turn, side = 2 * cursor.take() - 1, 2 * cursor.take() - 1
        cos, sin = (1 - turn * turn) / (1 + turn * turn), 2 * turn / (1 + turn * turn)
        along.append(np.stack([side] if d == 1 else [side * cos, side * sin], -1))
    return Instance(nb=cursor.nb, T=T, d=d, alpha=positive(cursor) / 2, theta=theta, along=along)


def corrected(s: Instance) -> list[Comparison]:
    r"""for bounded phi, as where it clips to [phi_m, phi_M]; for the identity and alpha < 1 a layer's norm stays
    between (1 - alpha)^t and (1 + alpha)^t times its norm at the start of the round, so that phi_m = (1 - alpha)^T
    |theta|, phi_M = (1 + alpha)^T |theta| serve for one round

    (1-\alpha)^t\|\bar\theta\|\le\|\theta^t\|\le(1+\alpha)^t\|\bar\theta\|

    Within a round, from theta: (1 - alpha)^t |theta| <= |theta^t| <= (1 + alpha)^t |theta|.
    """
    y, start, found = s.theta, s.nb.length(s.theta), []
    for t, e in enumerate(s.along, start=1):
        y = y - s.alpha[:, None] * s.nb.length(y)[:, None] * e
        found.append(that(f"low {t}", s.nb.power(1 - s.alpha, t) * start) <= s.nb.length(y))
        found.append(that(f"high {t}", s.nb.length(y)) <= s.nb.power(1 + s.alpha, t) * start)
    return found


def prove() -> None:
    """z3: A step of length alpha |theta| changes |theta| by at most alpha |theta| (triangle inequality); induction on
    t.
    """
    r, y, alpha, low, high = reals("r y alpha low high")
    step = [0 < alpha, alpha < 1, r >= 0, y >= r - alpha * r, y <= r + alpha * r]  # the triangle inequality
    smt([*step, low <= r, low >= 0], (1 - alpha) * low <= y)
    smt([*step, r <= high], y <= (1 + alpha) * high)


STATEMENT = Statement(
    kind="existence",
    location="H4, section 4.1; phi in Figure 1, sections 3.2 and 5",
    says="phi lies between constants 0 < phi_m <= phi(a) <= phi_M for all a > 0, for the phi that the paper uses: the "
    "identity.",
    reading="The constants do not depend on a (if they may, H4 says nothing, and phi_m, phi_M in the theorems have no "
    "value). Judged for phi(x) = x, which Figure 1, section 3.2 and all experiments take.",
    severity="substantive",
    domain=Domain(instance, ({},), "any constants 0 < phi_m <= phi_M, and a = 2 phi_M"),
    hypotheses=(need("0 < phi_m <= phi_M", lambda s: [(s.phi_m, ">", 0), (s.phi_m, "<=", s.phi_M)]),),
    printed=claim_of(printed),
    corrected=claim_of(
        corrected,
        prove=prove,
        domain=Domain(local_steps, grid(T=(1, 2, 4), d=(1, 2)), "T steps of length at most alpha |theta|"),
        given=(
            need("0 <= alpha < 1", lambda s: [(s.alpha, ">=", 0), (s.alpha, "<", 1)]),
            need("steps of length at most alpha |theta|", lambda s: [(s.nb.length(e), "<=", 1) for e in s.along]),
        ),
    ),
    note="So none of the theorems covers the algorithm of the experiments. Across rounds only the upper bound lasts: "
    "the average of layers that moved apart may be 0, and then stays 0.",
)
