"""Final accuracy on EMNIST, printed beside ours."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from figures.fedda import finals, settings, tuning

ID = "DA.T3"
TITLE = "Final accuracy on EMNIST"
ALT = (
    "A table of ten methods by three optimizers: final accuracy on EMNIST, ours and, in grey brackets, the "
    "printed; the best of ours in each column is bold. Which method is best is told by the findings below."
)
CLAIMS = {
    "sgdm": "with SGDM, FedDA ends with the highest accuracy of all methods on EMNIST",
    "adam": "with Adam, FedDA ends with the highest accuracy of all methods on EMNIST",
    "adagrad": "with AdaGrad, FedDA ends with the highest accuracy of all methods on EMNIST",
}
EXACT = False
FLAGSHIP = True
STATEMENTS = ("DA.D1", "DA.E28", "DA.E35", "DA.E39")


def runs(scale: str) -> list[dict[str, Any]]:
    """Shared with the convergence figures."""
    return tuning.ten(settings.EMNIST, scale)


then = tuning.ten_then


def table(scale: str, results: Sequence[Any]) -> dict[str, Any]:
    """One row a run that is shown and a measured round."""
    return tuning.ten_shown(scale, results)


def findings(rows: Any) -> list[Any]:
    """What the text says of the table."""
    return finals.beats(rows, "max", CLAIMS)


def sheet(rows: Any) -> Any:
    """As printed."""
    return finals.sheet(rows, settings.EMNIST, "max", ".3f")
