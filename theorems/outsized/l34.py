"""OLR Lemma 34: quotients at most c add up to a quotient at most c."""

from theorems.vocabulary import *


def decode(cursor: Cursor, n: int) -> Instance:
    """b_k > 0, c > 0 and a_k = c b_k t_k with 0 < t_k <= 1."""
    tiny = 10**6
    b = [(1 + tiny * u) / tiny for u in cursor.many(n)]
    c = (1 + tiny * cursor.take()) / 1000
    a = [c * y * (1 + tiny * (1 - u)) / (1 + tiny) for y, u in zip(b, cursor.many(n), strict=True)]
    return Instance(nb=cursor.nb, a=a, b=b, c=c, n=n)


def prove() -> None:
    """z3: Induction on n with the sums A <= c B so far: A + a <= c (B + b) over all positive reals. That is the case n
    = 2, which the printed induction uses before it has shown it.

    A <= c B for the first n - 1 and a <= c b for the last: the step from n - 1 to n.
    """
    A, B, a, b, c = reals("A B a b c")
    smt([A > 0, B > 0, a > 0, b > 0, A <= c * B, a <= c * b], (A + a) <= c * (B + b))


STATEMENT = Statement(
    kind="upper bound",
    location="Lemma 34, appendix B.3.6",
    says="If a_i / b_i <= c for positive a_i, b_i, then (a_1 + ... + a_n) / (b_1 + ... + b_n) <= c.",
    note="True. The printed induction starts at n = 1 and applies its hypothesis to two quotients, so the case n = 2 "
    "rests on itself; a <= c b added up is the whole proof. Lemma 35 uses it at gamma = 1/L with a_i = 0, where it "
    "holds as well.",
    domain=Domain(decode, grid(n=(1, 2, 3, 5, 10)), "n positive pairs"),
    hypotheses=(
        Hypothesis(
            "a_i / b_i <= c",
            lambda s: [that(f"{k}", x) <= s.c * y for k, (x, y) in enumerate(zip(s.a, s.b, strict=True), start=1)],
        ),
    ),
    printed=Claim(
        "the quotient of the sums is at most c",
        r"\frac{a_1+\dots+a_n}{b_1+\dots+b_n}\le c",
        lambda s: [that("quotient", sum(s.a) / sum(s.b)) <= s.c],
        prove,
    ),
)
