r"""Table 3: which optimizer on the server and on the clients, amended or not, on TinyImageNet.

FedAdam(*), amended FedAdam, has the best weight and server rate of Figure 5 ("the best-performing selections").
"""

from __future__ import annotations

from figures.fedlada import amended, measures, printed, settings
from figures.figure import Figure
from figures.findings import Finding, vote
from figures.records import Keys, Table
from figures.tables import Cell, Sheet

CLAIMS = {
    "local": "the local adaptive optimizer benefits more from the amended technique than the global one",
    "adam": "amending FedAdam does not help: FedAdam(*) ends below FedAdam",
    "sgd": "amending FedAvg helps: FedCM ends above it",
    "best": "FedLADA ends highest",
}

METHODS = ("fedavg", "fedcm", "fedopt-adam", "local-adam", "fedlada")
WORDS = {
    "fedavg": ("SGD", "SGD"),
    "fedcm": ("SGD", "SGD (+A)"),
    "fedopt-adam": ("Adam", "SGD"),
    settings.AMENDED_ADAM: ("Adam", "SGD (+A)"),
    "local-adam": ("SGD", "Adam"),
    "fedlada": ("SGD", "Adam (+A)"),
}


def runs(scale: str) -> list[Keys]:
    """Shared with Figures 2 and 5."""
    return settings.main(scale, (settings.TINY,), METHODS) + amended.runs(scale)


def finals(rows: Table) -> dict[str, list[float]]:
    """Final test accuracies in percent, one a seed, in the order of the table."""
    by_method = {name: measures.accuracies(rows, settings.TINY, name) for name in METHODS}
    by_method[settings.AMENDED_ADAM] = amended.best(rows)[1]
    return {name: by_method[name] for name in WORDS}


def findings(rows: Table) -> list[Finding]:
    """Differences of final accuracies, each seed for itself."""
    by_method = finals(rows)
    average, cm, adam, starred, local, ours = (by_method[name] for name in WORDS)
    others = measures.each(max, [values for name, values in by_method.items() if name != "fedlada"])
    numbers = measures.averages(by_method, "{} (%)")
    return [
        vote(
            CLAIMS["local"],
            "with each seed: FedLADA minus LocalAdam is more than FedAdam(*) minus FedAdam",
            [(a - b) - (c - d) for a, b, c, d in zip(ours, local, starred, adam, strict=True)],
            numbers,
        ),
        vote(CLAIMS["adam"], "with each seed", measures.ahead(adam, starred), numbers),
        vote(CLAIMS["sgd"], "with each seed", measures.ahead(cm, average), numbers),
        vote(CLAIMS["best"], "with each seed", measures.ahead(ours, others), numbers),
    ]


def sheet(rows: Table) -> Sheet:
    """Differences to FedAvg, as printed."""
    means = {name: measures.mean(values) for name, values in finals(rows).items()}
    base = means["fedavg"]
    lines = []
    for name, (server, client) in WORDS.items():
        own, theirs = (f"{means[name]:.1f}", "34.5") if name == "fedavg" else (
            f"{means[name] - base:+.1f}", f"{printed.ADDED[name]:+.1f}")  # fmt: skip
        lines.append((settings.NAMES[name], [Cell(server), Cell(client), Cell(own, theirs)]))
    alpha, eta = amended.best(rows)[0]
    note = f"(+A): amended. FedAdam(*): alpha = {alpha:g}, server rate {eta:g}, the best of Figure 5."
    return Sheet(["Mode", "global", "local", "Acc. (%)"], lines, notes=[note])


FIGURE = Figure(
    module=__name__,
    id="LADA.T3",
    title="Optimizers on server and clients, amended or not, on TinyImageNet",
    alt="A table with a row a method: the server's optimizer, that of the clients with a mark where it is amended, "
    "and the final test accuracy on TinyImageNet as a difference to FedAvg's, beside the printed difference.",
    claims=CLAIMS,
    flagship=True,
    statements=("LADA.N6",),
    runs=runs,
    table=measures.table,
    findings=findings,
    sheet=sheet,
)
