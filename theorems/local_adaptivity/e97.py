"""LA (97): the normalised local change is a weighted mean of gradients."""

from theorems.local_adaptivity.common import matrices, noncommutative
from theorems.local_adaptivity.common_correction import DEFINITE, shares_of_sum, summands
from theorems.vocabulary import *


def printed(s: Instance) -> list[Comparison]:
    r"""(97)

    h=\sum_kA^{(k)}\nabla F(x^{(k)}),\ \sum_kA^{(k)}=I

    b_k stands for grad F(x^(k)).
    """
    S = s.B.sum(axis=1)
    A = shares_of_sum(s)
    change = sum((s.B[:, k] @ s.b[:, k][..., None])[..., 0] for k in range(s.terms))
    mean = sum((A[k] @ s.b[:, k][..., None])[..., 0] for k in range(s.terms))
    normalised, total = s.nb.solve(S, change), sum(A)
    return [
        *(that(f"h entry {k}", normalised[:, k]) == mean[:, k] for k in range(s.d)),
        *(
            that(f"sum A, entry {j}{k}", total[:, j, k]) == S[:, 0, 0] * 0 + int(j == k)
            for j in range(s.d)
            for k in range(s.d)
        ),
    ]


def prove() -> None:
    """sympy (symbols that do not commute): Matrix multiplication distributes; sum A = (sum B)^-1 sum B = I."""
    S, B, C, g, h = matrices("S B C g h")  # S stands for (B + C)^-1
    noncommutative((S * (B * g + C * h), (S * B) * g + (S * C) * h), (S * B + S * C, S * (B + C)))


STATEMENT = Statement(
    kind="identity",
    location="(96), (97), Appendix F",
    says="h = (sum B)^-1 sum_k B^(k) grad F(x^(k)) = sum_k A^(k) grad F(x^(k)) with A^(k) = (sum B)^-1 B^(k) and sum "
    "A = I.",
    reading="The fraction is the inverse from the left. h is (sum B)^-1 (x - A(x)) / eta: the rate is divided out, "
    "as by the N_i of section 5 and not by that of Algorithm 1, which leaves h eta.",
    domain=Domain(summands, grid(K=(1, 2, 3), d=(1, 2)), "one to three matrices in d <= 2"),
    hypotheses=(DEFINITE,),
    printed=claim_of(printed, prove=prove),
    note="A^(k) is not symmetric unless the B commute, which Assumption 4 asks for: LA.H4.",
)
