r"""FedAvg, FedAdam and LocalAdam on CIFAR-100: what an adaptive optimizer on the server or on the clients does."""

from __future__ import annotations

from functools import partial

from figures.fedlada import measures, panels, settings
from figures.figure import Figure
from figures.findings import Finding, vote
from figures.records import Drawing, Table

CLAIMS = {
    "fast": "LocalAdam converges faster than FedAvg under the same setups",
    "worse": "LocalAdam performs worse than FedAvg in generalization",
    "slow": "FedAdam's efficiency is extremely low: it converges slower than FedAvg",
    "prevents": "FedAdam can prevent the local over-fitting to some extent: its accuracy ends above LocalAdam's",
}

SHOWN = ("fedavg", "fedopt-adam", "local-adam")


def findings(rows: Table) -> list[Finding]:
    """Rounds to FedAvg's final training loss, and final test accuracies, each seed against its like."""
    c100 = settings.C100
    final = {name: measures.accuracies(rows, c100, name) for name in SHOWN}
    rounds = {name: measures.reached(rows, "train", c100, name) for name in SHOWN}
    ends = {name: measures.losses(rows, c100, name) for name in SHOWN}
    faster = measures.speedup([rounds["fedavg"]], [rounds["local-adam"]])
    numbers = measures.averages(final, "accuracy of {} (%)")
    return [
        vote(
            CLAIMS["fast"],
            "with each seed: fewer rounds to FedAvg's final training loss",
            [value - 1 for value in faster],
            {"speed-up": measures.mean(faster)},
        ),
        vote(
            CLAIMS["worse"],
            "with each seed: lower final test accuracy than FedAvg",
            measures.ahead(final["fedavg"], final["local-adam"]),
            numbers,
        ),
        vote(
            CLAIMS["slow"],
            "with each seed: a higher final training loss than FedAvg",
            measures.ahead(ends["fedopt-adam"], ends["fedavg"]),
            measures.averages(ends, "loss of {}"),
        ),
        vote(
            CLAIMS["prevents"],
            "with each seed: higher final test accuracy than LocalAdam",
            measures.ahead(final["fedopt-adam"], final["local-adam"]),
            numbers,
        ),
    ]


def draw(rows: Table) -> Drawing:
    """Accuracy left, loss right."""
    figure = panels.pair(rows, panels.named(SHOWN))
    panels.source(figure, rows, "Methods and server rates: the paper's.")
    return figure


FIGURE = Figure(
    module=__name__,
    id="LADA.F1",
    title="FedAvg, FedAdam and LocalAdam on CIFAR-100: accuracy and training loss",
    alt="Two panels against communication rounds: test accuracy on the left, training loss on the right, with a line "
    "for FedAvg, for FedAdam and for LocalAdam, each with the range of its seeds. Which one falls fastest and which "
    "one generalises best is told by the findings below.",
    claims=CLAIMS,
    flagship=True,
    statements=("LADA.A1", "LADA.A2"),
    runs=partial(settings.main, tasks=(settings.C100,), methods=SHOWN),  # shared with Figure 2
    table=measures.table,
    findings=findings,
    draw=draw,
)
