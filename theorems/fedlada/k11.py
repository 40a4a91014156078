"""LADA Table 11: what a round sends."""

from theorems.numeric_cases import cases, each_exactly
from theorems.vocabulary import *

# vectors of length d that a client receives and sends: x (and c, Delta, v, g_a), and the changes; FedAvg has 1 and 1
COUNTS = (
    {"name": "SCAFFOLD: x, c | dx, dc", "down": 2, "up": 2, "twice": "4"},
    {"name": "LocalAdam: x, v | dx, v", "down": 2, "up": 2, "twice": "4"},
    {"name": "FedLADA: x, v, g_a | dx, v", "down": 3, "up": 2, "twice": "5"},
    {"name": "FedCM: x, Delta | dx", "down": 2, "up": 1, "twice": "3"},
)
DOMAIN = cases("vectors a round and client, down | up; twice the ratio to FedAvg's two", *COUNTS)


def printed(s: Instance) -> list[Comparison]:
    """2Nd for all four

    2Nd
    """
    return [that("both ways, against 2 of FedAvg", s.down + s.up) == s.down * 0 + 4]


def corrected(s: Instance) -> list[Comparison]:
    r"""both ways: FedCM 1.5x, SCAFFOLD and LocalAdam 2x, FedLADA 2.5x

    \text{FedCM }1.5\times,\ \text{FedLADA }2.5\times
    """
    return [that("both ways", s.down + s.up) == s.twice]


def prove() -> None:
    """exact rationals: The vectors that the listings need are counted, downwards and upwards."""
    each_exactly(corrected, DOMAIN)


STATEMENT = Statement(
    kind="identity",
    location="Table 11, C.3",
    says="A round of SCAFFOLD, FedCM, LocalAdam or FedLADA costs 2x that of FedAvg: methods with correction at least "
    "double the cost.",
    reading="Both directions together, for a client that was not drawn the round before: it needs x^t, v^t and g_a^t. "
    "LocalAdam with averaged v (Algorithm 2 itself sends none).",
    severity="substantive",
    domain=DOMAIN,
    printed=claim_of(printed),
    corrected=claim_of(corrected, prove=prove),
    note="No single measure gives the printed column: upwards alone FedCM costs 1x, downwards alone FedLADA 3x. Line "
    "4 of Algorithm 3 sends x^t and v^t alone, but line 12 needs g_a^t.",
)
