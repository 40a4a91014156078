"""Numbers beside dots where they cover nothing, and the list that explains them."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Mapping, Sequence

from figures.records import Axes
from figures.style import pixels_per_point

__all__ = ["listed", "write"]

DIRECTIONS, RINGS = 16, (9, 14, 20, 27, 35, 44)  # tried in this order, in points


def write(ax: Axes, named: Sequence[tuple[float, float, str]]) -> None:
    """Write each (x, y, text) next to its dot, as near as it can without covering a dot or another text."""
    scale = pixels_per_point(ax)
    dots = [ax.transData.transform((x, y)) for x, y, _ in named]
    taken = [(x, y, 4 * scale, 4 * scale) for x, y in dots]  # centre and half sizes
    frame = ax.get_window_extent()
    for (x, y), (left, low, text) in zip(dots, named, strict=True):
        half = (4.2 * scale * len(text), 5.5 * scale)
        for dx, dy in _offsets():
            place = (x + dx * scale, y + dy * scale, *half)
            inside = frame.x0 < place[0] - half[0] and place[0] + half[0] < frame.x1
            inside = inside and frame.y0 < place[1] - half[1] and place[1] + half[1] < frame.y1
            if inside and not any(_touch(place, other) for other in taken):
                break
        taken.append(place)
        line = {"arrowstyle": "-", "color": "#9a9a9a", "linewidth": 0.6, "shrinkA": 0, "shrinkB": 3}
        ax.annotate(
            text, (left, low), (dx, dy), textcoords="offset points", ha="center", va="center", fontsize=8,
            arrowprops=line if math.hypot(dx, dy) > RINGS[0] + 1 else None,
        )  # fmt: skip


def _offsets() -> list[tuple[float, float]]:
    turn = 2 * math.pi / DIRECTIONS
    return [(r * math.cos(k * turn), r * math.sin(k * turn)) for r in RINGS for k in range(DIRECTIONS)]


def _touch(a: tuple[float, ...], b: tuple[float, ...]) -> bool:
    return abs(a[0] - b[0]) < a[2] + b[2] and abs(a[1] - b[1]) < a[3] + b[3]


def listed(ax: Axes, words: Mapping[str, str], width: int = 58) -> None:
    """One entry a number, long ones wrapped, from the top of an empty pair of axes."""
    lines = {number: textwrap.wrap(text, width, break_on_hyphens=False) for number, text in words.items()}
    total = sum(map(len, lines.values())) + 0.45 * len(lines)
    ax.set(xlim=(0, 1), ylim=(total + 0.5, -0.5), xlabel=" ")
    ax.set_axis_off()
    height = 0.0
    for number, own in lines.items():
        ax.text(0.05, height, number, ha="right", va="top", fontsize=8, weight="bold")
        ax.text(0.08, height, "\n".join(own), ha="left", va="top", fontsize=7.5, linespacing=1.25)
        height += len(own) + 0.45
