r"""Amended FedAdam and FedCM on TinyImageNet: the server's Adam does not go with amended local steps.

FedCM steps plainly on the server (eta = 1, alpha = 0.05: the paper's best); alpha = 1 is FedAdam itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from figures.fedlada import amended, measures, panels, settings
from figures.figure import Figure
from figures.findings import Finding, vote
from figures.records import Drawing, Keys, Table

CLAIMS = {
    "falls": "when the amended coefficient decreases from 1 (FedAdam), the accuracy decreases extremely",
    "rate": "even with the best server rate, amended FedAdam stays behind vanilla FedAdam",
    "fedcm": "FedAdam is slower than FedCM: amending suits the server that steps by SGD",
}

PLAIN = ("fedcm", "fedopt-adam")
EXTREMELY = 0.75  # of FedAdam's accuracy


def runs(scale: str) -> list[Keys]:
    """FedCM and FedAdam are shared with Figure 2, the rest with Table 3."""
    return settings.main(scale, (settings.TINY,), PLAIN) + amended.runs(scale)


def findings(rows: Table) -> list[Finding]:
    """Final test accuracies; levels over all rounds for speed."""
    vanilla = measures.accuracies(rows, settings.TINY, "fedopt-adam")
    low = amended.adam(rows, amended.ALPHA, amended.ETA)
    by_rate = {eta: amended.adam(rows, amended.ALPHA, eta) for eta in amended.rates(rows)}
    best = measures.each(max, by_rate.values())
    level = {name: _level(rows, name) for name in PLAIN}
    return [
        vote(
            CLAIMS["falls"],
            "with each seed: at alpha = 0.1 at most three quarters of FedAdam's final accuracy",
            [EXTREMELY * a - b for a, b in zip(vanilla, low, strict=True)],
            {"FedAdam (%)": measures.mean(vanilla), "alpha = 0.1 (%)": measures.mean(low)},
        ),
        vote(
            CLAIMS["rate"],
            "with each seed: alpha = 0.1 at the best server rate ends below FedAdam",
            measures.ahead(vanilla, best),
            {"FedAdam (%)": measures.mean(vanilla)} | measures.averages(by_rate, "server rate {:g} (%)"),
        ),
        vote(
            CLAIMS["fedcm"],
            "with each seed: FedCM's test accuracy is higher on average over the rounds",
            measures.ahead(level["fedcm"], level["fedopt-adam"]),
            measures.averages(level, "{} (%)"),
        ),
    ]


def _level(rows: Table, name: str) -> list[float]:
    curve = measures.curve(rows, "accuracy", settings.TINY, name)
    return [0.0 if curve.diverged else 100 * float(one.mean()) for one in curve.each]


def draw(rows: Table) -> Drawing:
    """(a) alpha; (b) server rate."""
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(1, 2, figsize=(8.4, 3.0), sharey=True)
    amended_adam: dict[str, Any] = {"method": settings.AMENDED_ADAM}
    left = panels.ranked(amended.weights(rows), "alpha", r"$\alpha={:g}$", eta=amended.ETA, **amended_adam)
    right = panels.ranked(amended.rates(rows), "eta", r"$\eta_g={:g}$", alpha=amended.ALPHA, **amended_adam)
    titles = rf"(a) $\alpha$ varies, $\eta_g = {amended.ETA:g}$", rf"(b) $\eta_g$ varies, $\alpha = {amended.ALPHA:g}$"
    for ax, lines, title in zip(axes, (left, right), titles, strict=True):
        ax.set_title(title)
        panels.fill(ax, rows, "accuracy", [*panels.named(PLAIN), *_dashed(lines)])
    axes[1].set_ylabel("")
    panels.legend(figure, axes)
    panels.source(figure, rows, "Grid of $\\eta_g$: the paper's, a part of it below paper scale; of $\\alpha$: ours.")
    return figure


def _dashed(lines: Sequence[panels.Line]) -> list[panels.Line]:
    return [(label, {**look, "linestyle": (0, (5, 1.6))}, where) for label, look, where in lines]


FIGURE = Figure(
    module=__name__,
    id="LADA.F5",
    title="Amended FedAdam over its weight and server rate, and FedCM",
    alt="Two panels of test accuracy against communication rounds on TinyImageNet. Left: FedAdam amended with several "
    "weights alpha at server rate 0.1. Right: amended FedAdam with alpha 0.1 at several server rates. FedCM and plain "
    "FedAdam are drawn in both. The findings below compare where they end.",
    claims=CLAIMS,
    statements=("LADA.E8",),
    runs=runs,
    table=measures.table,
    findings=findings,
    draw=draw,
)
