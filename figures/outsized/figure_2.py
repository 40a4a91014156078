r"""LocalUpdate with one server rate and every client rate, on three tasks: which loss it reaches, and how fast.

eta = 0.01, theta_{1:10}, gamma over the grid of section 8.1; the loss is the true one, over training clients. Settings
that diverge are left out of the drawing, as in the paper, and named.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import partial

from figures import curves, series, style
from figures.figure import Figure
from figures.findings import Finding, judge, vote
from figures.outsized import compare, settings
from figures.records import Columns, Drawing, Table, Trained

CLAIMS = {
    "ends": "on FEMNIST and CIFAR-100, smaller client rates eventually reach lower training losses",
    "starts": "on CIFAR-100, gamma = 0.01 initially performs better than all others",
    "surpassed": "on CIFAR-100, gamma = 0.01 is eventually surpassed by gamma = 0.001",
    "large": "on CIFAR-100, gamma = 1 results in a sub-optimal training loss",
    "gaps": "the gaps between client rates are much smaller on FEMNIST and Shakespeare than on CIFAR-100",
}

SUBOPTIMAL = 1.05  # times the least final loss
MUCH = 2.0  # times smaller
Curves = dict[float, series.Curve]  # of one task, by client rate


def table(scale: str, results: Sequence[Trained]) -> Columns:
    """One row a run and measured round: task, gamma, seed, status, round, loss."""
    return series.long(results, ("task", "gamma", "seed"), ("loss",))


def findings(rows: Table) -> list[Finding]:
    """The paper's conclusions, on final losses (mean over the last 100 rounds, or the second half of a short run)."""
    by_task = {task: _curves(rows, task) for task in settings.IMAGES_AND_PLAYS}
    cifar = by_task[settings.CIFAR]
    return [_ends(by_task), _starts(cifar), _surpassed(cifar), _large(cifar), _gaps(by_task)]


def _ends(by_task: dict[str, Curves]) -> Finding:
    margins: list[float] = []
    numbers: dict[str, float] = {}
    for task in (settings.EMNIST, settings.CIFAR):
        curves = by_task[task]
        positive = [gamma for gamma, curve in curves.items() if gamma > 0 and not curve.diverged]
        small, large = (curves[pick(positive)].ends if positive else [math.nan] for pick in (min, max))
        margins += [high - low for low, high in zip(small, large, strict=True)]
        numbers |= {f"{settings.TITLES[task]}, small rate": _mean(small)}
        numbers |= {f"{settings.TITLES[task]}, large rate": _mean(large)}
    check = "on both, with each seed: the least positive rate ends below the largest that does not diverge"
    return vote(CLAIMS["ends"], check, margins, numbers)


def _starts(cifar: Curves) -> Finding:
    early = {gamma: compare.early(curve) for gamma, curve in cifar.items()}
    return judge(
        CLAIMS["starts"],
        "mean loss over the first fifth of the rounds, without the start: less at 0.01 than at any other",
        all(early[0.01] < other for gamma, other in early.items() if gamma != 0.01),
        {f"gamma {gamma:g}": value for gamma, value in early.items()},
    )


def _large(cifar: Curves) -> Finding:
    largest = max(gamma for gamma in cifar if gamma <= 1)
    end, least = cifar[largest].end, min(curve.end for curve in cifar.values())
    return judge(
        CLAIMS["large"],
        "the final loss at the largest rate up to 1 is at least 1.05 times the least one",
        end >= SUBOPTIMAL * least,
        {f"gamma {largest:g}": end, "least": least},
        unless=math.isinf(least),
    )


def _gaps(by_task: dict[str, Curves]) -> Finding:
    gaps = {task: _gap(curves) for task, curves in by_task.items()}
    return judge(
        CLAIMS["gaps"],
        "largest minus least final loss, of rates that do not diverge: on both at most half of CIFAR-100's",
        MUCH * max(gaps[settings.EMNIST], gaps[settings.PLAYS]) <= gaps[settings.CIFAR],
        {settings.TITLES[task]: gap for task, gap in gaps.items()},
        unless=gaps[settings.CIFAR] == 0,
    )


def _surpassed(cifar: Curves) -> Finding:
    check = "with each seed the final loss at 0.001 is below that at 0.01"
    if 0.001 not in cifar:  # at smoke scale
        return vote(CLAIMS["surpassed"], check, [], {"gamma 0.01": cifar[0.01].end})
    pair = [cifar[gamma] for gamma in (0.001, 0.01)]
    margins = [high - low for low, high in zip(*(one.ends for one in pair), strict=True)]
    return vote(CLAIMS["surpassed"], check, margins, {"gamma 0.001": pair[0].end, "gamma 0.01": pair[1].end})


def _curves(rows: Table, task: str) -> Curves:
    rates = sorted({row["gamma"] for row in rows.to_pylist()})
    return {gamma: series.curve(rows, "loss", task=task, gamma=gamma) for gamma in rates}


def _gap(curves: Curves) -> float:
    ends = [curve.end for curve in curves.values() if not math.isinf(curve.end)]
    return max(ends) - min(ends) if ends else math.nan


def _mean(ends: Sequence[float]) -> float:
    return sum(ends) / len(ends)


def draw(rows: Table) -> Drawing:
    """A panel a task, a line a client rate, in the order of the paper."""
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(1, 3, figsize=(9.6, 3.3))
    looks = curves.ranked(series.values(rows, "gamma"))
    for ax, task in zip(axes, settings.IMAGES_AND_PLAYS, strict=True):
        by_rate = _curves(rows, task)
        lost = [f"{gamma:g}" for gamma, one in by_rate.items() if one.diverged]
        for gamma, one in by_rate.items():
            if not one.diverged:
                curves.line(ax, one, looks[gamma], rf"$\gamma={gamma:g}$")
        title = settings.TITLES[task] + (f"\n($\\gamma=${', '.join(lost)} diverged)" if lost else "")
        ax.set(title=title, xlabel="rounds $t$", xlim=(0, None))
    axes[0].set_ylabel("training loss $f(x_t)$")
    handles = {label: handle for ax in axes for handle, label in zip(*ax.get_legend_handles_labels(), strict=True)}
    figure.legend(handles.values(), handles.keys(), loc="outside right center")
    style.sourced(
        figure,
        rows,
        rf"$\eta = 0.01$, $K = 10$, grid of $\gamma$: the paper's (a part of the grid below paper scale); "
        f"{settings.OURS} {curves.BAND}",
    )
    return figure


FIGURE = Figure(
    module=__name__,
    id="OLR.F2",
    title="Training loss of LocalUpdate, server rate 0.01, as the client rate varies",
    alt="Three panels, FEMNIST, CIFAR-100 and Shakespeare: training loss against rounds, one line a client rate from 0 "
    "to the largest that does not diverge, pale to dark. Which rate starts fastest, and which ends lowest, is told by "
    "the findings below, for the scale and data that the figure names.",
    claims=CLAIMS,
    flagship=True,
    statements=("OLR.C13",),
    runs=partial(settings.fixed, settings.IMAGES_AND_PLAYS),
    table=table,
    findings=findings,
    draw=draw,
)
