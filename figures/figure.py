"""`Figure`: one figure or table of a paper, what it says it is and the functions that make it."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, fields
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from figures.card import Card
from surrogate.kit.errors import problem

if TYPE_CHECKING:
    from figures.findings import Finding
    from figures.records import Arrays, Columns, Drawing, Keys, Table, Trained
    from figures.tables import Sheet

__all__ = ["Broken", "Figure", "unwrapped"]

FUNCTIONS = ("runs", "then", "table", "findings", "draw", "sheet")


def no_runs(scale: str) -> list[Keys]:
    """The ``runs`` of an exact figure."""
    return []


def no_more(scale: str, results: Sequence[Trained]) -> list[Keys]:
    """The ``then`` of a figure whose first runs are all."""
    return []


def not_known(scale: str) -> list[Keys]:
    """The ``runs`` of a trained figure that cannot be loaded."""
    return []


@dataclass(frozen=True, kw_only=True, eq=False)
class Figure(Card):
    """A figure or table, as a file ``figures/<paper>/figure_1.py`` or ``table_1.py`` defines it in a constant FIGURE.

    A file that defines several (``tables_3_to_7.py``) has them in a sequence FIGURES.

    Arguments:
        module: ``__name__``; folder and file name say the paper and where the output goes.
        id: "OLR.F2".
        title: up to 90 letters.
        alt: the picture in words, 80 to 800 letters.
        claims: what the paper concludes, by short name: one finding each, in this order.
        table: the columns: ``table(scale)`` of an exact figure, ``table(scale, results)`` of a trained one, with a
            result for each of ``runs``, then for each of ``then``.
        findings: of a table, a `Finding` for each claim.
        draw: a matplotlib figure of a table.
        sheet: in place of ``draw``, of a table of the paper: our numbers beside the printed ones.
        runs: of a trained figure: flat keys of `neural.runs.config.Config.of`, a dictionary for each run.
        then: further runs, picked when the first have ended (other seeds of the best rate).
        flagship: trained before others, and at paper scale without being named.
        statements: ids of the statements that it illustrates.

    A table is computed again when the code behind ``table`` or ``then`` changes, and drawn again when that behind
    ``findings``, ``draw`` or ``sheet`` does (`figures.keys`). So each is a function at the top of a file, or a
    `functools.partial` of one.
    """

    table: Callable[..., Columns | Arrays]
    findings: Callable[[Table], list[Finding]]
    draw: Callable[[Table], Drawing] | None = None
    sheet: Callable[[Table], Sheet] | None = None
    runs: Callable[[str], list[Keys]] = no_runs
    then: Callable[[str, list[Trained]], list[Keys]] = no_more
    path: Path = field(init=False)  # of the file that defines it

    def __post_init__(self) -> None:
        object.__setattr__(self, "path", Path(sys.modules[self.module].__file__ or ""))
        if (self.draw is None) is (self.sheet is None):
            raise problem(
                f"{self.module}: {self.id}", "with both draw and sheet, or neither", "one of the two",
                "a figure that is still being written", "see `figures.figure.Figure`",
            )  # fmt: skip
        for name in FUNCTIONS:
            function = unwrapped(getattr(self, name))
            if function is not None and not getattr(function, "__qualname__", "<none>").isidentifier():
                raise problem(
                    f"{self.module}: {self.id}", f"with {name} = {function!r}",
                    "a function at the top of a file, or a functools.partial of one",
                    "a lambda or an inner function, whose source cannot be told from that around it",
                    "define it at the top of the file",
                )  # fmt: skip

    @property
    def trained(self) -> bool:
        """Whether the table comes from training runs."""
        return self.runs is not no_runs

    def load(self) -> Figure:
        return self

    def picture(self, rows: Table) -> Drawing:
        """What is drawn; of a table of the paper, its sheet as a picture."""
        if self.draw is not None:
            return self.draw(rows)
        from figures import tables

        assert self.sheet is not None
        return tables.picture(self.sheet(rows), self, rows)


@dataclass(frozen=True, kw_only=True, eq=False)
class Broken(Figure):
    """In place of a figure whose file cannot be imported: `load` raises the ``error`` of that import."""

    error: Exception

    @classmethod
    def of(cls, card: Card, error: Exception) -> Broken:
        """With the words of its card."""
        words = {one.name: getattr(card, one.name) for one in fields(Card)}
        runs = not_known if card.trained else no_runs
        return cls(**words, table=dict, findings=list, runs=runs, error=error)

    def __post_init__(self) -> None:
        object.__setattr__(self, "path", Path())

    def load(self) -> Figure:
        raise self.error


def unwrapped(function: Any) -> Any:
    """Without the arguments that partials have fixed."""
    return unwrapped(function.func) if isinstance(function, partial) else function
