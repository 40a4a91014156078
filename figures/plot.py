"""Matplotlib figures of the library's objects: a surrogate loss, bounds on the displacement, a verdict.

>>> from figures import plot
>>> from surrogate import Surrogate, Theta, toys
>>> figure = plot.surrogate(Surrogate(toys.two_clients(), 0.5, Theta.sum(2)))
>>> [text.get_text() for text in figure.axes[0].get_legend().get_texts()]
['true loss f', 'x* = 0.6667', 'surrogate loss', 'rests at 0.7143', 'client minimizers']
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from figures import style
from surrogate import Field, Quadratics, Surrogate, Theta
from surrogate.bounds import STATEMENTS
from surrogate.kit.errors import ProblemError, problem
from surrogate.reports import bounds as reported

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["bounds", "surrogate", "verdict"]

_TRUE, _OURS, _CLIENT = (style.COLOURS[name] for name in ("blue", "vermilion", "grey"))
_VERDICTS = {"holds": "green", "false": "vermilion", "undecided": "orange", "not-checkable": "grey"}
_BOUNDS = {"theorem_16": "orange", "theorem_17": "purple", "theorem_17b": "green"}


def surrogate(field: Field) -> Figure:
    """The true loss beside what the method descends, with x*, the resting point and the clients' own minimizers.

    In one dimension as curves above their least values, each divided by its curvature so that they have one size; in
    two as level sets: of the surrogate loss, or of ||F(x)|| where there is no loss.
    """
    d = field.clients.d
    if d > 2:
        raise problem(
            "the field to draw", f"in {d} dimensions", "1 or 2", "a population too large for a picture",
            "draw plot.bounds, which needs no space, or a problem with two coordinates",
        )  # fmt: skip
    with _page((5.6, 3.6) if d == 1 else (6.4, 4.2)) as figure:
        ax = figure.subplots()
        (_curves if d == 1 else _levels)(ax, field)
    return figure


def bounds(clients: Quadratics, steps: int, gammas: Sequence[float] | None = None) -> Figure:
    """How far FedAvg with ``steps`` local steps rests from x*, over the client rate, below published bounds and ours.

    ``gammas``: the rates, all below 1/L, where the theorems speak (default: four decades up to it).

    >>> from surrogate import toys
    >>> figure = bounds(toys.two_clients(), steps=10)
    >>> figure.axes[0].get_xscale(), len(figure.axes[0].lines)
    ('log', 4)
    """
    rates = np.geomspace(1e-4, 1 - 1e-6, 81) / clients.L if gammas is None else np.asarray(gammas, dtype=float)
    if not (np.all(rates > 0) and np.all(rates * clients.L < 1)):
        raise problem(
            "gammas", f"from {rates.min():.4g} to {rates.max():.4g}", f"between 0 and 1/L = {1 / clients.L:.4g}",
            "rates at which the theorems say nothing", "leave gammas out, or stay below 1/L",
        )  # fmt: skip
    theta = Theta.sum(steps)
    truth = [float(np.linalg.norm(Surrogate(clients, gamma, theta).displacement)) for gamma in rates]
    with _page((5.6, 3.6)) as figure:
        ax = figure.subplots()
        for name, colour in _BOUNDS.items():
            values = reported.displacement_bound(name, clients, rates, theta)
            label = f"{STATEMENTS[name]}: {reported.judged(name)}"
            ax.loglog(rates, values, color=style.COLOURS[colour], label=label)
        ax.loglog(rates, truth, color=style.COLOURS["black"], label="truth")
        ax.set_xlabel("client rate γ")
        ax.set_ylabel("distance of rest from x*")
        ax.set_title(f"FedAvg, {steps} local step{'s' if steps > 1 else ''}")
        ax.legend(loc="best")
    return figure


def verdict(statement_id: str) -> Figure:
    """One verdict on a slide: what the statement says, whether it holds, by which evidence, and how tight it is.

    >>> [text.get_text() for text in verdict("OLR.T17").texts][:2]
    ['OLR.T17: Theorem 17, section 6', 'holds (certified)']
    """
    from theorems import verdict as recorded

    record = recorded(statement_id)
    if record is None:
        raise problem(
            "the statement", repr(statement_id), "an id with a recorded verdict", "a slip, or one not judged yet",
            "`surrogate statements` lists them all",
        )  # fmt: skip
    details = ", ".join(filter(None, [record["severity"], record["evidence"]]))
    with _page((5.6, 2.4)) as figure:
        figure.set_layout_engine("none")
        figure.text(0.03, 0.9, f"{record['id']}: {record['location']}", fontsize=11, va="top", weight="bold")
        colour = style.COLOURS[_VERDICTS[record["verdict"]]]
        figure.text(0.03, 0.76, f"{record['verdict']} ({details})", fontsize=13, va="top", color=colour, weight="bold")
        figure.text(0.03, 0.58, style.wrapped(_plain(record["says"]), 3.7), fontsize=9, va="top")
        if record["tightness"]:
            _tightness(figure.add_axes((0.03, 0.2, 0.94, 0.07)), record["tightness"]["ratio"])
    return figure


@contextlib.contextmanager
def _page(size: tuple[float, float]) -> Iterator[Figure]:
    """A figure in our style that is not pyplot's, which needs no closing."""
    import matplotlib
    from matplotlib import pyplot  # noqa: F401  (teaches a notebook to show figures)
    from matplotlib.figure import Figure

    with matplotlib.rc_context(style.rc()):
        yield Figure(figsize=size, layout="constrained")


def _minimizers(clients: Quadratics) -> Any:
    """(m, d): of the clients that have one."""
    try:
        return clients.c
    except ProblemError:
        return np.empty((0, clients.d))


def _window(field: Field) -> tuple[Any, Any]:
    """The box to show: all points of interest, and some room."""
    points = np.vstack([_minimizers(field.clients), field.clients.minimizer, field.resting_point])
    room = 0.25 * np.ptp(points, axis=0).max() or 1.0
    return points.min(axis=0) - room, points.max(axis=0) + room


def _curves(ax: Any, field: Field) -> None:
    low, high = _window(field)
    x = np.linspace(low[0], high[0], 301)
    rest, best = field.resting_point[0], field.clients.minimizer[0]
    ax.plot(x, (x - best) ** 2 / 2, color=_TRUE, label="true loss f")
    ax.plot(best, 0, "o", color=_TRUE, label=f"x* = {best:.4g}", clip_on=False, zorder=3)
    ax.plot(x, (x - rest) ** 2 / 2, "--", color=_OURS, label="surrogate loss")
    ax.plot(rest, 0, "D", color=_OURS, label=f"rests at {rest:.4g}", clip_on=False, zorder=3)
    minimizers = _minimizers(field.clients)[:, 0]
    ax.plot(minimizers, 0 * minimizers, "s", color=_CLIENT, label="client minimizers", clip_on=False, zorder=2)
    ax.set_ylim(bottom=0)
    ax.set_xlabel("x")
    ax.set_ylabel("loss above its minimum / curvature")
    ax.legend(loc="best")


def _levels(ax: Any, field: Field) -> None:
    from matplotlib.lines import Line2D

    low, high = _window(field)
    grids = np.meshgrid(np.linspace(low[0], high[0], 161), np.linspace(low[1], high[1], 161))
    x = np.stack(grids, axis=-1)
    clients, has_loss = field.clients, field.has_loss()
    off, moved = x - clients.minimizer, x - field.resting_point
    values = np.einsum("abi,ij,abj->ab", off, clients.hessian, off)
    answers = moved @ field.jacobian.T
    ours = (moved * answers).sum(axis=-1) if has_loss else np.linalg.norm(answers, axis=-1)
    for drawn, colour, line in ((values, _TRUE, "solid"), (ours, _OURS, "dashed")):
        levels = np.unique(np.quantile(drawn, [0.02, 0.1, 0.25, 0.5, 0.8]))
        ax.contour(*grids, drawn, levels=levels, colors=colour, linestyles=line, linewidths=0.9)
    ax.plot(*_minimizers(clients).T, "s", color=_CLIENT, label="client minimizers")
    ax.plot(*clients.minimizer, "o", color=_TRUE, label="x*")
    ax.plot(*field.resting_point, "D", color=_OURS, label="rests here")
    handles = [
        Line2D([], [], color=_TRUE, label="levels of f"),
        Line2D([], [], color=_OURS, linestyle="--", label="of the surrogate" if has_loss else "of ||F(x)||"),
        *ax.get_legend_handles_labels()[0],
    ]
    ax.legend(handles=handles, loc="center left", bbox_to_anchor=(1, 0.5))
    ax.set_aspect("equal")


def _tightness(ax: Any, ratio: float) -> None:
    ax.barh(0, 1, color=style.COLOURS["grey"], alpha=0.25)
    ax.barh(0, ratio, color=style.COLOURS["blue"])
    ax.set(xlim=(0, 1), yticks=[], xlabel=f"largest left side / right side found: {ratio:.4g} (1: attained)")


def _plain(text: str) -> str:
    """Without what matplotlib would take for mathematics."""
    return text.replace("$", r"\$")
