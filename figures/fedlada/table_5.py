r"""Table 5: FedLADA's test accuracy on TinyImageNet over the amended weight alpha."""

from __future__ import annotations

from figures import series
from figures.fedlada import counted, measures, printed, settings
from figures.figure import Figure
from figures.findings import Finding, vote
from figures.records import Keys, Table
from figures.tables import Sheet

CLAIMS = {
    "inside": "the best alpha is inside (0, 1): better than the local adaptive method, alpha = 1",
    "small": "too small an alpha results in slow convergence: 0.01 is worse than 0.05",
    "large": "large alpha degenerates: the accuracy falls from 0.05 over 0.1, 0.2 and 0.5 to 1",
}


def runs(scale: str) -> list[Keys]:
    """Every weight and seed; the paper's own is shared with Figure 2."""
    return [
        keys for alpha in settings.ALPHAS[scale] for keys in settings.weighed(settings.TINY, scale, "fedlada", alpha)
    ]


def finals(rows: Table) -> dict[float, list[float]]:
    """Final test accuracies in percent by alpha, one a seed."""
    alphas = sorted(series.values(rows, "alpha"))
    return {alpha: measures.accuracies(rows, settings.TINY, "fedlada", alpha=alpha) for alpha in alphas}


def findings(rows: Table) -> list[Finding]:
    """Final accuracies, each seed for itself."""
    by_alpha = finals(rows)
    large = {alpha: values for alpha, values in by_alpha.items() if alpha >= 0.05}
    inside = measures.each(max, [values for alpha, values in by_alpha.items() if alpha < 1])
    numbers = measures.averages(by_alpha, "alpha = {:g} (%)")
    return [
        vote(
            CLAIMS["inside"],
            "with each seed: the best alpha below 1 ends above alpha = 1",
            measures.ahead(inside, by_alpha[1.0]),
            numbers,
        ),
        vote(
            CLAIMS["small"],
            "with each seed: 0.01 ends below 0.05",
            measures.ahead(by_alpha[0.05], by_alpha[0.01]) if 0.01 in by_alpha else [],
            numbers,
        ),
        vote(
            CLAIMS["large"],
            f"with each seed: from each alpha of {', '.join(f'{alpha:g}' for alpha in large)} to the next the final "
            "accuracy falls",
            measures.falling(large.values()),
            numbers,
        ),
    ]


def sheet(rows: Table) -> Sheet:
    """One row, as printed."""
    return counted.along("Acc. (%)", finals(rows), printed.ALPHA)


FIGURE = Figure(
    module=__name__,
    id="LADA.T5",
    title="FedLADA with different amended weights on TinyImageNet",
    alt="A table with a column for each amended weight alpha from 0.01 to 1: FedLADA's final test accuracy on "
    "TinyImageNet, the mean over seeds, beside the number that the paper prints.",
    claims=CLAIMS,
    flagship=True,
    statements=("LADA.D1b", "LADA.A2"),
    runs=runs,
    table=measures.table,
    findings=findings,
    sheet=sheet,
)
