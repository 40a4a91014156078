"""LocalUpdate with Yogi on the server, eta = 0.01, and every client rate, on the two Stack Overflow tasks (8.4)."""

from __future__ import annotations

import math
from functools import partial

from figures.figure import Figure
from figures.findings import Finding, judge
from figures.outsized import compare, panels, settings, tuning
from figures.outsized.tuning import Tuned
from figures.records import Table

CLAIMS = {
    "starts": "large gamma leads to an initially smaller loss",
    "matched": "which is eventually beaten or matched by smaller gamma",
    "agree": "we see similar behavior among all but the largest gamma in both tasks",
}


def findings(rows: Table) -> list[Finding]:
    """On both tasks; "the largest" is the largest rate that does not diverge."""
    by_title = {settings.TITLES[task]: sound(tuning.constant(rows, task)) for task in settings.POSTS}
    early = {
        title: {gamma: compare.early(one.curve) for gamma, one in by_rate.items()}
        for title, by_rate in by_title.items()
    }
    end = {title: {gamma: one.curve.end for gamma, one in by_rate.items()} for title, by_rate in by_title.items()}
    smaller = {
        title: [value for gamma, value in by_rate.items() if gamma < max(by_rate)] for title, by_rate in end.items()
    }
    start = {title: float(by_rate[min(by_rate)].curve.mean[0]) for title, by_rate in by_title.items()}
    return [
        judge(
            CLAIMS["starts"],
            "mean loss over the first fifth of the rounds: on both the largest gamma is below gamma = 0",
            all(by_rate[max(by_rate)] < by_rate[min(by_rate)] for by_rate in early.values()),
            _numbers(early),
        ),
        compare.comparisons(
            CLAIMS["matched"],
            "on both the least final loss of smaller gamma is comparable to that of the largest",
            {
                title: (compare.least(smaller[title]), by_rate[max(by_rate)], start[title])
                for title, by_rate in end.items()
            },
            _numbers(end),
        ),
        compare.comparisons(
            CLAIMS["agree"],
            "on both, of all but the largest gamma, the largest final loss is comparable to the least",
            {title: (*_apart(losses), start[title]) for title, losses in smaller.items()},
            {
                f"{title}, {word}": value
                for title, losses in smaller.items()
                for word, value in zip(("largest", "least"), _apart(losses), strict=True)
            },
        ),
    ]


def sound(by_rate: dict[float, Tuned]) -> dict[float, Tuned]:
    """Those that did not diverge."""
    return {gamma: one for gamma, one in by_rate.items() if not one.curve.diverged} or by_rate


def _apart(losses: list[float]) -> tuple[float, float]:
    """The largest and the least; unknown where there are not two."""
    return (max(losses), compare.least(losses)) if len(losses) > 1 else (math.nan, math.nan)


def _numbers(values: dict[str, dict[float, float]]) -> dict[str, float]:
    return {f"{title}, gamma {gamma:g}": value for title, by_rate in values.items() for gamma, value in by_rate.items()}


TEXT = r"$\eta = 0.01$, $K = 10$, Yogi with 0.9, 0.99, $10^{-5}$: the paper's; " + settings.OURS
FIGURE = Figure(
    module=__name__,
    id="OLR.F6",
    title="Loss of LocalUpdate with server Yogi, server rate 0.01, as the client rate varies",
    alt="Two panels, Stack Overflow tag prediction and next word prediction: the loss of the round's clients before "
    "they train, against rounds, one line a client rate, pale to dark. Whether all but the largest agree, and whether "
    "the largest starts fastest and is matched later, is told by the findings below.",
    claims=CLAIMS,
    flagship=True,
    statements=("OLR.D6",),
    runs=partial(settings.fixed, settings.POSTS),
    table=tuning.table,
    findings=findings,
    draw=partial(panels.draw, tasks=settings.POSTS, text=TEXT),
)
