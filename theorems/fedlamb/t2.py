"""LAMB Theorem 2 (Corollary 5.2 of Chen et al. 2020, as restated): the rate of Fed-AMS."""

from theorems.fedlamb.common import need
from theorems.vocabulary import *


def instance(cursor: Cursor, C: int, B: int) -> Instance:
    """n = q^4 equal clients x^2/2 + y^2/4, T = 1, from (1, 1); R = B sqrt(n) rounds; v-hat = 1 >= g^2 for ever.

    ``rate``: of the first round, in [0, 2]: one that suits both coordinates does not exist.
    """
    q = 100 * C * B
    return Instance(nb=cursor.nb, C=C, B=B, q=q, n=q**4, R=B * q * q, rate=2 * cursor.take())


def after_a_round(s: Instance) -> Any:
    """|grad f|^2 after the first round."""
    return (1 - s.rate) ** 2 + (1 - s.rate / 2) ** 2 / 4


def printed(s: Instance) -> list[Comparison]:
    r"""the average over R = B sqrt(n) rounds is at most C/sqrt(n R) (p = 2 is a constant here)

    \frac1R\sum_r\Big\|\frac{\nabla f(\bar\theta_r)}{\sqrt{v_r}}\Big\|^2\le\frac{C\sqrt p}{\sqrt{nR}}
    """
    bound = 1 / (s.rate * 0 + s.q**3) / s.nb.sqrt(s.rate * 0 + s.B)  # 1/sqrt(n R) = 1/(q^3 sqrt B)
    return [that("the first round's share of the average", after_a_round(s) / s.R) <= s.C * bound]


def corrected(s: Instance) -> list[Comparison]:
    r"""R >= n/(17 C)^2 is necessary as well, for the first round alone leaves |grad f|^2 >= 1/17, whatever the rate;
    for n <= R nothing here speaks against the restated theorem

    (1-s)^2+\tfrac14(1-\tfrac s2)^2\ge\tfrac1{17},\quad\frac1{17R}\le\frac C{\sqrt{nR}}\iff R\ge\frac n{(17C)^2}
    """
    return [that("after the first round", after_a_round(s)) >= s.rate * 0 + s.nb.number(Fraction(1, 17))]


def derive(proof: Derivation, s: Instance) -> None:
    r = reals("rate")
    square = (1 - r) * (1 - r) + (1 - r / 2) * (1 - r / 2) / 4
    proof.leaf("17 (rate - 18/17)^2 >= 0", [], square >= Fraction(1, 17), rate=s.rate)


STATEMENT = Statement(
    kind="convergence",
    location="Theorem 2, section 4.2 (Corollary 5.2 of Chen et al. 2020)",
    says="With a properly chosen rate and R >= O(T^3 sqrt n) rounds Fed-AMS has an average of |grad f/sqrt v|^2 of "
    "O(sqrt p/sqrt(n R)).",
    reading="As restated here: O(.) hide constants C (of the rate) and B (R = B T^3 sqrt n). Whatever the rate, n = "
    "(100 B C)^4 equal clients with exact gradients refute both constants. T = 1, p = 2.",
    severity="missing-hypothesis",
    domain=Domain(instance, grid(C=(1, 10, 1000), B=(1, 4, 100)), "n = (100 B C)^4 equal clients, R = B sqrt n rounds"),
    hypotheses=(need("rate >= 0", lambda s: [(s.rate, ">=", 0)]),),
    printed=claim_of(printed),
    corrected=claim_of(corrected, derive=derive),
    note="The condition under which the rate can hold is R >= max(T^3 sqrt n, n) up to constants; for n <= R section "
    "4.2's comparison of the conditions stands (LAMB.D1). Corollary 1 has no such condition and needs it, too.",
)
