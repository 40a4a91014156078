"""Test accuracy along rounds on next-word prediction: AdaGrad on the clients, on the server, on both, or nowhere.

Two panels, 1 and 5 local epochs, both at the rates tuned for 1 (section 6 prints no others).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import partial

from figures import curves, series, style
from figures.figure import Figure
from figures.findings import Finding, judge, vote
from figures.local_adaptivity import printed, tuning
from figures.local_adaptivity.settings import Variant
from figures.records import Drawing, Table

CLAIMS = {
    "local": "local AdaGrad significantly speeds up convergence compared with SGD clients",
    "client_only": "client-only AdaGrad is even slightly faster than server-only AdaGrad (1 local epoch)",
    "epochs": "with 5 local epochs the improvement of client-only over server-only AdaGrad is more obvious",
    "both": "AdaGrad on both clients and server is the fastest",
    "four": "on both, it is about 4 times faster than server-only AdaGrad to 20 % accuracy (1 local epoch)",
}

EPOCHS = (1, 5)
SIDES = [("SGD", "SGD"), ("AdaGrad", "SGD"), ("SGD", "AdaGrad"), ("AdaGrad", "AdaGrad")]  # server, client
NONE, SERVER, CLIENT, BOTH = SIDES
TASK = "words-lstm"
TARGET = 20 / printed.TABLE_1[TASK][BOTH]  # 20 %, as a part of what AdaGrad on both sides reaches
FASTER = 2.0  # half of the printed 4


def _variant(sides: tuple[str, str], epochs: int = 1) -> Variant:
    return Variant(TASK, *sides, epochs=epochs)


VARIANTS = [_variant(sides, epochs) for epochs in EPOCHS for sides in SIDES]


def findings(rows: Table) -> list[Finding]:
    """Speed is the mean accuracy over all rounds (the area under the curve), a number a seed."""
    speed = {(epochs, sides): _speeds(rows, sides, epochs) for epochs in EPOCHS for sides in SIDES}
    one = {_label(sides): _mean(speed[1, sides]) for sides in SIDES}
    five = {f"{_label(sides)}, 5 epochs": _mean(speed[5, sides]) for sides in SIDES}
    lead = {epochs: _less(speed[epochs, CLIENT], speed[epochs, SERVER]) for epochs in EPOCHS}
    rounds = {_label(sides): _rounds(rows, sides) for sides in (SERVER, BOTH)}
    return [
        vote(
            CLAIMS["local"],
            "with each seed, number of epochs and server: more mean accuracy over all rounds than with SGD clients",
            [gap for e in EPOCHS for more, less in ((CLIENT, NONE), (BOTH, SERVER))
             for gap in _less(speed[e, more], speed[e, less])],
            one | five,
        ),
        vote(CLAIMS["client_only"], "with each seed: more mean accuracy over all rounds", lead[1], one),
        vote(
            CLAIMS["epochs"],
            "with each seed the difference of their mean accuracies is larger with 5 epochs",
            _less(lead[5], lead[1]),
            {f"{epochs} epochs": _mean(lead[epochs]) for epochs in EPOCHS},
        ),
        vote(
            CLAIMS["both"],
            "with each seed and number of epochs: more mean accuracy over all rounds than any other",
            [gap for e in EPOCHS for sides in SIDES[:-1] for gap in _less(speed[e, BOTH], speed[e, sides])],
            one | five,
        ),
        judge(
            CLAIMS["four"],
            "rounds of the mean curve to 20/24.40 of what AdaGrad on both sides ends with: at least twice as many",
            rounds[_label(SERVER)] >= FASTER * rounds[_label(BOTH)],
            rounds,
            unless=rounds[_label(SERVER)] == rounds[_label(BOTH)] in (0, math.inf),
        ),
    ]  # fmt: skip


def _label(sides: tuple[str, str]) -> str:
    return f"C:{sides[1]}, S:{sides[0]}"


def _speeds(rows: Table, sides: tuple[str, str], epochs: int) -> list[float]:
    curve = tuning.curve(rows, _variant(sides, epochs))
    return [0.0 if curve.diverged else float(path.mean()) for path in curve.each]


def _rounds(rows: Table, sides: tuple[str, str]) -> float:
    """To the target; infinite if the curve does not get there."""
    reached = tuning.curve(rows, _variant(BOTH))
    curve = tuning.curve(rows, _variant(sides))
    if curve.diverged or reached.diverged:
        return math.inf
    return series.rounds_to(curve.rounds, curve.mean, TARGET * reached.end, "max")


def _less(more: Sequence[float], less: Sequence[float]) -> list[float]:
    return [a - b for a, b in zip(more, less, strict=True)]


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)


def draw(rows: Table) -> Drawing:
    """A panel a number of epochs."""
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(1, 2, figsize=(8.2, 3.5), sharey=True)
    looks = curves.looks([_label(sides) for sides in SIDES])
    for ax, epochs in zip(axes, EPOCHS, strict=True):
        for sides in SIDES:
            curves.line(ax, tuning.curve(rows, _variant(sides, epochs)), looks[_label(sides)], _label(sides))
        plural = "s" if epochs > 1 else ""
        ax.set(title=f"{epochs} local epoch{plural}", xlabel="rounds", xlim=(0, None))
    axes[0].set(ylabel="test accuracy, %", ylim=(0, None))  # once both panels are drawn, for they share it
    figure.legend(*axes[0].get_legend_handles_labels(), loc="outside right center", title="C: clients, S: server")
    style.sourced(
        figure,
        rows,
        "Rates tuned as in the paper's A.2, but on test data; below paper scale grid, clients, rounds and network are "
        f"ours. The paper tunes on and shows validation data. {curves.BAND}",
    )
    return figure


FIGURE = Figure(
    module=__name__,
    id="LA.F2",
    title="Training curves of FedOpt variants on next-word prediction",
    alt="Two panels, 1 and 5 local epochs: test accuracy in percent against rounds for four combinations of SGD and "
    "AdaGrad on clients (C) and server (S), a line each with a band over seeds. Which of them is fastest is told by "
    "the findings below, for the scale and data that the figure names.",
    claims=CLAIMS,
    flagship=True,
    statements=("LA.D3",),
    runs=partial(tuning.grid, VARIANTS),
    then=partial(tuning.finals, VARIANTS),
    table=partial(tuning.table, VARIANTS),
    findings=findings,
    draw=draw,
)
