"""LA (116)-(120): how far the normalised change is from the gradient."""

from theorems.local_adaptivity.common_correction import DEFINITE, shares_of_sum, summands, unit_sum
from theorems.vocabulary import *


def given(cursor: Cursor, K: int, d: int) -> Instance:
    """Assumption 4: symmetric positive definite A_k with sum I; they need not commute."""
    s = unit_sum(cursor, K, d)
    return Instance(nb=cursor.nb, terms=K, d=d, B=s.A, b=s.b)


def of_any_steps(cursor: Cursor, K: int, d: int) -> Instance:
    """A_k = (sum B)^-1 B_k of any B_k > 0: sum I, but not symmetric."""
    s = summands(cursor, K, d)
    return Instance(nb=cursor.nb, terms=K, d=d, B=np.stack(shares_of_sum(s), 1), b=s.b)


def bound(s: Instance) -> list[Comparison]:
    r"""(117)

    \Big\|\sum_kA_kb_k\Big\|^2\le\sum_k\|A_k\|\|b_k\|^2

    b_k stands for grad F_i(x) - grad F_i(x_k); the A_k are in the field B.
    """
    total, right = s.b[:, 0] * 0, s.b[:, 0, 0] * 0
    for k in range(s.terms):
        total = total + (s.B[:, k] @ s.b[:, k][..., None])[..., 0]
        right = right + s.nb.opnorm(s.B[:, k]) * (s.b[:, k] ** 2).sum(axis=-1)
    return [that("(117)", (total**2).sum(axis=-1)) <= right]


def prove() -> None:
    """z3: With sum A_k = I and A_k = A_k' > 0, sum b_k'A_k b_k - |sum A_k b_k|^2 = sum (b_k - m)'A_k (b_k - m) >= 0, m
    = sum A_k b_k (LA.L4: its sharper form is the same here), and b'A_k b <= |A_k| |b|^2: (117). Lipschitz gradients
    give (118), |A_k| <= Lambda/tau gives (119).
    """
    x, y, a, r, N, L, lam, t = reals("x y a r N L lam t")
    smt([0 < a, a < 1], (a * x + (1 - a) * y) ** 2 <= a * x * x + (1 - a) * y * y)
    smt([N >= 0, 0 <= r, r <= L * N, L >= 0], r * r <= L * L * N * N)
    smt([N >= 0, 0 <= a, t >= 1, a * t <= lam], a * N * t <= lam * N)


def _symmetric(s: Instance) -> list[Comparison]:
    entries = [(j, k) for j in range(s.d) for k in range(j)]
    return [that(f"A_{i}", s.B[:, i, j, k]) == s.B[:, i, k, j] for i in range(s.terms) for j, k in entries]


def _unit(s: Instance) -> list[Comparison]:
    total = s.B.sum(axis=1)
    entries = [(j, k) for j in range(s.d) for k in range(s.d)]
    return [that(f"{j}{k}", total[:, j, k]) == total[:, 0, 0] * 0 + int(j == k) for j, k in entries]


STATEMENT = Statement(
    kind="upper bound",
    location="(116) to (120), Appendix F",
    says="|grad F_i(x) - h_i|^2 = |sum A_k [grad F_i(x) - grad F_i(x_k)]|^2 <= sum |A_k| |grad F_i(x) - grad "
    "F_i(x_k)|^2 <= L^2 Lambda/tau sum |x - x_k|^2.",
    reading="Under Assumption 4, and with sum A_k = I from (97). b_k stands for the gradient differences.",
    domain=Domain(given, grid(K=(1, 2, 3, 5), d=(1, 2)), "one to five matrices in d <= 2 that need not commute"),
    hypotheses=(
        Hypothesis("A_k > 0 (Assumption 4)", DEFINITE.holds, role="(97) makes them of B_k > 0"),
        Hypothesis("sum A_k = I", _unit, role="(97)"),
        Hypothesis(
            "A_k symmetric (Assumption 4)",
            _symmetric,
            Domain(of_any_steps, grid(K=(2,), d=(2,)), "A_k = (sum B)^-1 B_k of two B_k > 0 in d = 2"),
        ),
    ),
    printed=claim_of(bound, prove=prove),
    note="Without the symmetry of Assumption 4, which A = (sum B)^-1 B lacks unless B_k commutes with sum B (LA.H4), "
    "it is false.",
)
