"""LA Assumption 4 (ours): when the normalised matrices of (97) are symmetric and positive definite."""

from theorems.local_adaptivity.common import matrices, noncommutative
from theorems.local_adaptivity.common_correction import DEFINITE, shares_of_sum, summands, unit_sum
from theorems.vocabulary import *


def scaled_units(cursor: Cursor, K: int, d: int, any_sum: bool) -> Instance:
    """Any B_k > 0; or, of B_k that commute with their sum though not with each other, C_k with sum I times a number."""
    if any_sum:
        return summands(cursor, K, d)
    s = unit_sum(cursor, K, d)
    s.B = s.A * (1 + cursor.take())[:, None, None, None]
    return s


def printed(s: Instance) -> list[Comparison]:
    r"""A^(k) is as far from symmetric as B^(k) is from commuting with sum B; where it commutes, |A^(k)| <= 1

    \Big(\sum_jB_j\Big)(A_k-A_k^\top)\Big(\sum_jB_j\Big)=B_k\sum_jB_j-\sum_jB_jB_k

    (sum B) (A_1 - A_1') (sum B) = B_1 (sum B) - (sum B) B_1; and where it is 0, the norm.
    """
    S, B, A = s.B.sum(axis=1), s.B[:, 0], shares_of_sum(s)[0]
    skew = S @ (A - np.swapaxes(A, -1, -2)) @ S
    entries = [(j, k) for j in range(s.d) for k in range(j)]
    gaps = [that(f"gap {j}{k}", skew[:, j, k]) == (B @ S - S @ B)[:, j, k] for j, k in entries]
    # norm at most 1 where B_1 commutes with sum B: always in d = 1, and where the sum is a multiple of I
    commutes = s.d == 1 or "A" in vars(s)
    norm = s.nb.opnorm(A)
    return [*gaps, that("norm at most 1", norm if commutes else norm * 0) <= A[:, 0, 0] * 0 + 1]


def prove() -> None:
    """sympy (symbols that do not commute) and z3: With S = sum B: S (A_k - A_k') S = B_k S - S B_k, so A_k is symmetric
    exactly if B_k commutes with S. Then they have a common eigenbasis, where A_k has the eigenvalues a/(a + b), a > 0
    of B_k, b >= 0 of S - B_k, which is positive semidefinite.
    """
    S, B, T = matrices("S B T")  # T = S^-1: S (T B - B T) S = B S - S B
    left = sympy.expand(S * (T * B - B * T) * S)
    identity_on_inverse(left, B * S - S * B, S, T)
    a, b = reals("a b")
    smt([a > 0, b >= 0], both(a / (a + b) > 0, a / (a + b) <= 1))  # eigenvalues in a common eigenbasis of B_k and sum B


def identity_on_inverse(left: Any, right: Any, S: Any, T: Any) -> None:
    noncommutative((sympy.expand(left.subs(S * T, 1).subs(T * S, 1)), right))


STATEMENT = Statement(
    kind="spectrum",
    location="not in the paper: about Assumption 4 with (97), Appendix F",
    says="Of symmetric positive definite B^(k), A^(k) = (sum B)^-1 B^(k) of (97) is symmetric, as Assumption 4 has it, "
    "exactly if B^(k) commutes with sum B; it is then positive definite, of norm at most 1.",
    domain=Domain(
        scaled_units,
        grid(K=(1, 2, 3), d=(1, 2), any_sum=(True, False)),
        "up to three matrices in d <= 2: any, and some that commute with their sum and not with each other",
    ),
    hypotheses=(DEFINITE,),
    printed=claim_of(printed, prove=prove),
    note="So Theorem 3 is about preconditioners that commute with the sum of a round's, such as the diagonal ones of "
    "AdaGrad and Adam. Lambda >= 1 always, as the A^(k) sum to I.",
)
