"""Figures 8b and 8c: FedLADA on CIFAR-10 over its amended weight alpha, and SCAFFOLD: test accuracy, and consistency.

The consistency term is E ||x_{i,K} - x^{t+1}||^2.
"""

from __future__ import annotations

import math
from functools import partial
from typing import Any

from figures import series
from figures.fedlada import measures, panels, settings
from figures.fedlada.settings import C10
from figures.figure import Figure
from figures.findings import Finding, vote
from figures.records import Drawing, Keys, Table

ACCURACY = {
    "small": "when alpha is small enough, FedLADA's correction outperforms SCAFFOLD",
    "one": "without amendment (alpha = 1) FedLADA ends lower than with a small alpha",
}
CONSISTENCY = {
    "alpha": "the smaller alpha, the more consistent the local solutions",
    "scaffold": "a small alpha's local solutions are more consistent than SCAFFOLD's",
}
# Not printed: the paper's own weight, the local adaptive method, and one between.
ALPHAS = {"smoke": (0.1, 1.0), "laptop": (0.1, 0.3, 1.0), "paper": (0.05, 0.1, 0.3, 0.5, 1.0)}


def runs(scale: str) -> list[Keys]:
    """FedLADA's over alpha, and SCAFFOLD's, which Figure 2 has, too."""
    ours = [keys for alpha in ALPHAS[scale] for keys in settings.weighed(C10, scale, "fedlada", alpha)]
    return ours + settings.main(scale, (C10,), ("scaffold",))


def alphas(rows: Table) -> list[float]:
    """FedLADA's weights in the table, ascending."""
    return sorted({row["alpha"] for row in series._records(rows) if row["method"] == "fedlada"})


def accuracy(rows: Table) -> list[Finding]:
    """Final test accuracies."""
    final = {alpha: measures.accuracies(rows, C10, "fedlada", alpha=alpha) for alpha in alphas(rows)}
    scaffold = measures.accuracies(rows, C10, "scaffold")
    numbers = measures.averages(final, "alpha = {:g} (%)") | {"SCAFFOLD (%)": measures.mean(scaffold)}
    small, large = final[min(final)], final[max(final)]
    checks = {
        "small": ("with each seed: the smallest alpha ends above SCAFFOLD", scaffold),
        "one": ("with each seed: alpha = 1 ends below the smallest alpha", large),
    }
    return [
        vote(ACCURACY[name], check, measures.ahead(small, other), numbers) for name, (check, other) in checks.items()
    ]


def consistency(rows: Table) -> list[Finding]:
    """Mean over the last rounds."""
    final = {alpha: _consistencies(rows, "fedlada", alpha=alpha) for alpha in alphas(rows)}
    scaffold, numbers = _consistencies(rows, "scaffold"), measures.averages(final, "alpha = {:g}")
    falls, lead = measures.falling(list(final.values())[::-1]), measures.ahead(scaffold, final[min(final)])
    more = numbers | {"SCAFFOLD": measures.mean(scaffold)}
    return [
        vote(CONSISTENCY["alpha"], "with each seed: less for each alpha than for the next larger one", falls, numbers),
        vote(CONSISTENCY["scaffold"], "with each seed: less at the smallest alpha than SCAFFOLD's", lead, more),
    ]


def _consistencies(rows: Table, method: str, **where: Any) -> list[float]:
    return measures.finals(measures.curve(rows, "consistency", C10, method, **where), math.inf)


def draw(rows: Table, measure: str, label: str, scale: str) -> Drawing:
    """A panel of one measure against rounds."""
    from matplotlib import pyplot

    figure, ax = pyplot.subplots(figsize=(5.2, 2.8))
    ours = panels.ranked(alphas(rows), "alpha", r"$\alpha={:g}$", method="fedlada")
    panels.fill(ax, rows, measure, [*ours, *panels.named(("scaffold",))])
    ax.set_ylabel(label)
    panels.legend(figure, [ax])
    panels.source(figure, rows, "Grid of $\\alpha$: ours.")
    ax.set_yscale(scale)
    return figure


FIGURES = (
    Figure(
        module=__name__,
        id="LADA.F8b",
        title="Test accuracy of FedLADA over its amended weight, and SCAFFOLD",
        alt="Test accuracy on CIFAR-10 against communication rounds: a line for each amended weight alpha of FedLADA, "
        "pale for the smallest to dark for 1, and one for SCAFFOLD, with the range of their seeds. The findings below "
        "tell which weights end above SCAFFOLD.",
        claims=ACCURACY,
        flagship=True,
        statements=("LADA.E23", "LADA.E22"),
        runs=runs,
        table=measures.table,
        findings=accuracy,
        draw=partial(draw, measure="accuracy", label="top-1 test accuracy (%)", scale="linear"),
    ),
    Figure(
        module=__name__,
        id="LADA.F8c",
        title="Consistency of local solutions over FedLADA's amended weight, and SCAFFOLD",
        alt="The mean squared distance of the clients' last local points from the next global point, on CIFAR-10, "
        "against rounds on a logarithmic scale: a line for each amended weight alpha of FedLADA, pale to dark, and one "
        "for SCAFFOLD. The findings below tell whether smaller alpha means more consistent local solutions.",
        claims=CONSISTENCY,
        flagship=True,
        statements=("LADA.E23",),
        runs=runs,
        table=partial(measures.table, measures=("consistency",)),  # a round a row
        findings=consistency,
        draw=partial(draw, measure="consistency", label=r"consistency $E\,\|x_{i,K}^t - x^{t+1}\|^2$", scale="log"),
    ),
)
