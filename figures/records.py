"""What figures are made from, as types: keys of a run, a trained run, rows and columns of a table, what is drawn."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

import numpy as np

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure as Drawing
    from matplotlib.lines import Line2D
else:  # matplotlib is loaded where something is drawn
    Axes = Drawing = Line2D = object

__all__ = [
    "Arrays",
    "Axes",
    "Columns",
    "Drawing",
    "Keys",
    "Line2D",
    "Look",
    "Rates",
    "Row",
    "Rows",
    "Scalar",
    "Table",
    "Trained",
]

Scalar: TypeAlias = str | float | None
Keys: TypeAlias = dict[str, Any]  # flat keys of `neural.runs.config.Config.of`
Rates: TypeAlias = Mapping[str, float]  # those of a run's keys that were tuned
Row: TypeAlias = dict[str, Any]  # of a table, by column
Columns: TypeAlias = dict[str, list[Any]]  # a table with a row a run and measured round
Arrays: TypeAlias = dict[str, np.ndarray]  # a table of an exact figure
Look: TypeAlias = dict[str, Any]  # keywords of matplotlib: colour, dashes, width


class Rows(Protocol):
    """A table, or some rows of one."""

    def to_pylist(self) -> list[Row]:
        """The rows, as dictionaries."""


class Table(Rows, Protocol):
    """What is used of a `pyarrow.Table`, for which there are no type stubs."""

    num_rows: int
    column_names: list[str]
    schema: Any

    def __getitem__(self, name: str) -> Any:
        """A column."""

    def __iter__(self) -> Iterator[Any]:
        """Over columns."""


@dataclass(frozen=True)
class Trained:
    """A run that has ended: the ``keys`` that a figure listed, ``rows`` (one a round), and the source of its data.

    ``status``: ``done`` or ``diverged``, which is a result, too.
    """

    keys: Mapping[str, Any]
    rows: Sequence[Mapping[str, float]]
    status: str
    data: str

    def series(self, measure: str) -> tuple[np.ndarray, np.ndarray]:
        """The rounds at which ``measure`` was taken and is finite, and its values there."""
        taken = [(row["round"], row[measure]) for row in self.rows if np.isfinite(row.get(measure, np.nan))]
        return np.array([t for t, _ in taken], dtype=int), np.array([value for _, value in taken], dtype=float)
