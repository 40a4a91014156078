"""Final mean squared error on EMNIST, by an autoencoder, printed beside ours."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from figures.fedda import finals, settings, tuning

ID = "DA.T4"
TITLE = "Final mean squared error on EMNIST for autoencoder"
ALT = (
    "A table of six methods by three optimizers: final mean squared error on EMNIST, ours and, in grey "
    "brackets, the printed; the best of ours in each column is bold. Which method is best is told by the "
    "findings below."
)
CLAIMS = {
    "sgdm": "with SGDM, FedDA ends with the lowest mean squared error of the six methods on EMNIST",
    "adam": "with Adam, FedDA ends with the lowest mean squared error of the six methods on EMNIST",
    "adagrad": "with AdaGrad, FedDA ends with the lowest mean squared error of the six methods on EMNIST",
}
EXACT = False
FLAGSHIP = True
STATEMENTS = ("DA.D1", "DA.E28", "DA.E35", "DA.E39")


def runs(scale: str) -> list[dict[str, Any]]:
    """Six methods."""
    return tuning.ten(settings.AUTOENCODER, scale)


then = tuning.ten_then


def table(scale: str, results: Sequence[Any]) -> dict[str, Any]:
    """One row a run that is shown and a measured round."""
    return tuning.ten_shown(scale, results)


def findings(rows: Any) -> list[Any]:
    """What the text says of the table."""
    return finals.beats(rows, "min", CLAIMS)


def sheet(rows: Any) -> Any:
    """As printed."""
    return finals.sheet(rows, settings.AUTOENCODER, "min", ".4f")
