r"""FedLADA with K local epochs on TinyImageNet: more local work is faster, up to a point, and generalises worse."""

from __future__ import annotations

from figures.fedlada import intervals, measures, panels, printed, settings
from figures.figure import Figure
from figures.findings import Finding, vote
from figures.records import Drawing, Table

CLAIMS = {
    "faster": "K = 4 is approximately 2.2 times as fast as K = 2",
    "weaker": "as K continues to increase, the speed-up is gradually insignificant",
    "best": "the generalization of K = 2 is the best of the curves",
    "overfits": "larger K over-fits: the accuracy of K = 20 drops sharply below that of K = 4",
}

FASTER = 1.5  # where the paper has approximately 2.2
SHARPLY = (printed.INTERVALS[4][0] - printed.INTERVALS[20][0]) / 2  # percent, of Table 4's best accuracies


def findings(rows: Table) -> list[Finding]:
    """Speed-ups to the slower one's final training loss; final test accuracies."""
    lengths = intervals.values(rows)
    first, last = lengths[:2], lengths[-2:]
    early, late = intervals.speedup(rows, *first), intervals.speedup(rows, *last)
    final = {k: intervals.accuracy(rows, k) for k in lengths}
    others = measures.each(max, [final[k] for k in lengths[1:]])
    numbers = measures.averages(final, "K = {} (%)")
    names = [f"K = {slow} to {fast}" for slow, fast in (first, last)]
    return [
        vote(
            CLAIMS["faster"],
            "with each seed: the second K reaches the first one's final training loss in 1.5 times fewer rounds",
            [value - FASTER for value in early],
            {names[0]: measures.mean(early)},
        ),
        vote(
            CLAIMS["weaker"],
            "with each seed: the last two K differ by a smaller speed-up than the first two",
            measures.ahead(early, late) if len(lengths) > 2 else [],
            {name: measures.mean(values) for name, values in zip(names, (early, late), strict=True)},
        ),
        vote(
            CLAIMS["best"],
            "with each seed: the highest final test accuracy",
            measures.ahead(final[lengths[0]], others),
            numbers,
        ),
        vote(
            CLAIMS["overfits"],
            f"with each seed: K = {lengths[-1]}, the largest here, ends below K = {lengths[1]} by {SHARPLY:.1f} % or "
            "more, half of Table 4's fall from K = 4 to 20",
            [drop - SHARPLY for drop in measures.ahead(final[lengths[1]], final[lengths[-1]])]
            if len(lengths) > 2
            else [],
            numbers,
        ),
    ]


def draw(rows: Table) -> Drawing:
    """Accuracy left, loss right."""
    figure = panels.pair(rows, panels.ranked(intervals.values(rows), "K", "$K={}$"))
    panels.source(figure, rows, f"{settings.TITLES[settings.TINY]}'s task. $K$: epochs at paper scale, else steps.")
    return figure


FIGURE = Figure(
    module=__name__,
    id="LADA.F3",
    title="FedLADA with different local intervals K on TinyImageNet",
    alt="Two panels against communication rounds: test accuracy on the left, training loss on the right, with a line "
    "for each local interval K, pale for the smallest to dark for the largest, and the range of its seeds. The "
    "findings below tell how much faster larger K is, and what it costs in accuracy.",
    claims=CLAIMS,
    flagship=True,
    statements=("LADA.N7", "LADA.D1"),
    runs=intervals.runs,  # shared with Table 4
    table=measures.table,
    findings=findings,
    draw=draw,
)
