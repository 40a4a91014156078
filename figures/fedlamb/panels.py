"""Test accuracy against rounds, a panel a task and row, the four methods in the paper's order."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import takewhile

from figures import curves, series, style
from figures.fedlamb.scores import Scores
from figures.fedlamb.settings import METHODS, TITLES, Panel
from figures.records import Drawing, Table

__all__ = ["draw"]


def draw(rows: Table, grid: Sequence[Sequence[Panel]], size: tuple[float, float], text: str) -> Drawing:
    """The grid of panels, with one legend; the picked rates stand in the footer."""
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(len(grid), len(grid[0]), figsize=size, squeeze=False)
    looks = curves.looks(list(METHODS))
    for row, panels in zip(axes, grid, strict=True):
        for ax, panel in zip(row, panels, strict=True):
            by_method = Scores(rows, panel).curves
            for name, curve in by_method.items():
                curves.line(ax, curve, looks[name], name)
            lost = [name for name, curve in by_method.items() if curve.diverged]
            ax.set(title=_title(panel, len(grid) > 1) + f"\n({', '.join(lost)} diverged)" * bool(lost))
            ax.set(xlabel="communication rounds", xlim=(0, None))
            ax.xaxis.get_major_locator().set_params(integer=True)
        row[0].set_ylabel("test accuracy")
    handles, names = axes[0, 0].get_legend_handles_labels()
    figure.legend(handles, names, loc="outside upper center", ncols=len(names))
    style.sourced(figure, rows, f"{text} {curves.BAND} {_rates(rows, grid)}.")
    return figure


def _title(panel: Panel, epochs: bool) -> str:
    return TITLES[panel.task] + f", {panel.epochs} epoch{'s' * (panel.epochs > 1)}" * epochs


def _rates(rows: Table, grid: Sequence[Sequence[Panel]]) -> str:
    """The picked rates of each method, in the order of the panels; once where all panels share them."""
    drawn = {(panel.task, panel.deal, panel.epochs) for row in grid for panel in row}
    picked: dict[str, list[str]] = {}
    for row in rows.to_pylist():
        place = (row["task"], row["deal"], row["epochs"])
        if place in drawn and row["round"] == 0 and row["seed"] == series.values(rows, "seed")[0]:
            picked.setdefault(row["method"], []).append(row["rates"])
    several = any(len(set(rates)) > 1 for rates in picked.values())
    words = "; ".join(f"{name} {_once(rates)}" for name, rates in picked.items())
    return f"Rates, best by test accuracy{' (panel by panel)' * several}: {words}"


def _once(rates: Sequence[str]) -> str:
    """What all begin with is said once: gamma 0.5 | 0.3."""
    if len(set(rates)) == 1:
        return rates[0]
    words = [text.split() for text in rates]
    shared = len(list(takewhile(lambda column: len(set(column)) == 1, zip(*words, strict=False))))
    return " ".join([*words[0][:shared], " | ".join(" ".join(own[shared:]) for own in words)])
