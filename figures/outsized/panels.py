"""A panel a task, a line a client rate, and LocalUpdateDecay where it is compared: Figures 5 to 9."""

from __future__ import annotations

from collections.abc import Sequence

from figures import curves, series, style
from figures.outsized import settings, tuning
from figures.records import Drawing, Table

__all__ = ["draw"]

WINDOW = 10  # rounds over which the loss of the round's few clients is smoothed


def draw(rows: Table, tasks: Sequence[str], text: str) -> Drawing:
    """Each client rate with its tuned server rate; a table that holds LocalUpdateDecay shows it, too."""
    from matplotlib import pyplot

    by_task = {task: tuning.constant(rows, task) for task in tasks}
    figure, axes = pyplot.subplots(1, len(tasks), figsize=(1.6 + 2.7 * len(tasks), 3.3))
    looks = curves.ranked(sorted({gamma for by_rate in by_task.values() for gamma in by_rate}))
    shrinks = tuning.DECAY in series.values(rows, "method")
    for ax, task in zip(axes, tasks, strict=True):
        window = WINDOW if task in settings.POSTS else 1
        lost = [f"{gamma:g}" for gamma, one in by_task[task].items() if one.curve.diverged]
        for gamma, one in by_task[task].items():
            if not one.curve.diverged:
                curves.line(ax, one.curve, looks[gamma], rf"$\gamma={gamma:g}$", window)
        if shrinks:
            dashed = {"color": "black", "linestyle": (0, (4, 1.5)), "zorder": 5}
            curves.line(ax, tuning.decayed(rows, task).curve, dashed, "ReduceLR", window)
        diverged = f"\n($\\gamma=${', '.join(lost)} diverged)" if lost else ""
        ax.set(title=settings.TITLES[task] + diverged, xlabel="rounds $t$", xlim=(0, None))
    posts = tasks[0] in settings.POSTS
    axes[0].set_ylabel("loss of the round's clients" if posts else "training loss $f(x_t)$")
    handles = {label: handle for ax in axes for handle, label in zip(*ax.get_legend_handles_labels(), strict=True)}
    order = sorted(handles, key=_rank)
    figure.legend([handles[label] for label in order], order, loc="outside right center")
    smooth = f" Means over {WINDOW} rounds." if posts else ""
    style.sourced(figure, rows, f"{text}{smooth} {curves.BAND}")
    return figure


def _rank(label: str) -> float:
    return float("inf") if label == "ReduceLR" else float(label.strip("$").partition("=")[2])
