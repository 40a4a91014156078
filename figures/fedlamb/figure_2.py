"""LAMB Figure 2: test accuracy of four methods on i.i.d. digits and clothes, 1 and 3 local epochs."""

from __future__ import annotations

from functools import partial
from typing import Any

from figures.fedlamb import panels, settings, tuning, verdicts
from figures.fedlamb.scores import Scores, less
from figures.fedlamb.settings import Panel
from figures.figure import Figure
from figures.findings import Finding, vote
from figures.records import Drawing, Table

CLAIMS = {
    "fewest": "in all panels, FED-LAMB achieves the same accuracy with the fewest communication rounds",
    "ninety": "MNIST + CNN, 1 local epoch: Fed-AMS requires 20 rounds for 90 %, FED-LAMB only 5 (75 % fewer)",
    "better": "in all panels, FED-LAMB converges to a better solution (higher test accuracy)",
    "digits": "on MNIST, FED-LAMB leads to improved generalisation, i.e. test accuracy",
    "layers": "on the MLP, FED-LAMB beats Fed-AMS, from which it differs by layer-wise rates alone",
    "epochs": "convergence is faster with 3 local epochs",
}

GRID = tuple(tuple(Panel(task, "iid", epochs) for task in settings.GREYS) for epochs in settings.EPOCHS)
PANELS = tuple(panel for row in GRID for panel in row)
NINETY = 0.9
HALF = 0.5  # of Fed-AMS's rounds; the paper: a quarter


def findings(rows: Table) -> list[Finding]:
    """Rounds to 0.9 times the best final accuracy of a panel; final: mean over the last fifth of the rounds."""
    scores = {panel: Scores(rows, panel) for panel in PANELS}
    digits = {panel: one for panel, one in scores.items() if panel.task != settings.CLOTHES}
    mlp = {panel: one for panel, one in scores.items() if panel.task == settings.MLP}
    return [
        verdicts.fewest(CLAIMS["fewest"], scores),
        _ninety(scores[Panel(settings.DIGITS, "iid")]),
        verdicts.better(CLAIMS["better"], scores),
        verdicts.better(CLAIMS["digits"], digits),
        verdicts.beside(CLAIMS["layers"], mlp, "Fed-AMS"),
        _epochs(scores),
    ]


def _ninety(panel: Any) -> Finding:
    check = "with each seed FED-LAMB reaches 90 % in at most half of Fed-AMS's rounds"
    ours, other = panel.to("FED-LAMB", NINETY), panel.to("Fed-AMS", NINETY)
    margins = [less(a, HALF * b) for a, b in zip(ours, other, strict=True)]
    return vote(CLAIMS["ninety"], check, margins, {"FED-LAMB": verdicts.mean(ours), "Fed-AMS": verdicts.mean(other)})


def _epochs(scores: Any) -> Finding:
    """Both against one accuracy: near the best of the panel with 1 epoch."""
    check = "with each seed and task, FED-LAMB needs fewer rounds to 0.9 x the best 1-epoch accuracy with 3 epochs"
    margins: list[list[float]] = []
    numbers: dict[str, float] = {}
    for task in settings.GREYS:
        one, three = (scores[Panel(task, "iid", epochs)] for epochs in settings.EPOCHS)
        pair = [side.to("FED-LAMB", one.near) for side in (one, three)]
        margins.append([less(b, a) for a, b in zip(*pair, strict=True)])
        for epochs, rounds in zip(settings.EPOCHS, pair, strict=True):
            numbers[f"{settings.TITLES[task]}, {epochs}"] = verdicts.mean(rounds)
    return vote(CLAIMS["epochs"], check, verdicts.worst(margins), numbers)


def draw(rows: Table) -> Drawing:
    """Upper row 1 local epoch, lower row 3."""
    text = (
        "Half the clients a round, examples dealt out anew each round: the paper's. Rounds and, below paper scale, "
        "sizes and grids: ours."
    )
    return panels.draw(rows, GRID, (9.6, 5.6), text)


FIGURE = Figure(
    module=__name__,
    id="LAMB.F2",
    title="Test accuracy with i.i.d. data: MNIST and Fashion-MNIST, 1 and 3 local epochs",
    alt="Six panels, test accuracy against communication rounds: MNIST with a perceptron, MNIST and Fashion-MNIST with "
    "a convolutional network; upper row one local epoch, lower row three. Four lines a panel: Fed-SGD, Fed-AMS, "
    "Adp-Fed, FED-LAMB. Which rises first and ends highest is told by the findings, for the scale that the figure "
    "names.",
    claims=CLAIMS,
    flagship=True,
    statements=("LAMB.A1", "LAMB.A2", "LAMB.C1"),
    runs=partial(tuning.runs, PANELS),
    then=partial(tuning.then, PANELS),
    table=partial(tuning.table, PANELS),
    findings=findings,
    draw=draw,
)
