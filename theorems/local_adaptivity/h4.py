"""LA Assumption 4: the normalised matrices of (97) are symmetric and positive definite."""

from theorems.local_adaptivity.common import between
from theorems.local_adaptivity.common_correction import solve_matrix, summands
from theorems.vocabulary import *


def printed(s: Instance) -> list[Comparison]:
    """A_1 = (sum B)^-1 B_1."""
    A = solve_matrix(s.nb, s.B.sum(axis=1), s.B[:, 0])
    return [that("symmetric", A[:, 0, -1]) == A[:, -1, 0], that("norm at most 1", s.nb.opnorm(A)) <= A[:, 0, 0] * 0 + 1]


def diagonal(cursor: Any, K: int, d: int) -> Any:
    """The same, with every frame set to the identity."""
    s = summands(cursor, K, d)
    entries = [[s.lam[..., a] if a == b else s.lam[..., 0] * 0 for b in range(d)] for a in range(d)]
    s.B = np.stack([np.stack(row, -1) for row in entries], -2)
    return s


def prove() -> None:
    """z3: Diagonal matrices commute: A_k is diagonal with entries B_k/(sum B) in (0, 1], entry by entry."""
    a, b = reals("a b")
    smt([a > 0, b >= 0], both(a / (a + b) > 0, a / (a + b) <= 1))  # b: the sum of the others, 0 for one matrix


STATEMENT = Statement(
    kind="spectrum",
    location="Assumption 4 with (97), Appendix F",
    says="With symmetric positive definite B^(k), the matrices A^(k) = B^(k) / sum B of (97) can be assumed "
    "symmetric and positive definite (so of norm at most 1).",
    reading="B / sum B is (sum B)^-1 B, as (97) writes it.",
    severity="missing-hypothesis",
    domain=Domain(summands, grid(K=(1, 2), d=(1, 2)), "one or two matrices in d <= 2"),
    hypotheses=(
        between("B_k > 0", lambda s: s.lam[:, :, 0], 0),
        between("B_k > 0, last eigenvalue", lambda s: s.lam[:, :, -1], 0),
    ),
    printed=Claim("A_1 is symmetric with norm at most 1", r"A_k=(\sum_jB_j)^{-1}B_k=A_k^\top,\ \|A_k\|\le1", printed),
    corrected=Claim(
        "for diagonal B^(k), or B^(k) that commute",
        r"B_jB_k=B_kB_j",
        printed,
        prove,
        Domain(diagonal, grid(K=(1, 2, 3), d=(1, 2)), "diagonal matrices"),
    ),
    note="So Theorem 3 is about diagonal (or commuting) preconditioners. Lambda >= 1 always, as the A^(k) sum to I.",
)
