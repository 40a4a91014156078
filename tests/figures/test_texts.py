"""No text of an exact figure is written over another or cut off; the check itself sees both."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import matplotlib
import pytest

from figures import registry, style
from figures.figure import Figure
from tests.helpers.figures.exact import rows_of
from tests.helpers.figures.texts import clipped, collisions, written

EXACT = [entry for entry in registry.discover() if entry.exact]


@pytest.fixture
def pyplot() -> Iterator[Any]:
    """matplotlib as `figures.render` sets it up."""
    from matplotlib import pyplot

    with matplotlib.rc_context(dict(matplotlib.rcParamsDefault) | style.rc() | {"backend": "Agg"}):
        yield pyplot
        pyplot.close("all")


@pytest.mark.parametrize("entry", EXACT, ids=lambda entry: entry.id)
def test_all_text_of_an_exact_figure_is_readable(entry: Figure, pyplot: Any) -> None:
    figure = entry.picture(rows_of(entry.id))
    boxes = written(figure)
    assert len(boxes) > 10
    assert collisions(boxes) == []
    assert clipped(figure, boxes) == []


def test_text_over_text_is_seen(pyplot: Any) -> None:
    figure, ax = pyplot.subplots()
    ax.set(xlim=(0, 1), ylim=(0, 1))
    ax.text(0.5, 0.5, "one")
    ax.text(0.51, 0.5, "two")
    ax.text(0.5, 0.8, "three")
    ax.text(0.5, 0.5, "hidden", visible=False)
    assert collisions(written(figure)) == [("one", "two")]
    assert clipped(figure, written(figure)) == []


def test_annotations_and_legends_are_texts_too(pyplot: Any) -> None:
    figure, ax = pyplot.subplots()
    ax.plot([0, 1], [0, 1], label="a line")
    ax.annotate("a note", (0.5, 0.5), (0, 20), textcoords="offset points", arrowprops={"arrowstyle": "-"})
    ax.legend()
    assert {"a line", "a note"} <= {text for text, _ in written(figure)}
    ax.annotate("over it", (0.5, 0.5), (0, 20), textcoords="offset points")
    assert collisions(written(figure)) == [("a note", "over it")]


def test_text_that_leaves_the_page_is_seen(pyplot: Any) -> None:
    figure, _ = pyplot.subplots()
    figure.text(0.98, 0.5, "cut off here")
    assert clipped(figure, written(figure)) == ["cut off here"]


def test_ticks_that_are_not_drawn_do_not_count(pyplot: Any) -> None:
    figure, ax = pyplot.subplots()
    ax.set_xticks([0.0, 1.0, 1.01, 40.0])
    ax.set(xlim=(0, 1), ylim=(0, 1))
    assert collisions(written(figure)) == []
    assert clipped(figure, written(figure)) == []


@pytest.mark.parametrize("width", [4.0, 7.2, 9.6])
def test_footers_stay_on_the_page(pyplot: Any, width: float) -> None:
    """LA.F2's words, whose letters are wide, turned so that each of them begins a line."""
    text = (
        "Scale: laptop. words-lstm: stand-in: Debian's package descriptions by maintainers (Debian package index). "
        "Rates tuned as in the paper's A.2, but on test data; below paper scale grid, clients, rounds and network are "
        "ours. CIFAR-100, TinyImageNet: FED-LAMB gamma 0.03 | 0.03 | 0.01; STEM's a: ours."
    )
    words = text.split()
    for start in range(0, len(words), 5):
        figure = pyplot.figure(figsize=(width, 3))
        style.footer(figure, style.wrapped(" ".join([*words[start:], *words[:start]]), width))
        assert clipped(figure, written(figure)) == []
        pyplot.close(figure)
