r"""Table 12: rounds to two accuracies on CIFAR-10, and the communication that they cost at Table 11's rates."""

from __future__ import annotations

from functools import partial

from figures.fedlada import counted, measures, printed, settings
from figures.figure import Figure
from figures.findings import Finding, vote
from figures.records import Table
from figures.tables import Cell, Sheet

CLAIMS = {
    "high": "in the high-precision phase FedLADA needs the least communication in total",
    "low": "in the low-precision phase SCAFFOLD and FedCM require more communication than FedAvg",
    "rounds": "FedLADA always requires fewer communication rounds",
}

PHASES = ("early", "middle")


def _found(rows: Table, kind: str) -> dict[str, list[float]]:
    return {name: each[0] for name, each in counted.rounds(rows, kind, (settings.C10,)).items()}


def total(rounds: dict[str, list[float]]) -> dict[str, list[float]]:
    """Rounds times the printed vectors a round."""
    return {name: [printed.COMMUNICATION[name] * value for value in values] for name, values in rounds.items()}


def findings(rows: Table) -> list[Finding]:
    """Each seed for itself."""
    rounds = {kind: _found(rows, kind) for kind in PHASES}
    cost = {kind: total(rounds[kind]) for kind in PHASES}
    return [
        vote(
            CLAIMS["high"],
            "with each seed: the least, to the middle accuracy",
            _lead(cost["middle"]),
            measures.averages(cost["middle"]),
        ),
        vote(
            CLAIMS["low"],
            "with each seed: both more than FedAvg, to the early accuracy",
            measures.ahead(_cheaper(cost["early"]), cost["early"]["fedavg"]),
            measures.averages(cost["early"]),
        ),
        vote(
            CLAIMS["rounds"],
            "with each seed and both accuracies: the fewest rounds",
            measures.worst([_lead(rounds[kind]) for kind in PHASES]),
            measures.averages(rounds["early"], "early, {}") | measures.averages(rounds["middle"], "middle, {}"),
        ),
    ]


def _cheaper(cost: dict[str, list[float]]) -> list[float]:
    """Of SCAFFOLD and FedCM; one that never gets there costs without end, and leaves the other to decide."""
    return measures.each(min, [cost["scaffold"], cost["fedcm"]])


def _lead(rounds: dict[str, list[float]]) -> list[float]:
    best = measures.each(min, [rounds[name] for name in settings.BASELINES])
    return measures.ahead(best, rounds["fedlada"])  # NaN where none gets there


def sheet(rows: Table) -> Sheet:
    """Rounds, communication, ratio; of means over seeds."""
    lines = []
    rounds = {kind: {name: measures.mean(v) for name, v in _found(rows, kind).items()} for kind in PHASES}
    for name in printed.COMMUNICATION:
        cells = []
        for kind in PHASES:
            ours = {n: printed.COMMUNICATION[n] * value for n, value in rounds[kind].items()}
            theirs = printed.TOTALS[kind]
            own = float(theirs[name])
            cells += [
                Cell(f"{rounds[kind][name]:.0f}".replace("inf", "never"), _round(own / printed.COMMUNICATION[name])),
                Cell(_round(ours[name]), _round(own)),
                Cell(_ratio(ours[name], ours["fedavg"]), _ratio(float(printed.RATIOS[kind][name]), 1.0)),
            ]
        lines.append((settings.NAMES[name], cells))
    aims = [f"{100 * measures.target(rows, kind, settings.C10):.1f} %" for kind in PHASES]
    head = ["Method", *(text for aim in aims for text in (f"rounds to {aim}", "vectors", "ratio"))]
    notes = ["Printed targets: 70 and 80 %.", "Vectors of the model's size a client, at Table 11's rates."]
    return Sheet(head, lines, notes=notes)


def _round(value: float) -> str:
    return f"{value:.0f}".replace("inf", "never")


def _ratio(value: float, base: float) -> str:
    ratio = value / base if 0 < base < float("inf") else float("nan")
    return f"{ratio:.2f}".replace("inf", "never").replace("nan", "–")


FIGURE = Figure(
    module=__name__,
    id="LADA.T12",
    title="Rounds and total communication to two accuracies on CIFAR-10",
    alt="A table with a row a method: the rounds to an early and to a middle test accuracy on CIFAR-10, the vectors of "
    "the model's size that a client moves until then, and these as a multiple of FedAvg's, each beside the number that "
    "the paper prints.",
    claims=CLAIMS,
    flagship=True,
    statements=("LADA.N3", "LADA.N4", "LADA.K11"),
    runs=partial(settings.main, tasks=(settings.C10,)),  # of Figure 2
    table=measures.table,
    findings=findings,
    sheet=sheet,
)
