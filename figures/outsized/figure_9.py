"""LocalUpdateDecay against LocalUpdate with tuned constant rates, server Yogi, on the Stack Overflow tasks (9.2)."""

from __future__ import annotations

from functools import partial

import numpy as np

from figures.figure import Figure
from figures.findings import Finding, vote
from figures.outsized import compare, panels, settings, tuning
from figures.records import Table

CLAIMS = {
    "words": "on next word prediction, LocalUpdateDecay performs comparably to the best tuned client learning rate",
    "tags": "on tag prediction, it obtains comparable or lower loss than all other fixed gamma",
    "start": "on tag prediction, the initial client rate, kept, clearly achieves higher loss throughout",
}


def findings(rows: Table) -> list[Finding]:
    """Against the best constant client rate, each with its best server rate."""
    by_task = {task: tuning.constant(rows, task) for task in settings.POSTS}
    shrunk = {task: tuning.decayed(rows, task) for task in settings.POSTS}
    ends = {
        task: {
            "decay": shrunk[task].curve.end,
            "best constant": compare.least(one.curve.end for one in by_rate.values()),
        }
        for task, by_rate in by_task.items()
    }
    quarters, others = _quarters(by_task[settings.TAGS], shrunk[settings.TAGS].gamma)
    clearly, above = compare.above(quarters, compare.CLOSE * others), compare.above(quarters, others)
    return [
        *(
            compare.comparisons(
                CLAIMS[name],
                "its final loss is comparable to the best constant rate's",
                {task: (ends[task]["decay"], ends[task]["best constant"], float(shrunk[task].curve.mean[0]))},
                ends[task],
            )
            for name, task in (("words", settings.WORDS), ("tags", settings.TAGS))
        ),
        vote(
            CLAIMS["start"],
            f"with each seed, in each quarter of the rounds: its mean loss is above {compare.CLOSE} times the least "
            "other constant rate's (numbers: how far above that)",
            [float(margin) for margin in clearly.min(axis=1)],
            {f"quarter {k + 1}": float(value) for k, value in enumerate(above.mean(axis=0))},
        ),
    ]


def _quarters(by_rate: dict[float, tuning.Tuned], gamma: float) -> tuple[np.ndarray, np.ndarray]:
    """Losses of a constant rate and the least of the others, (seeds, quarters) each."""
    others = np.array([compare.quarters(one.curve) for rate, one in by_rate.items() if rate != gamma])
    return compare.quarters(by_rate[gamma].curve), others.min(axis=0)


TEXT = (
    r"Rates as tuned (Tables 2, 6, 7), $K = 10$, $\Delta = 10^{-4}$, $\alpha = 0.1$, $\beta = 0.9$: the paper's; "
    r"rounds, and below paper scale clients, widths and $W = P = C$: ours."
)
FIGURE = Figure(
    module=__name__,
    id="OLR.F9",
    title="Loss of LocalUpdateDecay and of LocalUpdate with tuned rates, server Yogi",
    alt="Two panels, Stack Overflow tag prediction and next word prediction: the loss of the round's clients before "
    "they train, against rounds, one line a constant client rate, pale to dark, and LocalUpdateDecay (ReduceLR) as a "
    "dashed black line. Whether it ends as low as the best constant rate is told by the findings below.",
    claims=CLAIMS,
    flagship=True,
    statements=("OLR.A3",),
    runs=partial(settings.with_decay, settings.POSTS),
    then=tuning.others,
    table=tuning.table,
    findings=findings,
    draw=partial(panels.draw, tasks=settings.POSTS, text=TEXT),
)
