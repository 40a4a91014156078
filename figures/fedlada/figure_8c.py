r"""The consistency term E ||x_{i,K} - x^{t+1}||^2 of FedLADA on CIFAR-10 over alpha, and SCAFFOLD's."""

from __future__ import annotations

from functools import partial
from typing import Any

from figures.fedlada import corrections, measures, settings
from figures.figure import Figure
from figures.findings import Finding, vote
from figures.records import Drawing, Table

CLAIMS = {
    "alpha": "the smaller alpha, the more consistent the local solutions",
    "scaffold": "a small alpha's local solutions are more consistent than SCAFFOLD's",
}


def findings(rows: Table) -> list[Finding]:
    """Mean over the last rounds."""
    by_alpha = {alpha: _ends(rows, "fedlada", alpha=alpha) for alpha in corrections.alphas(rows)}
    scaffold = _ends(rows, "scaffold")
    numbers = measures.averages(by_alpha, "alpha = {:g}")
    return [
        vote(
            CLAIMS["alpha"],
            "with each seed: less for each alpha than for the next larger one",
            measures.falling([by_alpha[alpha] for alpha in reversed(by_alpha)]),
            numbers,
        ),
        vote(
            CLAIMS["scaffold"],
            "with each seed: less at the smallest alpha than SCAFFOLD's",
            measures.ahead(scaffold, by_alpha[min(by_alpha)]),
            numbers | {"SCAFFOLD": measures.mean(scaffold)},
        ),
    ]


def _ends(rows: Table, method: str, **where: Any) -> list[float]:
    return measures.finals(measures.curve(rows, "consistency", settings.C10, method, **where), float("inf"))


def draw(rows: Table) -> Drawing:
    """The term against rounds, logarithmic."""
    figure = corrections.single(rows, "consistency", r"consistency $E\,\|x_{i,K}^t - x^{t+1}\|^2$")
    figure.axes[0].set_yscale("log")
    return figure


FIGURE = Figure(
    module=__name__,
    id="LADA.F8c",
    title="Consistency of local solutions over FedLADA's amended weight, and SCAFFOLD",
    alt="The mean squared distance of the clients' last local points from the next global point, on CIFAR-10, against "
    "rounds on a logarithmic scale: a line for each amended weight alpha of FedLADA, pale to dark, and one for "
    "SCAFFOLD. The findings below tell whether smaller alpha means more consistent local solutions.",
    claims=CLAIMS,
    flagship=True,
    statements=("LADA.E23",),
    runs=corrections.runs,  # shared with Figure 8b
    table=partial(measures.table, measures=("consistency",)),  # a round a row
    findings=findings,
    draw=draw,
)
