"""LA Lemma 4: a weighted Cauchy-Schwarz inequality for positive definite matrices."""

from theorems.local_adaptivity.common import between
from theorems.local_adaptivity.common_correction import quadratic_form, solve_matrix, summands
from theorems.vocabulary import *


def _sizes(s: Instance) -> tuple[Any, Any, Any, Any]:
    S, zero = s.B.sum(axis=1), s.b[:, 0] * 0
    total, bound = zero, zero[:, 0]
    for k in range(s.terms):
        total = total + (s.B[:, k] @ s.b[:, k][..., None])[..., 0]
        bound = bound + s.nb.largest(s.nb.abs(s.lam[:, k])) * (s.b[:, k] ** 2).sum(axis=-1)
    spectrum = s.nb.eigenvalues(S)
    return (total**2).sum(axis=-1), bound, spectrum[..., 0], spectrum[..., -1]


def printed(s: Instance) -> list[Comparison]:
    r"""the bound, and without the condition number of A_s

    \Big\|\sum_kA_kb_k\Big\|^2\le\|A_s\|\sum_k\|A_k\|\|b_k\|^2\le\|A_s\|^2\|A_s^{-1}\|\sum_k\|A_k\|\|b_k\|^2
    """
    square, bound, low, high = _sizes(s)
    return [that("Lemma 4", square) <= high**2 / low * bound, that("sharper", square) <= high * bound]


def jensen(s: Instance) -> list[Comparison]:
    r"""|b_mean|^2 <= sum b_k^T A~_k b_k

    \|\bar b\|^2\le\sum_kb_k^\top\tilde A_kb_k

    (107): |b_mean|^2 <= sum b_k^T A~_k b_k, with A~_k = A_s^-1 A_k and b_mean = sum A~_k b_k.
    """
    S, mean, right = s.B.sum(axis=1), s.b[:, 0] * 0, s.b[:, 0, 0] * 0
    for k in range(s.terms):
        tilde = solve_matrix(s.nb, S, s.B[:, k])
        mean = mean + (tilde @ s.b[:, k][..., None])[..., 0]
        right = right + quadratic_form(s.b[:, k], tilde, s.b[:, k])
    return [that("(107)", (mean**2).sum(axis=-1)) <= right]


def symmetric(s: Instance) -> list[Comparison]:
    r"""A~_k = A_s^-1 A_k equals its transpose

    v_k^\top\tilde A_k\bar b=v_k^\top\tilde A_k^\top\bar b
    """
    tilde = solve_matrix(s.nb, s.B.sum(axis=1), s.B[:, 0])
    return [that("(106): A~_k is symmetric", tilde[:, 0, -1]) == tilde[:, -1, 0]]


def prove() -> None:
    """z3: Not as printed. With B = [A_1^(1/2) ... A_K^(1/2)] and u_k = A_k^(1/2) b_k: sum A_k b_k = B u, B B^T = A_s,
    so |B u|^2 <= |A_s| |u|^2 (a matrix and its transpose have one norm), and |u|^2 = sum b_k^T A_k b_k <= sum |A_k|
    |b_k|^2. The printed factor is |A_s| times the condition number of A_s, at least 1.
    """
    a, c, x, y, low, high, r = reals("a c x y low high r")
    # |B u|^2 <= |B B^T| |u|^2 in two coordinates: u = (sqrt a x, sqrt c y), B = (sqrt a, sqrt c).
    smt([a > 0, c > 0], (a * x + c * y) ** 2 <= (a + c) * (a * x * x + c * y * y))
    smt([0 < low, low <= high, r >= 0], high * r <= high * high / low * r)


POSITIVE = (
    between(
        "A_k > 0",
        lambda s: s.lam.reshape(len(s.lam), -1),
        0,
        without=Domain(
            lambda c, K, d: summands(c, K, d, True), grid(K=(2,), d=(1,)), "two numbers of any sign in d = 1"
        ),
    ),
)
DOMAIN = Domain(summands, grid(K=(1, 2, 3, 5), d=(1, 2)), "one to five positive definite matrices in d <= 2")

STATEMENT = Statement(
    kind="upper bound",
    location="Lemma 4, Appendix F",
    says="For symmetric positive definite A_k with sum A_s: |sum A_k b_k|^2 <= |A_s|^2 |A_s^-1| sum |A_k| |b_k|^2.",
    reading="Operator norms.",
    domain=DOMAIN,
    hypotheses=POSITIVE,
    printed=claim_of(printed, prove=prove),
    steps=(
        Step(
            "(106)",
            claim_of(symmetric, domain=Domain(summands, grid(K=(2,), d=(2,)), "two matrices in d = 2"), given=POSITIVE),
            "work in the metric of A_s, where A~_k is symmetric",
        ),
        Step(
            "(107)",
            claim_of(
                jensen,
                domain=Domain(summands, grid(K=(2, 3), d=(2,)), "two or three matrices in d = 2"),
                given=POSITIVE,
            ),
            "b_mean^T A_s b_mean <= sum b_k^T A_k b_k",
        ),
    ),
    note="True, and stronger than printed: the factor |A_s| |A_s^-1| can go. The printed proof holds only for "
    "matrices that commute (diagonal ones, say).",
)
