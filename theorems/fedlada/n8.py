"""LADA section 4.2: accuracy gains quoted in the text."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from theorems.fedlada.common import constants, each_exactly
from theorems.statement import Claim, Comparison, Proof, Statement

DOMAIN = constants(
    "Table 6 after 1500 rounds: (FedAvg, FedCM, FedLADA)",
    c10=("81.8", "84.9", "86.1"),
    c100=("45.3", "52.0", "52.6"),
    tiny=("34.5", "40.6", "41.9"),
)


def near(s: Any, label: str, value: Any, quoted: str, slack: Fraction) -> Comparison:
    gap = s.nb.abs(value - s.nb.number(Fraction(quoted)))
    return Comparison(label, gap, "<=", gap * 0 + s.nb.number(slack))


def quotes(s: Any, fedcm: str) -> list[Comparison]:
    whole, tenth = Fraction(1, 2), Fraction(1, 10)
    return [
        near(s, "TinyImageNet, FedLADA over FedAvg", s.tiny[2] - s.tiny[0], "7.4", tenth),
        near(s, "CIFAR-10, FedLADA over FedAvg", s.c10[2] - s.c10[0], "4.2", tenth),
        near(s, "CIFAR-100, FedLADA over FedCM", s.c100[2] - s.c100[1], "1", whole),
        near(s, "CIFAR-100, FedCM over FedAvg", s.c100[1] - s.c100[0], fedcm, whole),
    ]


def printed(s: Any) -> list[Comparison]:
    return quotes(s, "6")


def corrected(s: Any) -> list[Comparison]:
    return quotes(s, "7")


def prove() -> Proof:
    each_exactly(corrected, DOMAIN)
    return Proof("exact rationals", "Four differences of Table 6.")


STATEMENT = Statement(
    id="LADA.N8",
    paper="fedlada",
    kind="identity",
    location="section 4.2 and Table 6",
    says="FedLADA gains 7.4 over FedAvg on TinyImageNet, 4.2 on CIFAR-10, 1 over FedCM on CIFAR-100; FedCM about 6 "
    "over FedAvg there.",
    reading="After 1500 rounds; 7.4 and 4.2 to 0.1, the others to the whole percent.",
    severity="typo",
    domain=DOMAIN,
    printed=Claim("the four gains", r"+7.4,\ +4.2,\ +1,\ +6", printed),
    corrected=Claim("FedCM gains 6.7, about 7", r"+7.4,\ +4.2,\ +1,\ +7", corrected, prove),
)
