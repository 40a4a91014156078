r"""FedLADA on CIFAR-10 with more or fewer of the clients in each round."""

from __future__ import annotations

import itertools

from figures import series
from figures.fedlada import measures, panels, settings
from figures.figure import Figure
from figures.findings import Finding, vote
from figures.records import Drawing, Keys, Table

CLAIMS = {
    "more": "more active clients improve the training: the loss falls as the ratio rises from 5 to 50 %",
    "saturates": "the improvement is obvious when the ratio is low and gradually weakens towards full participation",
}

SHARES = {"smoke": (10, 50), "laptop": (5, 10, 20, 50), "paper": (5, 10, 20, 50)}


def runs(scale: str) -> list[Keys]:
    """Every share and seed; 10 % is shared with Figure 2."""
    return [
        settings.run(settings.C10, scale, "fedlada", seed, share=share)
        for share in SHARES[scale]
        for seed in settings.seeds(scale)
    ]


def findings(rows: Table) -> list[Finding]:
    """On the training loss, mean over the run without its start."""
    shares = sorted(series.values(rows, "share"))
    level = {share: measures.level(rows, settings.C10, "fedlada", share=share) for share in shares}
    gains = [measures.ahead(level[few], level[more]) for few, more in itertools.pairwise(shares)]
    numbers = measures.averages(level, "{} %")
    return [
        vote(
            CLAIMS["more"],
            "with each seed: the mean training loss over the rounds is lower at the highest ratio than at the lowest",
            measures.ahead(level[shares[0]], level[shares[-1]]),
            numbers,
        ),
        vote(
            CLAIMS["saturates"],
            "with each seed: the first doubling gains more than the last step (times 2.5)",
            measures.ahead(gains[0], gains[-1]) if len(gains) > 1 else [],
            numbers,
        ),
    ]


def draw(rows: Table) -> Drawing:
    """Accuracy left, loss right."""
    figure = panels.pair(rows, panels.ranked(sorted(series.values(rows, "share")), "share", "{} %"))
    panels.source(figure, rows, "Ratios: the paper's.")
    return figure


FIGURE = Figure(
    module=__name__,
    id="LADA.F4",
    title="FedLADA with different participation ratios on CIFAR-10",
    alt="Two panels against communication rounds: test accuracy on the left, training loss on the right, with a line "
    "for each share of clients that take part in a round, pale for the smallest to dark for the largest, and the range "
    "of its seeds. The findings below tell whether more clients are faster and whether the gain weakens.",
    claims=CLAIMS,
    flagship=True,
    statements=("LADA.C36", "LADA.D1"),
    runs=runs,
    table=measures.table,
    findings=findings,
    draw=draw,
)
