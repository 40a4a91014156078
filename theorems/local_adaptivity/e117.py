"""LA (116)-(120): how far the normalised change is from the gradient."""

from theorems.local_adaptivity.common_correction import solve_matrix, summands
from theorems.local_adaptivity.l4 import POSITIVE
from theorems.vocabulary import *


def commuting(cursor: Cursor, K: int, d: int) -> Any:
    """Matrices with one frame: A_k = diag(lam_k / sum lam), symmetric, with sum I; b_k gradient differences."""
    s = summands(cursor, K, d)
    entries = [[s.lam[..., a] if a == b else s.lam[..., 0] * 0 for b in range(d)] for a in range(d)]
    s.B = np.stack([np.stack(row, -1) for row in entries], -2)
    return s


def bound(s: Instance) -> list[Comparison]:
    S = s.B.sum(axis=1)
    total, right = s.b[:, 0] * 0, s.b[:, 0, 0] * 0
    for k in range(s.terms):
        A = solve_matrix(s.nb, S, s.B[:, k])
        total = total + (A @ s.b[:, k][..., None])[..., 0]
        right = right + s.nb.opnorm(A) * (s.b[:, k] ** 2).sum(axis=-1)
    return [that("(117)", (total**2).sum(axis=-1)) <= right]


def prove() -> Proof:
    a, x, y, r, N, L, lam, t = reals("a x y r N L lam t")
    smt([0 < a, a < 1], (a * x + (1 - a) * y) ** 2 <= a * x * x + (1 - a) * y * y)
    smt([N >= 0, 0 <= r, r <= L * N, L >= 0], r * r <= L * L * N * N)
    smt([N >= 0, 0 <= a, t >= 1, a * t <= lam], a * N * t <= lam * N)
    return Proof(
        "z3",
        "Lemma 4 with A_s = I (LA.L4: its sharper form is the same here) gives (117); Lipschitz gradients (118); "
        "|A_k| <= Lambda/tau (119).",
    )


STATEMENT = Statement(
    kind="upper bound",
    location="(116) to (120), Appendix F",
    says="|grad F_i(x) - h_i|^2 = |sum A_k [grad F_i(x) - grad F_i(x_k)]|^2 <= sum |A_k| |grad F_i(x) - grad "
    "F_i(x_k)|^2 <= L^2 Lambda/tau sum |x - x_k|^2.",
    reading="Under Assumption 4: the A_k are symmetric positive definite with sum I. b_k stands for the gradient "
    "differences.",
    domain=Domain(commuting, grid(K=(1, 2, 3, 5), d=(1, 2)), "one to five commuting matrices in d <= 2"),
    hypotheses=POSITIVE,
    printed=Claim("(117)", r"\Big\|\sum_kA_kb_k\Big\|^2\le\sum_k\|A_k\|\|b_k\|^2", bound, prove),
    steps=(
        Step(
            "(117) without Assumption 4's symmetry",
            Claim(
                "(117) for A_k = (sum B)^-1 B_k of (97), any B",
                r"A_k=(\sum_jB_j)^{-1}B_k",
                bound,
                domain=Domain(summands, grid(K=(2,), d=(2,)), "two matrices in d = 2 that need not commute"),
                given=POSITIVE,
            ),
            "assume that the B_k commute, or use the metric of sum B",
        ),
    ),
    note="The step shows that Assumption 4's symmetry is needed, which A = (sum B)^-1 B lacks in general (LA.H4).",
)
