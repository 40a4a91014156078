"""LADA Lemma B.6: the second moment of a sum of zero-mean variables."""

from itertools import product

from theorems.fedlada.common import boxed
from theorems.vocabulary import *


def compare(s: Instance) -> list[Comparison]:
    r"""the identity

    \mathbb E\|\sum_ix_i\|^2=\mathbb E\sum_i\|x_i\|^2

    x_1 = p e_1, x_2 = q e_2 with signs e of mean zero that agree with probability a.
    """
    together = s.a * (s.p + s.q) ** 2 + (1 - s.a) * (s.p - s.q) ** 2
    return [that(together) == s.p**2 + s.q**2]


def martingale(s: Instance) -> list[Comparison]:
    r"""for a sequence whose members have mean zero given the earlier ones (or are uncorrelated)

    \mathbb E[x_i\mid x_1,\dots,x_{i-1}]=0\Rightarrow\mathbb E\|\sum_ix_i\|^2=\mathbb E\sum_i\|x_i\|^2

    Three members; after each past one of its own size: size (1 - w) with probability w, else -size w.
    """
    together, apart = [], []
    for path in product((0, 1), repeat=3):
        chance, members = s.w[0] * 0 + 1, []
        for k, up in enumerate(path):
            size, w = s.size[2**k - 1 + int("0" + "".join(map(str, path[:k])), 2)], s.w[k]
            members.append(size * (1 - w) if up else -size * w)
            chance = chance * (w if up else 1 - w)
        together.append(chance * sum(members) ** 2)
        apart.append(chance * sum(x * x for x in members))
    return [that(sum(together)) == sum(apart)]


def prove() -> Proof:
    S, x, q, mass, mean, square = sympy.symbols("S x q mass mean square")

    def moment(mass: Scalar, mean: Scalar, square: Scalar) -> Any:
        """sum_j q_j (S + x_j)^2 by the sums of q_j, q_j x_j and q_j x_j^2."""
        return mass * S**2 + 2 * S * mean + square

    identity((moment(0, 0, 0), 0))  # no value of x yet; then one more
    identity((moment(mass, mean, square) + q * (S + x) ** 2, moment(mass + q, mean + q * x, square + q * x**2)))
    identity((moment(1, 0, square), S**2 + square))  # probabilities, and mean zero
    P, E_S, E_x = sympy.symbols("P E_S E_x")  # one more past of chance P
    identity((E_S + E_x + P * moment(1, 0, square), (E_S + P * S**2) + (E_x + P * square)))
    E_SS, E_Sx, E_xx, E_yx = sympy.symbols("E_SS E_Sx E_xx E_yx")  # uncorrelated: E[S x] = 0 stays 0 as S grows by y
    identity(((E_SS + 2 * E_Sx + E_xx).subs(E_Sx, 0), E_SS + E_xx), ((E_Sx + E_yx).subs({E_Sx: 0, E_yx: 0}), 0))
    return Proof(
        "sympy identity",
        "Given the past, sum_j q_j (S + x_j)^2 = S^2 + sum_j q_j x_j^2 for any number of values x_j with mean zero "
        "(induction on the values); summed over the pasts E|S + x|^2 = E|S|^2 + E|x|^2 (induction on the pasts), and "
        "so for n members (induction on n), coordinate by coordinate. Members that are only uncorrelated have "
        "E[S x] = sum_i E[x_i x] = 0, and (S + x)^2 = S^2 + 2 S x + x^2 gives the same. Sums over values stand for "
        "integrals, which are as linear.",
    )


STATEMENT = Statement(
    kind="identity",
    location="Lemma B.6, appendix B.1",
    says="E|x_1 + ... + x_n|^2 = E[|x_1|^2 + ... + |x_n|^2] for a zero-mean sequence.",
    reading="Zero mean is all that the lemma asks for.",
    severity="missing-hypothesis",
    domain=boxed("two random signs with chosen correlation, times p and q", p=(0, 1), q=(0, 1), a=(0, 1)),
    printed=claim_of(compare),
    corrected=claim_of(
        martingale,
        prove=prove,
        domain=boxed("martingale differences: three members that depend on the past", size=(-1, 1, 7), w=(0, 1, 3)),
    ),
    note="The proof writes E[x_i x_k] = E[x_i] E[x_k]. Where the lemma is used (LADA.M) the paper names the "
    "conditional form.",
)
