r"""FedAvg as it was first written, eta = gamma, on CIFAR-100: what tying the rates does (8.2).

The grid of Figure 5 is here for the comparison that the text announces: both rates tuned, apart.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from figures import curves, series, style
from figures.figure import Figure
from figures.findings import Finding, vote
from figures.outsized import settings, tuning
from figures.records import Drawing, Keys, Table, Trained

CLAIMS = {
    "one": "gamma = eta = 1.0 results in an increased training loss",
    "most": "gamma = eta = 0.1 outperforms 0.01 for most rounds",
    "apart": "tuning client and server rates separately greatly improves on gamma = eta",
}

GREATLY = 0.95  # times the best tied loss


def runs(scale: str) -> list[Keys]:
    """Tied rates, and the grid of Figure 5."""
    tied = settings.tied(settings.CIFAR, scale)
    return tied + [keys for keys in settings.grid((settings.CIFAR,), scale) if keys not in tied]


def then(scale: str, results: Sequence[Trained]) -> list[Keys]:
    """The other seeds of tuned server rates."""
    return tuning.others(scale, [run for run in results if run.keys["gamma"] != run.keys["eta"]])


def findings(rows: Table) -> list[Finding]:
    """On final losses (mean over the last 100 rounds, or the second half of a short run), and along the way."""
    tied_curves, apart = tied(rows), best_apart(rows).curve
    one, best = tied_curves[1.0], min(tied_curves.values(), key=_end)
    start = float(one.mean[0])
    low, high = tied_curves[0.1], tied_curves[0.01]
    return [
        vote(
            CLAIMS["one"],
            "with each seed the final loss at 1.0 is above that at the start",
            [end - first for end, first in zip(one.ends, one.each[:, 0], strict=True)],
            {"start": start, "end": one.end},
        ),
        vote(
            CLAIMS["most"],
            "with each seed the loss at 0.1 is the lower one at more than half of the measured rounds after the start",
            [share - 0.5 for share in _ahead(low, high)],
            {"share of rounds, least of seeds": min(_ahead(low, high)), "end at 0.1": low.end, "end at 0.01": high.end},
        ),
        vote(
            CLAIMS["apart"],
            f"with each seed the best pair of different rates ends below {GREATLY} times the best tied loss",
            [GREATLY * a - b for a, b in zip(best.ends, apart.ends, strict=True)],
            {"apart": apart.end, "tied": best.end},
        ),
    ]


def _end(curve: series.Curve) -> float:
    return math.inf if math.isnan(curve.end) else curve.end


def _ahead(low: series.Curve, high: series.Curve) -> list[float]:
    """Of each seed: the share of rounds at which ``low`` is below ``high``; what diverged is above."""
    if low.diverged or high.diverged:
        return [0.0 if low.diverged else 1.0] * len(low.each)
    paths = zip(low.each[:, 1:], high.each[:, 1:], strict=True)
    return [math.nan if math.isnan((a + b).sum()) else float((a < b).mean()) for a, b in paths]


def tied(rows: Table) -> dict[float, series.Curve]:
    """The curves with gamma = eta."""
    pairs = {(row["gamma"], row["eta"]) for row in rows.to_pylist()}
    rates = sorted(gamma for gamma, eta in pairs if gamma == eta)
    return {rate: tuning.curve(rows, settings.CIFAR, tuning.UPDATE, rate, rate) for rate in rates}


def best_apart(rows: Table) -> tuning.Tuned:
    """The best pair of different rates."""
    import pyarrow as pa

    free = pa.Table.from_pylist([row for row in rows.to_pylist() if row["gamma"] != row["eta"]])
    return min(tuning.constant(free, settings.CIFAR).values(), key=lambda one: _end(one.curve))


def draw(rows: Table) -> Drawing:
    """One panel; the dashed line is ours."""
    from matplotlib import pyplot

    figure, ax = pyplot.subplots(figsize=(5.2, 3.4))
    tied_curves, best = tied(rows), best_apart(rows)
    looks = curves.ranked(list(tied_curves))
    for rate, one in tied_curves.items():
        if not one.diverged:
            curves.line(ax, one, looks[rate], rf"$\gamma=\eta={rate:g}$")
    dashed = {"color": "black", "linestyle": (0, (4, 1.5))}
    curves.line(ax, best.curve, dashed, rf"$\gamma={best.gamma:g},$" + "\n" + rf"$\eta={best.eta:.3g}$")
    lost = ", ".join(f"{rate:g}" for rate, one in tied_curves.items() if one.diverged)
    diverged = "\n" + rf"($\gamma=\eta=${lost} diverged)" if lost else ""
    ax.set(title=settings.TITLES[settings.CIFAR] + diverged, xlabel="rounds $t$", xlim=(0, None))
    ax.set_ylabel("training loss $f(x_t)$")
    figure.legend(loc="outside right center")
    style.sourced(
        figure,
        rows,
        rf"$K = 10$: the paper's; {settings.OURS} Dashed: the best two different rates of Figure 5. {curves.BAND}",
    )
    return figure


FIGURE = Figure(
    module=__name__,
    id="OLR.F4",
    title="Training loss of LocalUpdate on CIFAR-100 when both rates are the same",
    alt="Training loss against rounds on CIFAR-100, a line for each rate gamma = eta, pale to dark, and a dashed line "
    "for the best pair of different rates. Whether gamma = eta = 1 rises, and whether 0.1 is below 0.01 in most "
    "rounds, is told by the findings below.",
    claims=CLAIMS,
    flagship=True,
    statements=("OLR.S6",),
    runs=runs,
    then=then,
    table=tuning.table,
    findings=findings,
    draw=draw,
)
