"""LocalUpdate with every client rate and the best server rate of each, on three tasks (8.3)."""

from __future__ import annotations

from functools import partial

from figures.figure import Figure
from figures.findings import Finding, judge
from figures.outsized import compare, panels, settings, tuning
from figures.records import Table

CLAIMS = {
    "initially": "large client rates may obtain a smaller training loss initially",
    "comparable": "eventually smaller values of gamma perform comparably, if not better",
    "late": "on all three tasks gamma = 0 does not perform comparably until near the end of training",
    "mitigated": "by tuning, the suboptimality of FedAvg/Reptile for gamma > 0 is mitigated",
}

NEAR_THE_END = 0.75  # of all rounds


def findings(rows: Table) -> list[Finding]:
    """All must hold on all three tasks; losses are means over seeds."""
    by_title = {settings.TITLES[task]: tuning.constant(rows, task) for task in settings.IMAGES_AND_PLAYS}
    zero = {title: by_rate[0.0].curve for title, by_rate in by_title.items()}
    rest = {title: [one.curve for gamma, one in by_rate.items() if gamma > 0] for title, by_rate in by_title.items()}
    early = {title: (compare.early(zero[title]), compare.least(map(compare.early, rest[title]))) for title in by_title}
    last = {title: (compare.late(zero[title]), compare.least(map(compare.late, rest[title]))) for title in by_title}
    end = {title: (zero[title].end, compare.least(one.end for one in rest[title])) for title in by_title}
    start = {title: float(zero[title].mean[0]) for title in by_title}
    caught = {title: compare.catches_up(zero[title], rest[title]) for title in by_title}
    return [
        judge(
            CLAIMS["initially"],
            "mean loss over the first fifth of the rounds, without the start: on all three the best gamma > 0 is below "
            "gamma = 0",
            all(other < by_rate for by_rate, other in early.values()),
            _pairs(early),
        ),
        compare.comparisons(
            CLAIMS["comparable"],
            "mean loss over the last quarter of the rounds: on all three that of gamma = 0 is comparable to the best "
            "other's",
            {title: (*last[title], start[title]) for title in by_title},
            _pairs(last),
        ),
        judge(
            CLAIMS["late"],
            f"on all three the round after which gamma = 0 stays within {compare.CLOSE} times the best other is past "
            f"{NEAR_THE_END} of all (numbers: its share of the rounds; inf: not within them)",
            all(share > NEAR_THE_END for share in caught.values()),
            caught,
        ),
        compare.comparisons(
            CLAIMS["mitigated"],
            "on all three the best final loss at gamma > 0 is comparable to that at gamma = 0",
            {title: (other, by_rate, start[title]) for title, (by_rate, other) in end.items()},
            _pairs(end),
        ),
    ]


def _pairs(values: dict[str, tuple[float, float]]) -> dict[str, float]:
    words = ("gamma 0", "best gamma > 0")
    return {
        f"{title}, {word}": value for title, pair in values.items() for word, value in zip(words, pair, strict=True)
    }


TEXT = rf"$\eta$ tuned for each $\gamma$ (Tables 3 to 5), $K = 10$: the paper's; {settings.OURS}"
FIGURE = Figure(
    module=__name__,
    id="OLR.F5",
    title="Training loss of LocalUpdate with tuned server rates, as the client rate varies",
    alt="Three panels, FEMNIST, CIFAR-100 and Shakespeare: training loss against rounds, one line a client rate, pale "
    "to dark, each with its own best server rate. Whether gamma = 0 starts slowest and catches up near the end is told "
    "by the findings below.",
    claims=CLAIMS,
    flagship=True,
    statements=("OLR.C13", "OLR.T26"),
    runs=partial(settings.grid, settings.IMAGES_AND_PLAYS),
    then=tuning.others,
    table=tuning.table,
    findings=findings,
    draw=partial(panels.draw, tasks=settings.IMAGES_AND_PLAYS, text=TEXT),
)
