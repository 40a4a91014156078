r"""LeNet with ReLU, GELU and SMU on CIFAR-10 by Dirichlet(0.3): the same picture with smooth activations.

Four methods that the text speaks of; the paper calls SCAFFOLD and FedCM unstable here and names no others.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from figures import series
from figures.fedlada import measures, panels, settings
from figures.figure import Figure
from figures.findings import Finding, vote
from figures.records import Drawing, Keys, Table

CLAIMS = {
    "rugged": "with every activation the global adaptive method converges very slowly",
    "local": "with every activation LocalAdam converges much faster than FedAvg",
    "best": "with every activation FedLADA is best on test accuracy and training loss",
}

ACTIVATIONS = ("relu", "gelu", "smu")
WORDS = {"relu": "ReLU", "gelu": "GELU", "smu": "SMU"}
SHOWN = ("fedavg", "fedopt-adam", "local-adam", "fedlada")


def runs(scale: str) -> list[Keys]:
    """Each activation with each method."""
    return [
        keys
        for activation in ACTIVATIONS
        for keys in settings.main(scale, (settings.LENET,), SHOWN, activation=activation)
    ]


def findings(rows: Table) -> list[Finding]:
    """Mean training losses over the rounds for speed; final losses and accuracies."""
    level = _each(rows, lambda name, a: measures.level(rows, settings.LENET, name, activation=a))
    loss = _each(rows, lambda name, a: measures.losses(rows, settings.LENET, name, activation=a))
    final = _each(rows, lambda name, a: measures.accuracies(rows, settings.LENET, name, activation=a))
    numbers = measures.averages(level, "mean loss of {}")
    others = [name for name in SHOWN if name != "fedlada"]
    with np.errstate(invalid="ignore"):  # two that diverged
        slowest = level["fedopt-adam"] - np.max([level[n] for n in SHOWN if n != "fedopt-adam"], axis=0)
        faster = level["fedavg"] - level["local-adam"]
        fits = np.min([loss[n] for n in others], axis=0) - loss["fedlada"]
    best = np.minimum(final["fedlada"] - np.max([final[n] for n in others], axis=0), fits)
    return [
        vote(
            CLAIMS["rugged"],
            "with each seed, for all activations: FedAdam's training loss, mean over the rounds, is the highest",
            measures.worst(slowest),
            numbers,
        ),
        vote(
            CLAIMS["local"],
            "with each seed, for all activations: LocalAdam's training loss, mean over the rounds, is below FedAvg's",
            measures.worst(faster),
            numbers,
        ),
        vote(
            CLAIMS["best"],
            "with each seed, for all activations: the highest final accuracy and the lowest final training loss",
            measures.worst(best),
            measures.averages(final, "{} (%)"),
        ),
    ]


def _each(rows: Table, one: Any) -> dict[str, Any]:
    """A method's numbers, (activations, seeds)."""
    return {name: np.array([one(name, a) for a in series.values(rows, "activation")]) for name in SHOWN}


def draw(rows: Table) -> Drawing:
    """Accuracy above, loss below; a column an activation."""
    columns = [(WORDS[a], panels.named(SHOWN, activation=a)) for a in ACTIVATIONS]
    figure = panels.grid(rows, columns, ("accuracy", "loss"), 5.0)
    panels.source(figure, rows, "Activations and $\\alpha$: the paper's; sizes of LeNet and SMU's $\\mu$ = 2: ours.")
    return figure


FIGURE = Figure(
    module=__name__,
    id="LADA.F7",
    title="LeNet with ReLU, GELU and SMU: the methods under smooth activations",
    alt="Six panels against communication rounds on CIFAR-10: test accuracy above, training loss below, for ReLU, GELU "
    "and SMU from left to right, with lines for FedAvg, FedAdam, LocalAdam and FedLADA and the range of their seeds. "
    "The findings below tell whether smooth activations change the order of the methods.",
    claims=CLAIMS,
    statements=("LADA.K9",),
    runs=runs,
    table=measures.table,
    findings=findings,
    draw=draw,
)
