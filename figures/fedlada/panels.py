"""How LADA's curves are drawn: a panel of training loss, a panel of test accuracy, one look a method."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from figures import curves, series, style
from figures.fedlada import settings
from figures.records import Axes, Drawing, Look, Scalar, Table

__all__ = ["Line", "fill", "grid", "legend", "methods", "named", "pair", "ranked", "source"]

LABEL = {"loss": "training loss", "accuracy": "top-1 test accuracy (%)"}
Line = tuple[str, Look, dict[str, Scalar]]  # label, look, which runs


def methods() -> dict[str, dict[str, Any]]:
    """The look of each method, the same throughout."""
    return curves.looks([*settings.METHODS, settings.AMENDED_ADAM])


def named(names: Sequence[str], **where: Any) -> list[Line]:
    """A line a method."""
    looks = methods()
    return [(settings.NAMES[name], looks[name], {"method": name, **where}) for name in names]


def ranked(values: Sequence[Any], key: str, form: str, **where: Any) -> list[Line]:
    """A line a value of a setting that grows, from pale to dark."""
    looks = curves.ranked(values)
    return [(form.format(value), looks[value], {**where, key: value}) for value in values]


def fill(ax: Axes, rows: Table, measure: str, lines: Sequence[Line]) -> None:
    """Lines of a measure against rounds; runs that diverged are left out and named."""
    lost = []
    for label, look, where in lines:
        curve = series.curve(rows, measure, **where)
        if curve.diverged:
            lost.append(label)
            continue
        factor = 100 if measure == "accuracy" else 1
        curves.line(ax, series.Curve(curve.rounds, factor * curve.each), look, label)
    ax.set(xlabel="communication rounds", xlim=(0, None))
    if measure in LABEL:
        ax.set_ylabel(LABEL[measure])
    if lost:
        ax.set_title(f"{ax.get_title(loc='left')} ({', '.join(lost)} diverged)", loc="left")


def pair(rows: Table, lines: Sequence[Line]) -> Drawing:
    """Test accuracy on the left, training loss on the right, as in Figures 1, 3 and 4; the legend beside them."""
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(1, 2, figsize=(7.2, 2.9))
    for ax, measure in zip(axes, ("accuracy", "loss"), strict=True):
        fill(ax, rows, measure, lines)
    legend(figure, axes)
    return figure


def grid(rows: Table, columns: Sequence[tuple[str, Sequence[Line]]], measures: Sequence[str], height: float) -> Drawing:
    """Figures 2 and 7: a column a title and its lines, a row a measure; the legend beside them."""
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(len(measures), len(columns), figsize=(9.6, height))
    for column, (title, lines) in zip(axes.T, columns, strict=True):
        for ax, measure in zip(column, measures, strict=True):
            ax.set_title(title)
            fill(ax, rows, measure, lines)
    for ax in axes[:, 1:].flat:
        ax.set_ylabel("")
    legend(figure, axes.flat)
    return figure


def legend(figure: Drawing, axes: Sequence[Any]) -> None:
    """One for all panels, to the right."""
    handles = {label: handle for ax in axes for handle, label in zip(*ax.get_legend_handles_labels(), strict=True)}
    figure.legend(handles.values(), handles.keys(), loc="outside right center")


def source(figure: Drawing, rows: Table, text: str) -> None:
    """The footer: scale, data, ``text``, and what every figure of this paper has in common."""
    style.sourced(figure, rows, f"{text} {OURS} {curves.BAND}")


OURS = (
    "Below paper scale clients, rounds, steps, networks, SGD rates, crops and the adaptive clients' weight decay are "
    "ours."
)
