r"""LeNet with ReLU, GELU and SMU on CIFAR-10 by Dirichlet(0.3): the same picture with smooth activations.

Four methods that the text speaks of; the paper calls SCAFFOLD and FedCM unstable here and names no others.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from figures import series
from figures.fedlada import measures, panels, settings

ID = "LADA.F7"
TITLE = "LeNet with ReLU, GELU and SMU: the methods under smooth activations"
ALT = (
    "Six panels against communication rounds on CIFAR-10: test accuracy above, training loss below, for ReLU, GELU and "
    "SMU from left to right, with lines for FedAvg, FedAdam, LocalAdam and FedLADA and the range of their seeds. The "
    "findings below tell whether smooth activations change the order of the methods."
)
CLAIMS = {
    "rugged": "with every activation the global adaptive method converges very slowly",
    "local": "with every activation LocalAdam converges much faster than FedAvg",
    "best": "with every activation FedLADA is best on test accuracy and training loss",
}
EXACT = False
FLAGSHIP = False
STATEMENTS = ("LADA.K9",)

ACTIVATIONS = ("relu", "gelu", "smu")
WORDS = {"relu": "ReLU", "gelu": "GELU", "smu": "SMU"}
SHOWN = ("fedavg", "fedopt-adam", "local-adam", "fedlada")


def runs(scale: str) -> list[dict[str, Any]]:
    """Each activation with each method."""
    return [
        keys
        for activation in ACTIVATIONS
        for keys in settings.main(scale, (settings.LENET,), SHOWN, activation=activation)
    ]


def table(scale: str, results: Sequence[Any]) -> dict[str, Any]:
    """See `measures.table`."""
    return measures.table(results)


def findings(rows: Any) -> list[Any]:
    """Mean training losses over the rounds for speed; final losses and accuracies."""
    from figures.findings import vote

    level = _each(rows, lambda name, a: _level(rows, name, a))
    loss = _each(rows, lambda name, a: measures.losses(rows, settings.LENET, name, activation=a))
    final = _each(rows, lambda name, a: measures.accuracies(rows, settings.LENET, name, activation=a))
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
            _told(level),
        ),
        vote(
            CLAIMS["local"],
            "with each seed, for all activations: LocalAdam's training loss, mean over the rounds, is below FedAvg's",
            measures.worst(faster),
            _told(level),
        ),
        vote(
            CLAIMS["best"],
            "with each seed, for all activations: the highest final accuracy and the lowest final training loss",
            measures.worst(best),
            {f"{settings.NAMES[n]} (%)": measures.mean(values) for n, values in final.items()},
        ),
    ]


def _each(rows: Any, one: Any) -> dict[str, Any]:
    """A method's numbers, (activations, seeds)."""
    return {name: np.array([one(name, a) for a in series.values(rows, "activation")]) for name in SHOWN}


def _level(rows: Any, name: str, activation: str) -> list[float]:
    found = measures.curve(rows, "loss", settings.LENET, name, activation=activation)
    return [float("inf") if found.diverged else float(one[1:].mean()) for one in found.each]


def _told(level: dict[str, Any]) -> dict[str, float]:
    return {f"mean loss of {settings.NAMES[name]}": measures.mean(values) for name, values in level.items()}


def draw(rows: Any) -> Any:
    """Accuracy above, loss below; a column an activation."""
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(2, 3, figsize=(9.6, 5.0))
    looks = panels.methods()
    for column, activation in zip(axes.T, ACTIVATIONS, strict=True):
        lines = [(settings.NAMES[n], looks[n], {"method": n, "activation": activation}) for n in SHOWN]
        for ax, measure in zip(column, ("accuracy", "loss"), strict=True):
            ax.set_title(WORDS[activation])
            panels.fill(ax, rows, measure, lines)
    for ax in axes[:, 1:].flat:
        ax.set_ylabel("")
    panels.legend(figure, axes.flat)
    panels.source(figure, rows, "Activations and $\\alpha$: the paper's; sizes of LeNet and SMU's $\\mu$ = 2: ours.")
    return figure
