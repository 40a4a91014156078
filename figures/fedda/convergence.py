"""Figures 1 to 4, 7 and 8: accuracy and loss of the ten methods along the rounds, a panel an optimizer.

A curve converges where it first reaches a target that all share: 9/10 of the best baseline's final accuracy, or the
best baseline's final loss and a tenth of its fall. (A method's own turning point, which the paper's text counts rounds
to, would call those fastest that learn nothing.)
"""

from __future__ import annotations

import math
import textwrap
from collections.abc import Sequence
from typing import Any

from figures import curves, series, style
from figures.fedda import printed, settings
from figures.findings import Finding, judge, vote
from figures.records import Axes, Drawing, Look, Table

__all__ = ["draw", "early", "fastest", "flattens", "saves"]

SHARE = 0.9  # of the best baseline's final accuracy, or of its fall in loss
BETTER = {"value": "max", "loss": "min"}
NAMES = {"accuracy": "test accuracy", "recall_at_5": "recall at 5 (the paper's accuracy)"}
BELOW = 40  # letters that fit below a panel
STABLE = 200 / 1500  # of the rounds: "within less than 200 training rounds"


def _curve(rows: Table, measure: str, method: str, optimizer: str) -> series.Curve:
    known = settings.ANY_OPTIMIZER if method in settings.ANY else optimizer
    return series.curve(rows, measure, method=method, optimizer=known)


def _reached(rows: Table, measure: str, optimizer: str) -> dict[str, list[float]]:
    """Rounds to the target: of the mean over seeds, then of each seed. Infinite where a seed diverged."""
    curves = {method: _curve(rows, measure, method, optimizer) for method in settings.METHODS}
    target = _target([one for method, one in curves.items() if method != "fedda"], measure)
    return {
        method: [
            math.inf if one.diverged else series.rounds_to(one.rounds, path, target, BETTER[measure])
            for path in (one.mean, *one.each)
        ]
        for method, one in curves.items()
    }


def _target(baselines: Sequence[series.Curve], measure: str) -> float:
    kept = [one.mean for one in baselines if not one.diverged]
    if not kept:
        return math.nan
    if measure == "value":
        return SHARE * max(float(path[-1]) for path in kept)
    best = min(kept, key=lambda path: float(path[-1]))
    return float(best[-1] + (1 - SHARE) * (best[0] - best[-1]))


def fastest(rows: Table, measure: str, claim: str) -> Finding:
    """With two optimizers of three, with each seed: FedDA reaches the target before every other method."""
    wins: list[list[float]] = []
    numbers: dict[str, float] = {}
    for optimizer in settings.OPTIMIZERS:
        reached = _reached(rows, measure, optimizer)
        ours, others = reached["fedda"], _soonest(reached)
        numbers |= {
            f"{settings.WORDS[optimizer]}, FedDA": ours[0],
            f"{settings.WORDS[optimizer]}, best other": others[0],
        }
        wins.append([float(a < b) for a, b in zip(ours[1:], others[1:], strict=True)])
    goal = "9/10 of the best baseline's final accuracy" if measure == "value" else "9/10 of the best baseline's fall"
    return vote(
        claim,
        f"rounds to {goal}: with each seed, FedDA needs fewer than every other with two optimizers of three",
        [sum(seed) - 1.5 for seed in zip(*wins, strict=True)],
        numbers,
    )


def _soonest(reached: dict[str, list[float]]) -> list[float]:
    others = [path for method, path in reached.items() if method != "fedda"]
    return [math.nan if any(map(math.isnan, each)) else min(each) for each in zip(*others, strict=False)]


def saves(rows: Table, task: str, claim: str) -> Finding:
    """The share of rounds that FedDA saves against the mean of the baselines, averaged over the optimizers.

    Those that never reach the target count as if they did at the end, which makes the saving less than it is.
    """
    numbers: dict[str, float] = {}
    last = float(max(series.values(rows, "round")))
    for optimizer in settings.OPTIMIZERS:
        reached = {method: path[0] for method, path in _reached(rows, "value", optimizer).items()}
        ends = {method: min(rounds, last) if rounds == rounds else math.nan for method, rounds in reached.items()}
        others = [rounds for method, rounds in ends.items() if method != "fedda"]
        whole = sum(others) / len(others)
        numbers[settings.WORDS[optimizer]] = 1 - ends["fedda"] / whole if whole else math.nan
    mean = sum(numbers.values()) / len(numbers)
    least = printed.SAVED[task] / 2
    check = (
        f"rounds to 9/10 of the best baseline's final accuracy: FedDA saves at least {least:.3f}, half of the printed"
    )
    return judge(claim, check, mean >= least, {"saved": mean, **numbers})


def flattens(rows: Table, claim: str) -> Finding:
    """Most curves rise more in the first quarter of the rounds than in the last one."""
    rising, total, bad = 0, 0, False
    for method, optimizer in _all(rows):
        one = _curve(rows, "value", method, optimizer)
        quarter = one.rounds[-1] / 4
        first, last = _rise(one, 0, quarter), _rise(one, one.rounds[-1] - quarter, one.rounds[-1])
        flat = first > max(last, 0) and not one.diverged
        rising, total, bad = rising + flat, total + 1, bad or first != first or last != last
    share = math.nan if bad else rising / total
    return judge(claim, "more than half of the curves rise more in the first quarter than in the last", share > 0.5,
                 {"share of the curves": share, "curves": total})  # fmt: skip


def _rise(one: series.Curve, start: float, end: float) -> float:
    at = [int((one.rounds >= moment).argmax()) for moment in (start, end)]
    return float(one.mean[at[1]] - one.mean[at[0]])


def early(rows: Table, claim: str) -> Finding:
    """With each optimizer FedDA's loss makes 9/10 of its fall in the first 200/1500 of the rounds, and stays there."""
    numbers = {}
    for optimizer in settings.OPTIMIZERS:
        one = _curve(rows, "loss", "fedda", optimizer)
        path = one.mean
        outside = path > path[-1] + (1 - SHARE) * (path[0] - path[-1])
        settled = one.rounds[outside].max() / one.rounds[-1] if outside.any() else 0.0
        lost = one.diverged or path[-1] >= path[0]
        numbers[settings.WORDS[optimizer]] = (
            math.nan if math.isnan(path.sum()) else math.inf if lost else float(settled)
        )
    check = "the last round outside of a tenth of the fall above the end, over all rounds: less than 200/1500 with each"
    return judge(claim, check, max(numbers.values()) < STABLE, numbers)


def _all(rows: Table) -> list[tuple[str, str]]:
    methods = series.values(rows, "method")
    return [
        (method, optimizer)
        for method in methods
        for optimizer in ((settings.ANY_OPTIMIZER,) if method in settings.ANY else settings.OPTIMIZERS)
    ]


def draw(rows: Table, task: str, measure: str) -> Drawing:
    """A panel an optimizer, a line a method, FedDA on top."""
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(1, 3, figsize=(9.6, 3.4), sharey=True)
    looks = curves.looks(["fedda", *(method for method in settings.METHODS if method != "fedda")])
    for ax, optimizer in zip(axes, settings.OPTIMIZERS, strict=True):
        lost = []
        for method, title in settings.METHODS.items():
            one = _curve(rows, measure, method, optimizer)
            if one.diverged:
                lost.append(title)
            else:
                _line(ax, one, looks[method], title, method == "fedda")
        note = textwrap.fill(f"diverged: {', '.join(lost)}", BELOW) if lost else ""
        ax.set(title=settings.WORDS[optimizer], xlabel=f"training rounds\n{note}".rstrip(), xlim=(0, None))
        ax.xaxis.get_major_locator().set_params(integer=True)
    axes[0].set_ylabel("training loss" if measure == "loss" else NAMES[settings.MEASURES[task]])
    if measure == "loss":
        _bounded(axes, rows)
    handles = {label: handle for ax in axes for handle, label in zip(*ax.get_legend_handles_labels(), strict=True)}
    order = [title for title in settings.METHODS.values() if title in handles]
    figure.legend([handles[title] for title in order], order, loc="outside right center")
    style.sourced(
        figure,
        rows,
        "Methods without an optimizer are the same in all panels, with SGDM's local iterations; at laptop scale each "
        "at the best of three rates (FedOpt and FedDA of five pairs) by training loss; clients, networks, rounds, "
        "rates, the tail's length, STEM's a: ours, Table 12's at paper scale. Lines: mean over seeds; band: FedDA's "
        "range.",
    )
    return figure


def _line(ax: Axes, one: series.Curve, look: Look, title: str, ours: bool) -> None:
    """FedDA with the range of its seeds, the others without: ten bands would hide the lines."""
    drawn = one if ours else series.Curve(one.rounds, one.mean[None])
    curves.line(ax, drawn, look, title).set(zorder=3 if ours else 2, linewidth=2.2 if ours else 1.2)


def _bounded(axes: Any, rows: Table) -> None:
    """A loss that explodes must not flatten all others."""
    starts = [row["loss"] for row in rows.to_pylist() if row["round"] == 0]
    top = max(ax.get_ylim()[1] for ax in axes)
    if starts and top > 1.5 * max(starts):
        axes[0].set_ylim(axes[0].get_ylim()[0], 1.5 * max(starts))
