"""Tuned server rates on FEMNIST (appendix D); the claim is section 8.2's, which the printed table itself denies."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from figures.outsized import rates, settings, tuning

ID = "OLR.T4"
TITLE = "Best server rate for each client rate on FEMNIST"
ALT = (
    "A table with a row a client rate: the base-10 logarithm of its best server rate on FEMNIST, ours and, "
    "in brackets, the printed one, and our final training loss."
)
CLAIMS = {"enables": "choosing larger gamma enables higher values of eta"}
EXACT = False
FLAGSHIP = True
STATEMENTS = ("OLR.C13",)


def runs(scale: str) -> list[dict[str, Any]]:
    """Those of Figure 5."""
    return settings.grid((settings.EMNIST,), scale)


def then(scale: str, results: Sequence[Any]) -> list[dict[str, Any]]:
    """The other seeds of the best server rates."""
    return tuning.others(scale, results)


def table(scale: str, results: Sequence[Any]) -> dict[str, Any]:
    """One row a run and measured round."""
    return tuning.table(results)


def findings(rows: Any) -> list[Any]:
    """On the picked rates."""
    return [rates.enables(CLAIMS["enables"], rows, settings.EMNIST)]


def sheet(rows: Any) -> Any:
    """As printed in appendix D."""
    return rates.sheet(rows, settings.EMNIST)
