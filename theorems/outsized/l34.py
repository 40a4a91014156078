"""OLR Lemma 34: quotients at most c add up to a quotient at most c."""

from theorems.bridges import sums
from theorems.vocabulary import *


def decode(cursor: Cursor, n: int) -> Instance:
    """b_k > 0, c > 0 and a_k = c b_k t_k with 0 < t_k <= 1."""
    tiny = 10**6
    b = [(1 + tiny * u) / tiny for u in cursor.many(n)]
    c = (1 + tiny * cursor.take()) / 1000
    a = [c * y * (1 + tiny * (1 - u)) / (1 + tiny) for y, u in zip(b, cursor.many(n), strict=True)]
    return Instance(nb=cursor.nb, a=a, b=b, c=c, n=n)


def derive(proof: Derivation, s: Instance) -> None:
    """a_i <= c b_i, added up."""
    S, B, c, b = reals("S B c b")
    for y in s.b:
        proof.leaf("b_i >= 0", [b > 0], 0 * b <= b, b=y)
    first, second = np.stack(s.a, -1), np.stack(s.b, -1)
    proof.cross(sums, "the sums", low=first, high=s.c[..., None] * second)
    rest = np.stack([s.b[0] * 0, *s.b[1:]], -1)
    proof.leaf("0 <= 0", [], 0 * c <= 0 * c, c=s.c)
    proof.cross(sums, "the other b_i", low=rest * 0, high=rest)
    proof.leaf("the sum of the b_i is positive", [b > 0, B >= 0], 0 < b + B, b=s.b[0], B=rest.sum(axis=-1))
    proof.leaf("divided", [S <= c * B, B > 0], S / B <= c, S=first.sum(axis=-1), B=second.sum(axis=-1), c=s.c)


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
        Hypothesis(
            "a_i, b_i > 0", lambda s: [that(x) > x * 0 for x in (*s.a, *s.b)], role="quotients of positive numbers"
        ),
    ),
    printed=Claim(
        "the quotient of the sums is at most c",
        r"\frac{a_1+\dots+a_n}{b_1+\dots+b_n}\le c",
        lambda s: [that("quotient", sum(s.a) / sum(s.b)) <= s.c],
        derive=derive,
    ),
)
