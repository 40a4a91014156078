"""DA (49): the distance of FedDA's momentum from the centralized one, and the matrix Abar."""

from theorems.bridges import inner_products
from theorems.fedda.common import BETA
from theorems.fedda.common_state import dot, gradients_at, states
from theorems.vocabulary import *


def compare(s: Instance) -> list[Comparison]:
    r"""both rows

    \frac d{d\tau}\begin{pmatrix}\|\bar m-m\|\\\|\bar W-W\|\end{pmatrix}%
      \le\begin{pmatrix}-(1-\beta)/\eta&0\\1&0\end{pmatrix}\begin{pmatrix}\|\bar m-m\|\\\|\bar W-W\|\end{pmatrix}%
      +\frac{1-\beta}\eta\begin{pmatrix}\|\sum_i\frac{N_i}N(g^i(\bar W^i)-g^i(W))\|\\0\end{pmatrix}

    Both rows times the norm differentiated, (1 - beta) |D|^2 added to the first; mbar = v, Wbar the first y.
    """
    nb, D, E = s.p.nb, s.v - s.m, s.y[..., 0, :] - s.x
    off = s.p.mean(gradients_at(s.p, s.y) - gradients_at(s.p, s.x[..., None, :] + 0 * s.y))
    size, shift = nb.length(D), nb.length(E)
    return [
        that("first row", (1 - s.beta) * dot(D, off)) <= (1 - s.beta) * size * nb.length(off),
        that("second row", dot(E, -D)) <= shift * size,
    ]


def derive(proof: Derivation, s: Instance) -> None:
    """As (42) and (43): Cauchy-Schwarz on (48) (with its sign corrected) and on (Wbar - W)' = -(mbar - m)."""
    nb, D, E = s.p.nb, s.v - s.m, s.y[..., 0, :] - s.x
    off = s.p.mean(gradients_at(s.p, s.y) - gradients_at(s.p, s.x[..., None, :] + 0 * s.y))
    X, Y, b = reals("X Y beta")
    proof.cross(inner_products, "first row", nb=nb, u=D, v=off)
    proof.leaf("times 1 - beta", [X <= Y, b < 1], (1 - b) * X <= (1 - b) * Y, X=dot(D, off),
               Y=nb.length(D) * nb.length(off), beta=s.beta)  # fmt: skip
    proof.cross(inner_products, "second row", nb=nb, u=E, v=-D)


def prove_spectrum() -> None:
    """sympy and z3: exp(Abar t) = [[e, 0], [(1 - e)/k, 1]] with e = exp(-kt): its entries are at most 1, 1/k, 1."""
    k, t = sympy.symbols("k t", positive=True)
    Abar = sympy.Matrix([[-k, 0], [1, 0]])
    assert set(Abar.eigenvals()) == {0, -k}, Abar.eigenvals()
    flow = sympy.Matrix([[sympy.exp(-k * t), 0], [(1 - sympy.exp(-k * t)) / k, 1]])
    assert (flow.diff(t) - Abar * flow).applyfunc(sympy.simplify) == sympy.zeros(2, 2), "not the flow"
    e, rate = reals("e rate")  # exp(-kt) = e in (0, 1]
    smt([0 < e, e <= 1, rate > 0], e + (1 - e) / rate + 1 <= 2 + 1 / rate)


STATEMENT = Statement(
    kind="upper bound",
    location="(49), appendix A.3",
    says="(|mbar - m|, |Wbar - W|)' <= Abar (|mbar - m|, |Wbar - W|) + (1 - beta) (|sum p_i (g^i(Wbar^i) - "
    "g^i(W))|/eta, 0).",
    reading="Upper derivatives where a norm is 0; row by row.",
    domain=states(),
    hypotheses=(BETA,),
    printed=claim_of(compare, derive=derive),
    steps=(
        Step(
            "Abar has eigenvalues 0 and -(1 - beta)/eta, and exp(Abar t) is bounded",
            Claim(
                "the entries of exp(Abar t) are at most 1, 1/k and 1 with k = (1 - beta)/eta",
                r"\|e^{\bar At}\|\le C_{\bar A}",
                None,
                prove_spectrum,
            ),
        ),
    ),
    note="The bound C_Abar is about 1 + eta/(1 - beta): it depends on the rate.",
)
