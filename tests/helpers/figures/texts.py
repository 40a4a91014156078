"""Is all text of a figure readable: nothing written over other text, nothing cut off at the edge?"""

from __future__ import annotations

from itertools import combinations
from typing import Any

from matplotlib.text import Text

__all__ = ["Boxes", "clipped", "collisions", "written"]

Boxes = list[tuple[str, Any]]

SLACK = 1.0  # pixels that boxes may share: a box is a little larger than its letters


def written(figure: Any) -> Boxes:
    """Every text that is really drawn (ticks outside of the axes are not), with its box in pixels."""
    drawn: list[Text] = []
    original = Text.draw

    def note(self: Text, renderer: Any) -> None:
        if self.get_visible() and self.get_text().strip() and self not in drawn:
            drawn.append(self)
        original(self, renderer)

    Text.draw = note  # type: ignore[method-assign, assignment]
    try:
        figure.draw_without_rendering()
    finally:
        Text.draw = original  # type: ignore[method-assign]
    renderer = figure.canvas.get_renderer()
    return [(text.get_text(), Text.get_window_extent(text, renderer)) for text in drawn]


def collisions(boxes: Boxes) -> list[tuple[str, str]]:
    """Pairs of texts whose boxes overlap."""
    return [(a, b) for (a, box), (b, other) in combinations(boxes, 2) if _overlap(box, other)]


def clipped(figure: Any, boxes: Boxes) -> list[str]:
    """Texts that reach beyond the figure."""
    page = figure.bbox.padded(SLACK)
    return [text for text, box in boxes if not (page.contains(box.x0, box.y0) and page.contains(box.x1, box.y1))]


def _overlap(a: Any, b: Any) -> bool:
    return bool(min(a.x1, b.x1) - max(a.x0, b.x0) > SLACK and min(a.y1, b.y1) - max(a.y0, b.y0) > SLACK)
