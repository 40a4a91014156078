"""Drawing training curves: a line for each setting, a band over its seeds, one colour and dash for each method."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from figures import style
from figures.records import Axes, Line2D, Look
from figures.series import Curve

__all__ = ["BAND", "line", "looks", "ranked"]

DASHES: Sequence[Any] = ("solid", (0, (5, 1.6)), (0, (1.2, 1.4)))
BAND = "Lines: mean over seeds; bands: their range."


def looks(names: Sequence[str]) -> dict[str, Look]:
    """Colour and dashes of each name, for ``ax.plot(**looks[name])``: to be called with all the names of a paper.

    Seven colours, then the same dashed, then dotted.

    >>> looks(["fedavg", "fedlada"])["fedlada"]["color"]
    '#E69F00'
    """
    colours = [style.COLOURS[name] for name in style.FAMILY]
    pairs = [(dash, colour) for dash in DASHES for colour in colours]
    return {name: {"color": colour, "linestyle": dash} for name, (dash, colour) in zip(names, pairs, strict=False)}


def ranked(values: Sequence[Any]) -> dict[Any, dict[str, Any]]:
    """Colours from light to dark for settings that grow, such as client rates."""
    return {value: {"color": colour} for value, colour in zip(values, style.ordered(len(values)), strict=True)}


def line(ax: Axes, curve: Curve, look: Look, label: str = "", window: int = 1) -> Line2D:
    """The mean over seeds, smoothed over ``window`` measurements, and the range of the seeds as a pale band."""
    smoothed = curve.smoothed(window) if window > 1 else curve
    if len(smoothed.each) > 1:
        ax.fill_between(smoothed.rounds, smoothed.low, smoothed.high, color=look["color"], alpha=0.16, linewidth=0)
    return ax.plot(smoothed.rounds, smoothed.mean, label=label or None, **look)[0]
