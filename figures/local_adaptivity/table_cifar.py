"""Images: server Adam with SGD clients, AdaGrad clients, and these with local correction (CIFAR-100)."""

from __future__ import annotations

from functools import partial

from figures.figure import Figure
from figures.findings import Finding, vote
from figures.local_adaptivity import printed, tuning
from figures.local_adaptivity.settings import Variant
from figures.records import Table
from figures.tables import Cell, Sheet

CLAIMS = {
    "worse": "AdaGrad clients have a worse accuracy than SGD clients (54.68 against 56.64)",
    "local": "local correction improves on both (56.80)",
}

TASK = "cifar100-resnet18"
VARIANTS = {
    "SGD": Variant(TASK, "Adam", "SGD"),
    "AdaGrad": Variant(TASK, "Adam", "AdaGrad"),
    "local": Variant(TASK, "Adam", "AdaGrad", "local"),
}
LABELS = {"SGD": "SGD clients", "AdaGrad": "AdaGrad clients", "local": "AdaGrad clients + local cor."}


def findings(rows: Table) -> list[Finding]:
    """Margins are differences of final percents, one a seed."""
    seeds = list(zip(*(tuning.ends(rows, variant) for variant in VARIANTS.values()), strict=True))
    numbers = tuning.means(rows, VARIANTS)
    return [
        vote(CLAIMS["worse"], "a lower final accuracy with each seed", [sgd - none for sgd, none, _ in seeds], numbers),
        vote(
            CLAIMS["local"],
            "with each seed: above the other two",
            [local - max(sgd, none) for sgd, none, local in seeds],
            numbers,
        ),
    ]


def sheet(rows: Table) -> Sheet:
    """Ours beside the printed, in percent."""
    means = tuning.means(rows, VARIANTS)
    lines = [(LABELS[name], [Cell(means[name], printed.CIFAR[name])]) for name in VARIANTS]
    return Sheet(("Clients", "accuracy"), lines, ".2f", "max", ["Mean over seeds, rates tuned on test data; S: Adam."])


FIGURE = Figure(
    module=__name__,
    id="LA.cifar",
    title="Server Adam on CIFAR-100: SGD clients, AdaGrad clients, local correction, in percent",
    alt="A table of three rows, SGD clients, AdaGrad clients, and AdaGrad clients with local correction, all with Adam "
    "on the server: our final test accuracy in percent beside the printed one in brackets, the best one of ours in "
    "bold.",
    claims=CLAIMS,
    statements=("LA.A1",),
    runs=partial(tuning.grid, tuple(VARIANTS.values())),
    then=partial(tuning.finals, tuple(VARIANTS.values())),
    table=partial(tuning.table, tuple(VARIANTS.values())),
    findings=findings,
    sheet=sheet,
)
