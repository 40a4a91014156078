"""LADA Table 9 and C.1: FedLADA's rate against the others."""

from theorems.fedlada.common import LARGE_RATES, LARGE_T
from theorems.vocabulary import *


def third(s: Instance) -> Any:
    """eta eta_l / T at eta eta_l = sqrt(SK/T): the term of Psi that Table 9 writes as T^(-3/2)."""
    return s.nb.sqrt(s.S * s.K / s.T) / s.T


def printed(s: Instance) -> list[Comparison]:
    r"""the third term, with the constant C

    \sqrt{\frac{SK}{T^3}}\le C\frac1{\sqrt{T^3}},\quad\sqrt{\frac{SK}{T^3}}\le C\sqrt{\frac S{KT^3}}
    """
    nb = s.nb
    return [
        that("1/(KT) is within 1/T", 1 / (s.K * s.T)) <= 1 / s.T,
        that("at most C times FedAdam's third term", third(s)) <= s.C * nb.sqrt(s.S / (s.K * s.T**3)),
        that("at most C T^(-3/2), free of S and K", third(s)) <= s.C * nb.sqrt(1 / s.T**3),
    ]


def corrected(s: Instance) -> list[Comparison]:
    r"""as printed for bounded S and K; else the third term is sqrt(SK/T^3), K times FedAdam's sqrt(S/(K T^3))

    \frac{\eta\eta_l}T=\sqrt{\frac{SK}{T^3}}=K\sqrt{\frac S{KT^3}}

    Psi's second term at eta eta_l = sqrt(SK/T), other constants 1, three ways.
    """
    root = s.nb.sqrt
    return [
        that("sqrt(SK/T^3)", third(s)) == root(s.S * s.K / s.T**3),
        that("K times FedAdam's", third(s)) == s.K * root(s.S / (s.K * s.T**3)),
        that("sqrt(SK) times the printed one", third(s)) == root(s.S * s.K) * root(1 / s.T**3),
    ]


def prove() -> None:
    """sympy identity: eta eta_l/T at eta eta_l = sqrt(SK/T): the squares of both sides agree as rational functions of
    S, K and T, all positive. The ratio K is not bounded by any constant that O(.) hides.
    """
    S, K, T = sympy.symbols("S K T", positive=True)
    for sides in corrected(Instance(nb=Instance(sqrt=sympy.sqrt), S=S, K=K, T=T)):
        identity((sides.lhs**2, sides.rhs**2))


STATEMENT = Statement(
    kind="convergence",
    location="Table 9 and C.1",
    says="FedLADA's rate is O(1/sqrt(SKT) + 1/T + T^(-3/2)): as SCAFFOLD's, and without FedAdam's dependence on S in "
    "the third term.",
    reading="Theorem 3.5 at the rates of Corollary 3.6, constants 1, S and K visible as in the other rows of the "
    "table. O(.) hides a constant C that is free of them: K > C local steps refute it.",
    severity="substantive",
    domain=LARGE_RATES,
    hypotheses=(LARGE_T,),
    printed=claim_of(printed),
    corrected=claim_of(corrected, prove=prove),
    note="The paper's last display before the table still has sqrt(SK)/T^(3/2) and SK/T; the line after it drops S "
    "and K. The first two terms are LADA.C36's matter: for S < m FedAvg's sqrt(K/(ST)) stays.",
)
