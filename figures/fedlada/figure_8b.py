r"""FedLADA's test accuracy on CIFAR-10 over alpha, and SCAFFOLD's."""

from __future__ import annotations

from figures.fedlada import corrections, measures, settings
from figures.figure import Figure
from figures.findings import Finding, vote
from figures.records import Drawing, Table

CLAIMS = {
    "small": "when alpha is small enough, FedLADA's correction outperforms SCAFFOLD",
    "one": "without amendment (alpha = 1) FedLADA ends lower than with a small alpha",
}


def findings(rows: Table) -> list[Finding]:
    """Final test accuracies."""
    final = {
        alpha: measures.accuracies(rows, settings.C10, "fedlada", alpha=alpha) for alpha in corrections.alphas(rows)
    }
    scaffold = measures.accuracies(rows, settings.C10, "scaffold")
    numbers = measures.averages(final, "alpha = {:g} (%)") | {"SCAFFOLD (%)": measures.mean(scaffold)}
    least, ends = final[min(final)], final[max(final)]
    return [
        vote(
            CLAIMS["small"],
            "with each seed: the smallest alpha ends above SCAFFOLD",
            measures.ahead(least, scaffold),
            numbers,
        ),
        vote(
            CLAIMS["one"],
            "with each seed: alpha = 1 ends below the smallest alpha",
            measures.ahead(least, ends),
            numbers,
        ),
    ]


def draw(rows: Table) -> Drawing:
    """Accuracy against rounds."""
    return corrections.single(rows, "accuracy", "top-1 test accuracy (%)")


FIGURE = Figure(
    module=__name__,
    id="LADA.F8b",
    title="Test accuracy of FedLADA over its amended weight, and SCAFFOLD",
    alt="Test accuracy on CIFAR-10 against communication rounds: a line for each amended weight alpha of FedLADA, pale "
    "for the smallest to dark for 1, and one for SCAFFOLD, with the range of their seeds. The findings below tell "
    "which weights end above SCAFFOLD.",
    claims=CLAIMS,
    flagship=True,
    statements=("LADA.E23", "LADA.E22"),
    runs=corrections.runs,  # shared with Figure 8c
    table=measures.table,
    findings=findings,
    draw=draw,
)
