"""LADA Table 9 and C.1: FedLADA's rate against the others."""

from theorems.fedlada.common import LARGE_T, boxed
from theorems.vocabulary import *


def third(s: Instance) -> Any:
    """eta eta_l / T at eta eta_l = sqrt(SK/T): the term of Psi that Table 9 writes as T^(-3/2)."""
    return s.nb.sqrt(s.S * s.K / s.T) / s.T


def printed(s: Instance) -> list[Comparison]:
    r"""the third term

    O\Big(\frac1{\sqrt{SKT}}+\frac1T+\frac1{\sqrt{T^3}}\Big)
    """
    nb = s.nb
    return [
        that("1/(KT) is within 1/T", 1 / (s.K * s.T)) <= 1 / s.T,
        that("no larger than FedAdam's third term", third(s)) <= nb.sqrt(s.S / (s.K * s.T**3)),
        that("free of S and K", third(s)) <= nb.sqrt(1 / s.T**3),
    ]


def corrected(s: Instance) -> list[Comparison]:
    r"""the third term is sqrt(SK/T^3), K times FedAdam's sqrt(S/(K T^3))

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
    "table.",
    severity="substantive",
    domain=boxed("S, K >= 1, T from 1e6 on", S=(1, 20), K=(1, 50), T=(10**6, 10**10)),
    hypotheses=(LARGE_T,),
    printed=claim_of(printed),
    corrected=claim_of(corrected, prove=prove),
    note="The paper's last display before the table still has sqrt(SK)/T^(3/2) and SK/T; the line after it drops S "
    "and K. The first two terms are LADA.C36's matter: for S < m FedAvg's sqrt(K/(ST)) stays.",
)
