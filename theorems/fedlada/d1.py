"""LADA Remark 3.8 and section 4.3: rounds for a precision, and the second-dominant term."""

from theorems.fedlada.common import LARGE_RATES, LARGE_T
from theorems.vocabulary import *


def dominant(s: Instance, T: Scalar) -> Any:
    return 1 / s.nb.sqrt(s.S * s.K * T)


def printed(s: Instance) -> list[Comparison]:
    r"""the three claims

    T=O\Big(\frac1{SK\epsilon^2}\Big),\quad\Psi-O\Big(\frac1{\sqrt{SKT}}\Big)=O\Big(\frac KT\Big)

    eta eta_l = sqrt(SK/T), eta_l = 1/sqrt(KT); C2, C3 ~ K^2 as a <= 1/(K-1); Psi's last term has eta^2 eta_l^2.
    """
    needed = 1 / (s.S * s.K * s.precision**2)
    balanced = s.S * s.K**3  # K = (T/S)^(1/3)
    drift = s.K**2 / (s.K * s.T) + s.S * s.K / s.T
    return [
        that("Remark 3.8: T = 1/(SK eps^2)", dominant(s, needed)) == s.precision,
        that("K = (T/S)^(1/3) balances K/T", s.K / balanced) == dominant(s, balanced),
        that("the terms after the dominant one are O(K/T), with the constant C", drift) <= s.C * s.K / s.T,
    ]


def corrected(s: Instance) -> list[Comparison]:
    r"""as printed for a bounded number S of drawn clients; else the second-dominant term is O(SK/T), from eta^2 eta_l^2
    ((1-alpha)/alpha)^2, and takes over at SK = T^(1/3)

    \Psi-O\Big(\frac1{\sqrt{SKT}}\Big)=O\Big(\frac{SK}T\Big)
    """
    drift = s.K**2 / (s.K * s.T) + s.S * s.K / s.T
    balanced = s.S**3 * s.K**3  # SK = T^(1/3)
    return [
        that("O(SK/T)", drift) <= 2 * s.S * s.K / s.T,
        that("SK = T^(1/3) balances SK/T", s.S * s.K / balanced) == dominant(s, balanced),
    ]


def prove() -> None:
    """sympy identity: At the corollary's rates the drift terms are K/T + SK/T <= 2 SK/T, as S >= 1; both sides balance
    at SK = T^(1/3).
    """
    S, K, T = sympy.symbols("S K T", positive=True)
    identity((K**2 * (1 / (K * T)) + S * K / T, (1 + S) * K / T))
    identity((2 * S * K / T - (1 + S) * K / T, (S - 1) * K / T))
    identity((1 / sympy.sqrt(S * K * (S * K) ** 3), S * K / (S * K) ** 3))


STATEMENT = Statement(
    kind="convergence",
    location="Remarks 3.7, 3.8 and section 4.3",
    says="Precision eps takes O(1/(SK eps^2)) rounds; the second-dominant term is O(K/T), which takes over at K = "
    "O((T/S)^(1/3)).",
    reading="Psi at the rates of Corollary 3.6, constants 1: C2 and C3 grow like K^2 since the proof has a <= 1/(K-1). "
    "O(K/T) hides a constant C that is free of S, K and T: S > C clients refute it.",
    severity="substantive",
    domain=LARGE_RATES,
    hypotheses=(LARGE_T,),
    printed=claim_of(printed),
    corrected=claim_of(corrected, prove=prove),
    note="Corollary 3.6 itself has neither: its 1/(KT) + 1/T hides K/T and SK/T (the appendix's last display still "
    "shows SK/T).",
)
