"""DA Tables 6 to 11: the range of accuracies over client rates and over server rates."""

from theorems.fedda.common_tables import CLIENT_SWEEPS, SERVER_SWEEPS
from theorems.numeric_cases import cases, each_exactly
from theorems.vocabulary import *

DOMAIN = cases(
    "Tables 6 to 8 (client rates) and 9 to 11 (server rates)",
    {"name": "client rates", "values": CLIENT_SWEEPS.split(), "low": "0.002", "high": "0.868"},
    {"name": "server rates", "values": SERVER_SWEEPS.split(), "low": "0.010", "high": "0.861"},
)


def ranges(s: Instance) -> list[Comparison]:
    r"""The least and the largest accuracy are the stated ones.

    \min=0.002,\ \max=0.868;\quad\min=0.010,\ \max=0.861
    """
    low = high = s.values[0]
    for value in s.values[1:]:
        low, high = s.nb.minimum(low, value), s.nb.maximum(high, value)
    return [that("least", low) == s.low, that("largest", high) == s.high]


def prove() -> None:
    """exact rationals: Every number of Tables 6 to 11 is compared."""
    each_exactly(ranges, DOMAIN)


STATEMENT = Statement(
    kind="identity",
    location="Tables 6 to 11 and 'impact of client and server learning rates', A.4",
    says="Accuracies range from 0.002 to 0.868 as client rates change, and from 0.010 to 0.861 otherwise (server "
    "rates).",
    domain=DOMAIN,
    printed=claim_of(ranges, prove=prove),
)
