"""Tables with other numbers in them, to see whether findings notice."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pyarrow as pa

__all__ = ["doctored", "statuses"]


def doctored(rows: pa.Table, change: Callable[[dict[str, Any]], dict[str, Any]]) -> pa.Table:
    """The table with some entries of each row replaced by what ``change`` returns."""
    return pa.Table.from_pylist([row | change(row) for row in rows.to_pylist()], schema=rows.schema)


def statuses(figure: Any, rows: pa.Table) -> dict[str, str]:
    """Status of each claim, by its short name; of a figure, or of the module that defines one."""
    figure = getattr(figure, "FIGURE", figure)
    short = {claim: name for name, claim in figure.claims.items()}
    return {short[finding.claim]: finding.status for finding in figure.findings(rows)}
