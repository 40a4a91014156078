"""LAMB Theorem 2 (Corollary 5.2 of Chen et al. 2020, as restated): the rate of Fed-AMS."""

from theorems.fedlamb.common import need
from theorems.vocabulary import *


def instance(cursor: Cursor, C: int, B: int) -> Instance:
    """n = q^4 equal clients a/2 x^2, a = 1 or a = 1/2, T = 1, from x_0 = 1; R = B sqrt(n) rounds; v-hat = 1 for ever.

    ``s``: the rate, chosen from n, R and T, in [0, 2]: one that suits both clients does not exist.
    """
    q = 100 * C * B
    return Instance(nb=cursor.nb, C=C, B=B, q=q, n=q**4, R=B * q * q, s=2 * cursor.take())


def first_rounds(s: Instance) -> Any:
    """The larger one of |f'(x_1)|^2 over the two problems."""
    return s.nb.maximum((1 - s.s) ** 2, (1 - s.s / 2) ** 2 / 4)


def printed(s: Instance) -> list[Comparison]:
    rate = 1 / (s.s * 0 + s.q**3) / s.nb.sqrt(s.s * 0 + s.B)  # 1/sqrt(n R) = 1/(q^3 sqrt B)
    return [Comparison("worst of two problems", first_rounds(s) / s.R, "<=", s.C * rate)]


def corrected(s: Instance) -> list[Comparison]:
    """One round of SGD in d = 1 from |f'| <= 1 cannot do without R >= n / (25 C)^2."""
    return [Comparison("worst of two problems", first_rounds(s), ">=", s.nb.number(1) / 25 + s.s * 0)]


def prove() -> Proof:
    s = reals("s")
    smt([s >= 0], either(25 * (1 - s) * (1 - s) >= 1, 25 * (2 - s) * (2 - s) >= 16))
    C, R, n, root = reals("C R n root")
    smt([C > 0, R > 0, n > 0, root > 0, root * root == n * R, 25 * C * R >= root], 625 * C * C * R >= n)
    return Proof(
        "z3",
        "Whatever the rate, the first round leaves |f'(x_1)|^2 >= 1/25 in one of the two problems, so the average "
        "over R rounds is at least 1/(25 R); C/sqrt(n R) is at least that only if R >= n/(25 C)^2.",
    )


STATEMENT = Statement(
    id="LAMB.T2",
    kind="convergence",
    location="Theorem 2, section 4.2 (Corollary 5.2 of Chen et al. 2020)",
    says="With a properly chosen rate and R >= O(T^3 sqrt n) rounds Fed-AMS has an average of |grad f/sqrt v|^2 of "
    "O(sqrt p/sqrt(n R)).",
    reading="As restated here: O(.) hide constants C (of the rate) and B (R = B T^3 sqrt n); the rate may depend on "
    "n, R, T and p, not on the losses. Exact gradients, T = 1, p = 1, v-hat = 1 >= g^2.",
    severity="missing-hypothesis",
    domain=Domain(instance, grid(C=(1, 10, 1000), B=(1, 4, 100)), "n = (100 B C)^4 equal clients, R = B sqrt n rounds"),
    hypotheses=(need("0 <= rate <= 2", lambda s: [(s.s, ">=", 0), (s.s, "<=", 2)]),),
    printed=Claim(
        "the average over R = B sqrt(n) rounds is at most C/sqrt(n R), in both problems",
        r"\frac1R\sum_r\Big\|\frac{\nabla f(\bar\theta_r)}{\sqrt{v_r}}\Big\|^2\le\frac{C\sqrt p}{\sqrt{nR}}",
        printed,
    ),
    corrected=Claim(
        "R >= n/(25 C)^2 is necessary as well: the first round alone leaves 1/25",
        r"\max\{(1-s)^2,\tfrac14(1-\tfrac s2)^2\}\ge\tfrac1{25}",
        corrected,
        prove,
    ),
    note="The condition under which the rate can hold is R >= max(T^3 sqrt n, n) up to constants; for n <= R section "
    "4.2's comparison of the conditions stands (LAMB.D1). Corollary 1 has no such condition and needs it, too.",
)
