"""Tuned server rates of Yogi on next word prediction (appendix D); the claim is section 8.2's."""

from __future__ import annotations

from figures.findings import Finding
from figures.outsized import rates, settings, tuning
from figures.records import Keys, Table
from figures.tables import Sheet

ID = "OLR.T6"
TITLE = "Best server rate for each client rate on Stack Overflow NWP"
ALT = (
    "A table with a row a client rate: the base-10 logarithm of its best server rate on Stack Overflow NWP, ours and, "
    "in brackets, the printed one, and our final training loss."
)
CLAIMS = {"enables": "choosing larger gamma enables higher values of eta"}
EXACT = False
FLAGSHIP = True
STATEMENTS = ("OLR.C13",)


def runs(scale: str) -> list[Keys]:
    """Those of Figure 7."""
    return settings.grid((settings.WORDS,), scale)


then, table = tuning.others, tuning.table  # the other seeds of what is picked; a row a run and round


def findings(rows: Table) -> list[Finding]:
    """On the picked rates."""
    return [rates.enables(CLAIMS["enables"], rows, settings.WORDS)]


def sheet(rows: Table) -> Sheet:
    """As printed in appendix D."""
    return rates.sheet(rows, settings.WORDS)
