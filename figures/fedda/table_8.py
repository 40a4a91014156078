"""FedDA's final accuracy with AdaGrad as the client rate varies, printed beside ours."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from figures.fedda import sensitivity

ID = "DA.T8"
TITLE = "FedDA's final accuracy with AdaGrad and varying client learning rate"
ALT = (
    "A table of three data sets by four client rates, the server rate fixed: FedDA's final accuracy and the rate, "
    "ours and, in grey brackets, the printed. How much a bad rate costs is told by the finding below."
)
CLAIMS = {"crucial": "it is crucial to choose the client rate to achieve competitive performance (AdaGrad)"}
EXACT = False
FLAGSHIP = False
STATEMENTS = ("DA.E39",)
NUMBER = 8


def runs(scale: str) -> list[dict[str, Any]]:
    """FedDA alone."""
    return sensitivity.runs(NUMBER, scale)


def table(scale: str, results: Sequence[Any]) -> dict[str, Any]:
    """One row a run and a measured round."""
    return sensitivity.table(NUMBER, scale, results)


def findings(rows: Any) -> list[Any]:
    """What A.4 says of all six tables."""
    return sensitivity.findings(rows, CLAIMS["crucial"])


def sheet(rows: Any) -> Any:
    """As printed."""
    return sensitivity.sheet(NUMBER, rows)
