"""LADA Table 11: what a round sends."""

from __future__ import annotations

from typing import Any

from theorems.fedlada.common import constants, each_exactly
from theorems.statement import Claim, Comparison, Proof, Statement

# vectors of length d a drawn client receives and sends: x (and c, Delta, v, g_a), and the answers
DOMAIN = constants(
    "vectors down and up a round and client: FedAvg x | dx; SCAFFOLD x, c | dx, dc; FedCM x, Delta | dx; LocalAdam x, "
    "v | dx, v; FedLADA x, v, g_a | dx, v",
    fedavg=(1, 1),
    scaffold=(2, 2),
    fedcm=(2, 1),
    localadam=(2, 2),
    fedlada=(3, 2),
)


def total(pair: Any) -> Any:
    return pair[0] + pair[1]


def printed(s: Any) -> list[Comparison]:
    base = total(s.fedavg)
    return [
        Comparison("SCAFFOLD 2x", total(s.scaffold), "==", 2 * base),
        Comparison("FedCM 2x", total(s.fedcm), "==", 2 * base),
        Comparison("LocalAdam 2x", total(s.localadam), "==", 2 * base),
        Comparison("FedLADA 2x", total(s.fedlada), "==", 2 * base),
    ]


def corrected(s: Any) -> list[Comparison]:
    base = total(s.fedavg)
    return [
        Comparison("FedCM 1.5x", 2 * total(s.fedcm), "==", 3 * base),
        Comparison("FedLADA 2.5x", 2 * total(s.fedlada), "==", 5 * base),
        Comparison("FedLADA up 2x", s.fedlada[1], "==", 2 * s.fedavg[1]),
        Comparison("FedCM up 1x", s.fedcm[1], "==", s.fedavg[1]),
        Comparison("FedLADA down 3x", s.fedlada[0], "==", 3 * s.fedavg[0]),
    ]


def prove() -> Proof:
    each_exactly(corrected, DOMAIN)
    return Proof("exact rationals", "The vectors that the listings need are counted, downwards and upwards.")


STATEMENT = Statement(
    id="LADA.K11",
    paper="fedlada",
    kind="identity",
    location="Table 11, C.3",
    says="A round of SCAFFOLD, FedCM, LocalAdam or FedLADA costs 2x that of FedAvg: methods with correction at least "
    "double the cost.",
    reading="Both directions together, for a client that was not drawn the round before: it needs x^t, v^t and g_a^t. "
    "LocalAdam with averaged v (Algorithm 2 itself sends none).",
    severity="substantive",
    domain=DOMAIN,
    printed=Claim("2Nd for all four", r"2Nd", printed),
    corrected=Claim(
        "both ways: FedCM 1.5x, SCAFFOLD and LocalAdam 2x, FedLADA 2.5x; upwards alone FedCM 1x and FedLADA 2x; "
        "downwards FedCM 2x, FedLADA 3x",
        r"\text{FedCM }1.5\times,\ \text{FedLADA }2.5\times",
        corrected,
        prove,
    ),
    note="No single measure (up, down, both) gives the printed column. Line 4 of Algorithm 3 sends x^t and v^t alone, "
    "but line 12 needs g_a^t.",
)
