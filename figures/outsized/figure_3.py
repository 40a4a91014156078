r"""The norm of q_t on CIFAR-100, eta fixed: its mean and spread over windows of rounds (8.2).

Not the same x_t for each gamma: each rate follows its own path (OLR.D9 has the theorem, and where it fails).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np

from figures import curves, series, style
from figures.figure import Figure
from figures.findings import Finding, vote
from figures.outsized import settings
from figures.records import Columns, Drawing, Table, Trained

CLAIMS = {
    "mean": "smaller learning rates lead to larger model updates",
    "spread": "the absolute variance of the model update norm increases as well",
}

WINDOWS = {"smoke": 1, "laptop": 10, "paper": 1000}  # rounds; the paper's is printed


def table(scale: str, results: Sequence[Trained]) -> Columns:
    """One row a run and round: gamma, seed, status, round, update_norm, and the width of a window."""
    columns = series.long(results, ("gamma", "seed"), ("update_norm",))
    return {**columns, "window": [WINDOWS[scale]] * len(columns["round"])}


def findings(rows: Table) -> list[Finding]:
    """Over all windows, of the rates that do not diverge."""
    by_rate = {gamma: windows(rows, gamma) for gamma in _sound(rows)}
    means = {gamma: mean.mean(axis=1) for gamma, (_, mean, _) in by_rate.items()}
    spreads = {gamma: spread.mean(axis=1) for gamma, (_, _, spread) in by_rate.items()}
    parts = (("mean", means, "the mean of ||q_t||"), ("spread", spreads, "its standard deviation within a window"))
    return [
        vote(
            CLAIMS[name],
            f"with each seed, averaged over windows, {what} falls strictly from each client rate to the next larger",
            _falls(values),
            {f"gamma {gamma:g}": float(value.mean()) for gamma, value in values.items()},
        )
        for name, values, what in parts
    ]


def _falls(values: dict[float, np.ndarray]) -> list[float]:
    """A seed's least step down."""
    paths = np.array([values[gamma] for gamma in sorted(values)])
    return [] if len(paths) < 2 else [float(step) for step in (paths[:-1] - paths[1:]).min(axis=0)]


def _sound(rows: Table) -> list[float]:
    rates = sorted(series.values(rows, "gamma"))
    return [gamma for gamma in rates if not series.curve(rows, "update_norm", gamma=gamma).diverged]


def windows(rows: Table, gamma: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The last round of each full window; mean and standard deviation within it, (seeds, windows)."""
    curve, width = series.curve(rows, "update_norm", gamma=gamma), series.values(rows, "window")[0]
    count = len(curve.rounds) // width
    parts = curve.each[:, : count * width].reshape(len(curve.each), count, width)
    return curve.rounds[width - 1 : count * width : width], parts.mean(axis=2), parts.std(axis=2)


def draw(rows: Table) -> Drawing:
    """Bold lines and pale regions, as in the paper."""
    from matplotlib import pyplot

    figure, ax = pyplot.subplots(figsize=(5.2, 3.4))
    looks = curves.ranked(sorted(series.values(rows, "gamma")))
    for gamma in _sound(rows):
        rounds, means, spreads = windows(rows, gamma)
        mean, spread, colour = means.mean(axis=0), spreads.mean(axis=0), looks[gamma]["color"]
        ax.fill_between(rounds, mean - spread, mean + spread, color=colour, alpha=0.16, linewidth=0)
        ax.plot(rounds, mean, color=colour, linewidth=2, label=rf"$\gamma={gamma:g}$")
    ax.set(
        title=settings.TITLES[settings.CIFAR],
        xlabel="rounds $t$",
        ylabel=r"norm of the update $\|q_t\|$",
        ylim=(0, None),
    )
    figure.legend(loc="outside right center")
    width = series.values(rows, "window")[0]
    style.sourced(
        figure,
        rows,
        rf"$\eta = 0.01$, $K = 10$: the paper's; clients and width below paper scale: ours. "
        f"Mean and standard deviation within each {width} rounds (1000 in the paper), averaged over seeds.",
    )
    return figure


FIGURE = Figure(
    module=__name__,
    id="OLR.F3",
    title="Norm of the model update on CIFAR-100, server rate 0.01, as the client rate varies",
    alt="Norm of the update q_t against rounds on CIFAR-100, a line a client rate, pale to dark: the mean over "
    "consecutive windows of rounds, with a pale band of one standard deviation within the window. Whether larger "
    "client rates have smaller norms and narrower bands is told by the findings below.",
    claims=CLAIMS,
    flagship=True,
    statements=("OLR.D9",),
    runs=partial(settings.fixed, (settings.CIFAR,)),
    table=table,
    findings=findings,
    draw=draw,
)
