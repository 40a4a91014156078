r"""Table 10: SCAFFOLD on CIFAR-10 with its correction scaled by alpha; 0 is FedAvg, 1 is SCAFFOLD."""

from __future__ import annotations

from figures.fedlada import counted, measures, printed, settings
from figures.figure import Figure
from figures.findings import Finding, vote
from figures.records import Keys, Table
from figures.tables import Sheet

CLAIMS = {
    "one": "the best selection of alpha is 1.0",
    "none": "without the correction (alpha = 0) the accuracy is lowest",
}

# Of the printed, beside 0 and 1.
SCALES = {"smoke": (0.5,), "laptop": (0.5, 1.5), "paper": (0.25, 0.5, 0.75, 1.25, 1.5)}


def runs(scale: str) -> list[Keys]:
    """FedAvg and SCAFFOLD are shared with Figure 2."""
    scaled = [keys for alpha in SCALES[scale] for keys in settings.weighed(settings.C10, scale, "scaffold", alpha)]
    return settings.main(scale, (settings.C10,), ("fedavg", "scaffold")) + scaled


def finals(rows: Table) -> dict[float, list[float]]:
    """Final test accuracies in percent by scale, one a seed."""
    scales = sorted({row["alpha"] for row in rows.to_pylist() if row["method"] == "scaffold"})
    by_scale = {0.0: measures.accuracies(rows, settings.C10, "fedavg")}
    return by_scale | {a: measures.accuracies(rows, settings.C10, "scaffold", alpha=a) for a in scales}


def findings(rows: Table) -> list[Finding]:
    """Final accuracies, each seed for itself."""
    by_scale = finals(rows)
    numbers = measures.averages(by_scale, "alpha = {:g} (%)")
    return [
        vote(
            CLAIMS["one"],
            "with each seed: alpha = 1 ends highest",
            measures.ahead(by_scale[1.0], measures.each(max, [by_scale[a] for a in by_scale if a != 1.0])),
            numbers,
        ),
        vote(
            CLAIMS["none"],
            "with each seed: alpha = 0 ends lowest",
            measures.ahead(measures.each(min, [by_scale[a] for a in by_scale if a != 0.0]), by_scale[0.0]),
            numbers,
        ),
    ]


def sheet(rows: Table) -> Sheet:
    """One row, as printed."""
    return counted.along("Accuracy (%)", finals(rows), printed.SCALED, ".2f", "max")


FIGURE = Figure(
    module=__name__,
    id="LADA.T10",
    title="SCAFFOLD with its correction scaled by alpha, on CIFAR-10",
    alt="A table with a column for each scale alpha of SCAFFOLD's correction, from 0, which is FedAvg, over 1, which "
    "is SCAFFOLD, to the largest: the final test accuracy on CIFAR-10, the mean over seeds, beside the printed number.",
    claims=CLAIMS,
    statements=("LADA.E26",),
    runs=runs,
    table=measures.table,
    findings=findings,
    sheet=sheet,
)
