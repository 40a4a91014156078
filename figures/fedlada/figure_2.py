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
Accuracies = dict[str, list[float]]  # final ones by method, a number a seed
AHEAD = 1.1  # well ahead: a tenth, where the paper has a fifth


def findings(rows: Table) -> list[Finding]:
    """On final test accuracies (mean over the last rounds), and on rounds to FedAvg's final training loss."""
    final = {
        task: {name: measures.accuracies(rows, task, name) for name in settings.METHODS} for task in settings.TASKS
    }
    return [_best(final), _speed(rows), _tiny(final[settings.TINY]), _sgd(final[settings.C100]),
            _overfits(final[settings.C10])]  # fmt: skip


def _best(final: dict[str, Accuracies]) -> Finding:
    margins: list[list[float]] = []
    numbers: dict[str, float] = {}
    for task, by_method in final.items():
        ours, others = by_method["fedlada"], measures.each(max, [by_method[name] for name in settings.BASELINES])
        margins.append(measures.ahead(ours, others))
        numbers[f"{settings.TITLES[task]}, FedLADA (%)"] = measures.mean(ours)
        numbers[f"{settings.TITLES[task]}, best other (%)"] = measures.mean(others)
    check = "on each data set and with each seed: the highest final test accuracy"
    return vote(CLAIMS["best"], check, measures.worst(margins), numbers)


def _tiny(final: Accuracies) -> Finding:
    rivals = ("fedavg", "local-adam")
    margins = [
        [ours - AHEAD * other for ours, other in zip(final["fedlada"], final[name], strict=True)] for name in rivals
    ]
    check = "with each seed: at least 1.1 times the final accuracies of FedAvg and of LocalAdam"
    return vote(CLAIMS["tiny"], check, measures.worst(margins), _averages(final, (*rivals, "fedlada")))


def _sgd(final: Accuracies) -> Finding:
    others = measures.each(max, [final[name] for name in OTHER_SGD])
    margins = measures.worst([measures.ahead(final["fedcm"], others), measures.ahead(final["fedlada"], final["fedcm"])])
    check = "with each seed: FedCM's final accuracy is above FedAvg's, FedProx's and SCAFFOLD's, and below FedLADA's"
    return vote(CLAIMS["sgd"], check, margins, _averages(final, (*OTHER_SGD, "fedcm", "fedlada")))


def _overfits(final: Accuracies) -> Finding:
    order = ("fedlada", "fedavg", "local-adam")
    margins = measures.falling([final[name] for name in order])
    check = "with each seed: this order of final accuracies"
    return vote(CLAIMS["overfits"], check, margins, _averages(final, ("fedlada", "fedavg", "local-adam")))


def _speed(rows: Table) -> Finding:
    """The least of the speed-ups over each other method."""
    rounds = counted.rounds(rows, "train")
    ratios = {name: measures.speedup(rounds[name], rounds["fedlada"]) for name in settings.BASELINES}
    return vote(
        CLAIMS["speed"],
        "with each seed: rounds to FedAvg's final training loss, geometric mean over data sets: fewest",
        measures.worst([[value - 1 for value in values] for values in ratios.values()]),
        measures.averages(ratios, "over {}"),
    )


def _averages(final: Accuracies, names: Sequence[str]) -> dict[str, float]:
    return measures.averages({name: final[name] for name in names}, "{} (%)")


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
