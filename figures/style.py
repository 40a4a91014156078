"""The style of all figures: matplotlib's rcParams without LaTeX, colours, footers, labels at line ends."""

from __future__ import annotations

import json
import re
import textwrap
from collections.abc import Sequence
from typing import Any

from figures.records import Axes, Drawing, Table

__all__ = [
    "COLOURS",
    "FAMILY",
    "end_labels",
    "footer",
    "ordered",
    "pixels_per_point",
    "provenance",
    "rc",
    "sourced",
    "spread",
    "wrapped",
]

# Okabe and Ito's palette: told apart by all common kinds of colour vision, yellow left out because it fades on white.
COLOURS = {
    "blue": "#0072B2",
    "orange": "#E69F00",
    "green": "#009E73",
    "vermilion": "#D55E00",
    "purple": "#CC79A7",
    "sky": "#56B4E9",
    "black": "#000000",
    "grey": "#6E6E6E",
}
FOOTER = 6.5  # points
LETTER = 0.57  # of its size: what a letter of the widest of our footers takes on average
FAMILY = ["blue", "orange", "green", "vermilion", "purple", "sky", "black"]


def rc(size: float = 9.0) -> dict[Any, Any]:
    """Settings for ``matplotlib.rc_context``; ``size`` of the text in points."""
    from cycler import cycler

    return {
        "font.family": "DejaVu Sans",  # ships with matplotlib, so that every machine draws the same
        "font.size": size,
        "axes.titlesize": size + 1,
        "axes.labelsize": size,
        "legend.fontsize": size - 1,
        "xtick.labelsize": size - 1,
        "ytick.labelsize": size - 1,
        "mathtext.fontset": "dejavusans",
        "text.usetex": False,
        "axes.prop_cycle": cycler(color=[COLOURS[name] for name in FAMILY]),
        "axes.spines.top": False,
        "axes.spines.right": False,
        "axes.grid": False,
        "axes.titlelocation": "left",
        "lines.linewidth": 1.4,
        "legend.frameon": False,
        "figure.facecolor": "white",
        "figure.constrained_layout.use": True,
        "figure.dpi": 100,
        "savefig.dpi": 200,
        "pdf.fonttype": 42,  # text stays text
        "svg.fonttype": "path",  # text looks the same without the font
        "svg.hashsalt": "quadratic-surrogates",  # ids inside the file do not change from run to run
        "path.simplify": True,
    }


def footer(figure: Drawing, text: str) -> None:
    """One small line under the figure: its scale, its data, and which settings are ours."""
    figure.supxlabel(text, fontsize=FOOTER, color=COLOURS["grey"], x=0.01, ha="left")


def sourced(figure: Drawing, rows: Table, text: str) -> None:
    """The footer of a figure that was trained: its scale and data, then ``text`` (which settings are ours)."""
    footer(figure, wrapped(f"{provenance(rows)} {text}", figure.get_figwidth()))


def provenance(rows: Table) -> str:
    """Scale and data of a table, stand-in data named as such; exact ones have neither."""
    notes = {name.decode(): value.decode() for name, value in (rows.schema.metadata or {}).items()}
    sources = json.loads(notes.get("data") or "{}")
    by_source: dict[str, list[str]] = {}
    for task, source in sources.items():
        by_source.setdefault(re.sub(r", [0-9a-f]{12}$", "", source), []).append(task)
    if not by_source:
        return "The same at every scale."
    parts = [f"{', '.join(tasks)}: {source}." for source, tasks in by_source.items()]
    return " ".join([f"Scale: {notes.get('scale', 'unknown')}.", *parts])


def wrapped(text: str, width: float) -> str:
    """Lines of the footer's letters that fit ``width`` inches; formulas stay in one line, else they are not set."""
    whole = re.sub(r"\$[^$]*\$", lambda formula: formula[0].replace(" ", "\xa0"), text)
    lines = textwrap.wrap(whole, int(width * 72 / (LETTER * FOOTER)), break_long_words=False, break_on_hyphens=False)
    return "\n".join(lines).replace("\xa0", " ")


def ordered(n: int) -> list[str]:
    """n colours from light to dark for a quantity that grows: viridis, without its palest end."""
    from matplotlib import colormaps
    from matplotlib.colors import to_hex

    return [to_hex(colormaps["viridis"](0.88 * (1 - k / max(n - 1, 1)))) for k in range(n)]


def end_labels(ax: Axes, ends: Sequence[tuple[float, str, str]]) -> None:
    """Write (height, text, colour) at the right edge of the axes, moved apart where they would overlap.

    To be called last, with the limits of the axes set.
    """
    scale = pixels_per_point(ax)
    to_axes = ax.transData + ax.transAxes.inverted()
    heights = [to_axes.transform((ax.get_xlim()[1], value))[1] for value, _, _ in ends]
    gap = 1.15 * scale * float(ax.yaxis.label.get_fontsize()) / ax.get_window_extent().height
    edge = ("axes fraction", "data")  # so that a label stays by its line if the limits change afterwards
    for place, (_, text, colour) in zip(spread(heights, gap), ends, strict=True):
        value = to_axes.inverted().transform((1, place))[1]
        ax.annotate(text, (1, value), (4, 0), edge, "offset points", color=colour, va="center")


def pixels_per_point(ax: Axes) -> float:
    """The scale of the figure, whose texts are given their places first."""
    figure = ax.get_figure(root=True)
    assert figure is not None
    figure.draw_without_rendering()
    canvas: Any = figure.canvas  # Agg's
    return float(canvas.get_renderer().points_to_pixels(1.0))


def spread(values: Sequence[float], gap: float) -> list[float]:
    """The values, moved as little as needed to be ``gap`` apart, in the same order.

    >>> spread([0.0, 0.5, 3.0], 1.0)
    [-0.25, 0.75, 3.0]
    """
    rank = sorted(range(len(values)), key=lambda k: values[k])
    groups: list[tuple[float, int]] = []  # centre and size of runs of labels that touch
    for k in rank:
        centre, size = values[k], 1
        while groups and centre - groups[-1][0] < gap * (size + groups[-1][1]) / 2:
            other, others = groups.pop()
            centre, size = (centre * size + other * others) / (size + others), size + others
        groups.append((centre, size))
    places = [centre + gap * (j - (size - 1) / 2) for centre, size in groups for j in range(size)]
    return [places[rank.index(k)] for k in range(len(values))]
