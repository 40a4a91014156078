"""What is said of a figure: its id, title, words and claims, which lists and pages show without loading its code."""

from __future__ import annotations

import importlib
import json
import re
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from figures.figure import Figure

__all__ = ["Card", "Listed", "read", "written"]


@dataclass(frozen=True, kw_only=True, eq=False)
class Card(ABC):
    """The words of one figure or table, and where its code and its output stand; `figures.figure.Figure` says more."""

    module: str
    id: str
    title: str
    alt: str
    claims: Mapping[str, str]
    flagship: bool = False
    statements: Sequence[str] = ()

    @property
    @abstractmethod
    def trained(self) -> bool:
        """Whether the table comes from training runs."""

    @abstractmethod
    def load(self) -> Figure:
        """The figure itself, with its functions."""

    @property
    def exact(self) -> bool:
        """Whether the table is the same at every scale: nothing is trained."""
        return not self.trained

    @property
    def paper(self) -> str:
        """The paper's folder."""
        return self.module.split(".")[-2]

    @property
    def name(self) -> str:
        """The file's name; of a file that defines several figures, the kind of each and its number."""
        stem = self.module.rpartition(".")[2]
        several = re.match(r"(figure|table)s_", stem)
        return f"{several[1]}_{self.id.rpartition('.')[2][1:]}" if several else stem

    @property
    def alias(self) -> str:
        """paper/name: where its output goes."""
        return f"{self.paper}/{self.name}"


@dataclass(frozen=True, kw_only=True, eq=False)
class Listed(Card):
    """A card of figures/cards.json, whose figure is imported when it is asked for."""

    runs: bool

    @property
    def trained(self) -> bool:
        return self.runs

    def load(self) -> Figure:
        return next(figure for figure in defined(importlib.import_module(self.module)) if figure.id == self.id)


def defined(module: object) -> Sequence[Figure]:
    """The constants FIGURE, or FIGURES, of a figure's file."""
    return getattr(module, "FIGURES", None) or [module.FIGURE]  # type: ignore[attr-defined]


def read(path: Path) -> list[Card]:
    """The cards of a file."""
    return [Listed(**card) for card in json.loads(path.read_text(encoding="utf-8"))]


def written(figures: Iterable[Figure]) -> str:
    """Their cards as the text of such a file."""
    cards = [
        Listed(
            module=figure.module,
            id=figure.id,
            title=figure.title,
            alt=figure.alt,
            claims=dict(figure.claims),
            flagship=figure.flagship,
            statements=list(figure.statements),
            runs=figure.trained,
        )
        for figure in figures
    ]
    return json.dumps([asdict(card) for card in cards], indent=1, ensure_ascii=False) + "\n"
