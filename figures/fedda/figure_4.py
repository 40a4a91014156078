"""Loss of ten methods on EMNIST, with three optimizers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from figures.fedda import convergence, settings, tuning

ID = "DA.F4"
TITLE = "Loss on EMNIST with three optimizers, ten methods"
ALT = (
    "Three panels, SGDM, Adam and AdaGrad: loss on EMNIST against training rounds, one line a method for ten "
    "methods, FedDA the thickest, its rivals thin. Which method is fastest and which ends best is told by the "
    "findings below, for the scale and data that the figure names."
)
CLAIMS = {
    "fastest": "on EMNIST, FedDA achieves the fastest convergence of the loss in most experiments",
    "early": "FedDA's loss converges within less than 200 (of 1500) rounds and then keeps stable on EMNIST",
}
EXACT = False
FLAGSHIP = True
STATEMENTS = ("DA.E28", "DA.E35", "DA.E39")


def runs(scale: str) -> list[dict[str, Any]]:
    """Shared with the loss or accuracy of the same runs, and with the table of final values."""
    return tuning.ten(settings.EMNIST, scale)


then = tuning.ten_then


def table(scale: str, results: Sequence[Any]) -> dict[str, Any]:
    """One row a run that is shown and a measured round."""
    return tuning.ten_shown(scale, results)


def findings(rows: Any) -> list[Any]:
    """What sections 5 and A.4 say of it."""
    return [
        convergence.fastest(rows, "loss", CLAIMS["fastest"]),
        convergence.early(rows, CLAIMS["early"]),
    ]


def draw(rows: Any) -> Any:
    """A panel an optimizer."""
    return convergence.draw(rows, "loss", "training loss")
