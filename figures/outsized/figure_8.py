"""LocalUpdateDecay against LocalUpdate with tuned constant rates, on three tasks (9.2)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from figures.figure import Figure
from figures.findings import Finding, judge, vote
from figures.outsized import compare, panels, settings, tuning
from figures.records import Table
from figures.series import Curve

CLAIMS = {
    "ends": "on all three tasks, LocalUpdateDecay eventually does as well as LocalUpdate with tuned gamma",
    "throughout": "on FEMNIST and Shakespeare it does so almost immediately, and throughout the course of training",
    "basin": "on CIFAR-100, the decay moves away from the suboptimal basin of the rate that it starts with",
}

IMMEDIATELY, THROUGHOUT = 0.1, 1.02  # of all rounds; times the best constant rate's loss at that round


def findings(rows: Table) -> list[Finding]:
    """Against the best constant client rate, each with its best server rate."""
    tasks, titles = settings.IMAGES_AND_PLAYS, settings.TITLES
    by_task = {task: tuning.constant(rows, task) for task in tasks}
    shrunk = {task: tuning.decayed(rows, task) for task in tasks}
    rivals = {task: [one.curve for one in decayed.values()] for task, decayed in by_task.items()}
    ends = {task: (shrunk[task].curve.end, compare.least(one.end for one in rivals[task])) for task in tasks}
    worst = {
        titles[task]: compare.worst_after(shrunk[task].curve, rivals[task], IMMEDIATELY)
        for task in (settings.EMNIST, settings.PLAYS)
    }
    decayed = shrunk[settings.CIFAR]
    still = by_task[settings.CIFAR][decayed.gamma].curve
    return [
        compare.comparisons(
            CLAIMS["ends"],
            "on each, its final loss is comparable to the best constant rate's",
            {titles[task]: (*pair, float(shrunk[task].curve.mean[0])) for task, pair in ends.items()},
            {
                f"{titles[task]}, {word}": value
                for task, pair in ends.items()
                for word, value in zip(("decay", "constant"), pair, strict=True)
            },
        ),
        judge(
            CLAIMS["throughout"],
            f"on both, after the first tenth of the rounds its loss is at most {THROUGHOUT} times the best constant "
            "rate's of that round (numbers: the largest ratio)",
            all(ratio <= THROUGHOUT for ratio in worst.values()),
            worst,
            unless=any(_stuck(rivals[task]) for task in (settings.EMNIST, settings.PLAYS)),
        ),
        vote(
            CLAIMS["basin"],
            "with each seed it ends below LocalUpdate with that client rate and its best server rate",
            [b - a for a, b in zip(decayed.curve.ends, still.ends, strict=True)],
            {"decay": decayed.curve.end, "constant": still.end, "log10 gamma": _log(decayed.gamma)},
        ),
    ]


def _stuck(rivals: Sequence[Curve]) -> bool:
    """Whether no constant rate learns."""
    return all(one.end >= one.mean[0] for one in rivals)


def _log(gamma: float) -> float:
    from math import log10

    return log10(gamma)


TEXT = (
    r"Rates as tuned (Tables 2 to 5), $K = 10$, $\Delta = 10^{-4}$, $\alpha = 0.1$, $\beta = 0.9$: the paper's; "
    r"rounds, and below paper scale clients, widths and $W = P = C$: ours."
)
FIGURE = Figure(
    module=__name__,
    id="OLR.F8",
    title="Training loss of LocalUpdateDecay and of LocalUpdate with tuned rates",
    alt="Three panels, FEMNIST, CIFAR-100 and Shakespeare: training loss against rounds, one line a constant client "
    "rate, pale to dark, each with its best server rate, and LocalUpdateDecay (ReduceLR) as a dashed black line. "
    "Whether it ends as low as the best constant rate is told by the findings below.",
    claims=CLAIMS,
    flagship=True,
    statements=("OLR.A3", "OLR.T29"),
    runs=partial(settings.with_decay, settings.IMAGES_AND_PLAYS),
    then=tuning.others,
    table=tuning.table,
    findings=findings,
    draw=partial(panels.draw, tasks=settings.IMAGES_AND_PLAYS, text=TEXT),
)
