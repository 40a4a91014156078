r"""FedLADA and six other methods on CIFAR-10, CIFAR-100 and TinyImageNet: training loss and test accuracy."""

from __future__ import annotations

from collections.abc import Sequence

from figures.fedlada import counted, measures, panels, settings
from figures.figure import Figure
from figures.findings import Finding, vote
from figures.records import Drawing, Table

CLAIMS = {
    "best": "FedLADA outperforms all other methods on top-1 test accuracy, on all three data sets",
    "speed": "FedLADA outperforms all other methods on convergence speed, taken over the three data sets",
    "tiny": "on TinyImageNet FedLADA ends well ahead of FedAvg and of LocalAdam (7.4 and 7.8 points)",
    "sgd": "on CIFAR-100 FedCM generalises best among SGD-based methods, and FedLADA ends above it",
    "overfits": "on CIFAR-10 the order is FedLADA, FedAvg (4.2 points lower), LocalAdam (7.5 points lower)",
}

OTHER_SGD = ("fedavg", "fedprox", "scaffold")
AHEAD = 1.1  # well ahead: a tenth, where the paper has a fifth


def findings(rows: Table) -> list[Finding]:
    """On final test accuracies (mean over the last rounds), and on rounds to FedAvg's final training loss."""
    final = {
        task: {name: measures.accuracies(rows, task, name) for name in settings.METHODS} for task in settings.TASKS
    }
    ours = [final[task]["fedlada"] for task in settings.TASKS]
    best = [measures.each(max, [final[task][name] for name in settings.BASELINES]) for task in settings.TASKS]
    tiny, c100, c10 = final[settings.TINY], final[settings.C100], final[settings.C10]
    return [
        vote(
            CLAIMS["best"],
            "on each data set and with each seed: the highest final test accuracy",
            measures.worst([measures.ahead(own, other) for own, other in zip(ours, best, strict=True)]),
            {
                f"{settings.TITLES[task]}, {word} (%)": measures.mean(values)
                for task, own, other in zip(settings.TASKS, ours, best, strict=True)
                for word, values in (("FedLADA", own), ("best other", other))
            },
        ),
        _speed(rows),
        vote(
            CLAIMS["tiny"],
            "with each seed: at least 1.1 times the final accuracies of FedAvg and of LocalAdam",
            measures.worst([
                [own - AHEAD * other for own, other in zip(tiny["fedlada"], tiny[name], strict=True)]
                for name in ("fedavg", "local-adam")
            ]),
            _told(tiny, ("fedavg", "local-adam", "fedlada")),
        ),
        vote(
            CLAIMS["sgd"],
            "with each seed: FedCM's final accuracy is above FedAvg's, FedProx's and SCAFFOLD's, and below FedLADA's",
            [
                min(cm - max(others), own - cm)
                for cm, own, *others in zip(*(c100[n] for n in ("fedcm", "fedlada", *OTHER_SGD)), strict=True)
            ],
            _told(c100, (*OTHER_SGD, "fedcm", "fedlada")),
        ),
        vote(
            CLAIMS["overfits"],
            "with each seed: this order of final accuracies",
            [
                min(own - average, average - adam)
                for own, average, adam in zip(*(c10[n] for n in ("fedlada", "fedavg", "local-adam")), strict=True)
            ],
            _told(c10, ("fedlada", "fedavg", "local-adam")),
        ),
    ]  # fmt: skip


def _speed(rows: Table) -> Finding:
    """The least of the speed-ups over each other method."""
    rounds = counted.rounds(rows, "train")
    ratios = {name: measures.speedup(rounds[name], rounds["fedlada"]) for name in settings.BASELINES}
    return vote(
        CLAIMS["speed"],
        "with each seed: rounds to FedAvg's final training loss, geometric mean over data sets: fewest",
        measures.worst([[value - 1 for value in values] for values in ratios.values()]),
        measures.told(ratios, "over {}"),
    )


def _told(final: dict[str, list[float]], names: Sequence[str]) -> dict[str, float]:
    return measures.told({name: final[name] for name in names}, "{} (%)")


def draw(rows: Table) -> Drawing:
    """Loss above, accuracy below; CIFAR-10, CIFAR-100, TinyImageNet."""
    columns = [(settings.TITLES[task], panels.named(settings.METHODS, task=task)) for task in settings.TASKS]
    figure = panels.grid(rows, columns, ("loss", "accuracy"), 5.2)
    panels.source(figure, rows, "Methods, server rates, decays and $\\alpha$: the paper's.")
    return figure


FIGURE = Figure(
    module=__name__,
    id="LADA.F2",
    title="Training loss and test accuracy of FedLADA and the baselines, ResNet",
    alt="Six panels: training loss above, top-1 test accuracy below, for CIFAR-10, CIFAR-100 and TinyImageNet from "
    "left to right, against communication rounds. Seven lines each: FedAvg, FedProx, SCAFFOLD, FedCM, FedAdam, "
    "LocalAdam and FedLADA, with the range of their seeds. The findings below tell which ends highest and which falls "
    "fastest.",
    claims=CLAIMS,
    flagship=True,
    statements=("LADA.N2", "LADA.N8"),
    runs=settings.main,  # shared with Figure 1 and with Tables 1, 3, 6, 7 and 12
    table=measures.table,
    findings=findings,
    draw=draw,
)
