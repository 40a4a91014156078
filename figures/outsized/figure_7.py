"""LocalUpdate with Yogi on the server, every client rate and the best server rate of each (8.4)."""

from __future__ import annotations

import math
from functools import partial

import numpy as np

from figures.figure import Figure
from figures.findings import Finding, judge, vote
from figures.outsized import compare, panels, settings, tuning
from figures.outsized.tuning import Tuned
from figures.records import Keys, Table

CLAIMS = {
    "tags": "tag prediction with tuned eta leads to the smaller gamma performing better throughout training",
    "words": "next word prediction with tuned eta allows larger gamma to achieve lower loss throughout",
    "winnows": "the gap between large and small gamma in next word prediction winnows as the rounds increase",
    "critical": "server learning rate tuning is critical to ensure the best performance, even with Yogi",
}

CRITICAL = 0.95  # times the best loss with eta = 0.01


def runs(scale: str) -> list[Keys]:
    """The grid of both rates, and eta = 0.01 where it is not in it."""
    grid = settings.grid(settings.POSTS, scale)
    return grid + [keys for keys in settings.fixed(settings.POSTS, scale) if keys not in grid and not keys["seed"]]


def findings(rows: Table) -> list[Finding]:
    """Small is gamma = 0, large the largest that does not diverge; each quarter of the rounds is compared."""
    parts = {task: _ends(tuning.constant(rows, task)) for task in settings.POSTS}
    above = {task: compare.above(large, small) for task, (small, large) in parts.items()}  # (seeds, quarters)
    gap = np.abs(above[settings.WORDS])
    throughout = "with each seed, in each quarter of the rounds: mean loss at {} below that at {}"
    small, large = "gamma = 0", "the largest gamma that does not diverge"
    tuned, fixed = _best(rows), _best(rows, settings.ETA)
    return [
        vote(
            CLAIMS["tags"],
            throughout.format(small, large),
            [float(margin) for margin in above[settings.TAGS].min(axis=1)],
            _numbers(parts[settings.TAGS]),
        ),
        vote(
            CLAIMS["words"],
            throughout.format(large, small),
            [float(-margin) for margin in above[settings.WORDS].max(axis=1)],
            _numbers(parts[settings.WORDS]),
        ),
        vote(
            CLAIMS["winnows"],
            "with each seed the gap between the two is smaller in the last quarter of the rounds than in the first",
            [float(first - last) for first, last in gap[:, [0, 3]]],
            {"first quarter": float(gap[:, 0].mean()), "last quarter": float(gap[:, 3].mean())},
        ),
        judge(
            CLAIMS["critical"],
            f"on both the best final loss (first seed) is at most {CRITICAL} times the best with eta = 0.01",
            all(tuned[task] <= CRITICAL * fixed[task] for task in settings.POSTS),
            {
                f"{settings.TITLES[task]}, {word}": one[task]
                for task in settings.POSTS
                for word, one in (("tuned", tuned), ("eta 0.01", fixed))
            },
            unless=any(map(math.isinf, tuned.values())),
        ),
    ]


def _ends(by_rate: dict[float, Tuned]) -> tuple[np.ndarray, np.ndarray]:
    return compare.quarters(by_rate[0.0].curve), compare.quarters(by_rate[compare.largest(by_rate)].curve)


def _numbers(parts: tuple[np.ndarray, np.ndarray]) -> dict[str, float]:
    return {
        f"{word} gamma, quarter {quarter + 1}": float(values[:, quarter].mean())
        for word, values in zip(("small", "large"), parts, strict=True)
        for quarter in range(4)
    }


def _best(rows: Table, eta: float | None = None) -> dict[str, float]:
    """The least final loss of each task with the first seed, over all rates or with one server rate."""
    found: dict[str, list[float]] = {task: [] for task in settings.POSTS}
    triples = {(row["task"], row["gamma"], row["eta"]) for row in rows.to_pylist() if eta in (None, row["eta"])}
    for task, gamma, own in sorted(triples):
        found[task].append(tuning.first(rows, task, tuning.UPDATE, gamma, own).end)
    return {task: compare.least(ends) for task, ends in found.items()}


TEXT = (
    r"$\eta$ tuned for each $\gamma$ (Tables 6, 7), $K = 10$, Yogi with 0.9, 0.99, $10^{-5}$: the paper's; "
    + settings.OURS
)
FIGURE = Figure(
    module=__name__,
    id="OLR.F7",
    title="Loss of LocalUpdate with server Yogi and tuned server rates, as the client rate varies",
    alt="Two panels, Stack Overflow tag prediction and next word prediction: the loss of the round's clients before "
    "they train, against rounds, one line a client rate, pale to dark, each with its best server rate. Which end of "
    "the grid of client rates is lower on which task is told by the findings below.",
    claims=CLAIMS,
    flagship=True,
    statements=("OLR.D6",),
    runs=runs,
    then=tuning.others,
    table=tuning.table,
    findings=findings,
    draw=partial(panels.draw, tasks=settings.POSTS, text=TEXT),
)
