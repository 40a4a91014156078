"""FedLADA over alpha and SCAFFOLD on CIFAR-10: runs, curves and drawing of Figures 8b and 8c."""

from __future__ import annotations

from figures import series
from figures.fedlada import panels, settings
from figures.records import Drawing, Keys, Table

__all__ = ["alphas", "runs", "single"]

# Not printed: the paper's own weight, the local adaptive method, and one between.
ALPHAS = {"smoke": (0.1, 1.0), "laptop": (0.1, 0.3, 1.0), "paper": (0.05, 0.1, 0.3, 0.5, 1.0)}


def runs(scale: str) -> list[Keys]:
    """FedLADA's over alpha, and SCAFFOLD's, which Figure 2 has, too."""
    ours = [keys for alpha in ALPHAS[scale] for keys in settings.weighed(settings.C10, scale, "fedlada", alpha)]
    return ours + settings.main(scale, (settings.C10,), ("scaffold",))


def alphas(rows: Table) -> list[float]:
    """FedLADA's weights in the table, ascending."""
    return sorted({row["alpha"] for row in series._records(rows) if row["method"] == "fedlada"})


def single(rows: Table, measure: str, label: str) -> Drawing:
    """A panel of one measure."""
    from matplotlib import pyplot

    figure, ax = pyplot.subplots(figsize=(5.2, 2.8))
    ours = panels.ranked(alphas(rows), "alpha", r"$\alpha={:g}$", method="fedlada")
    panels.fill(ax, rows, measure, [*ours, *panels.named(("scaffold",))])
    ax.set_ylabel(label)
    panels.legend(figure, [ax])
    panels.source(figure, rows, "Grid of $\\alpha$: ours.")
    return figure
