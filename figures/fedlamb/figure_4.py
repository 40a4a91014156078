"""LAMB Figure 4: test accuracy of ResNets on CIFAR-10 and TinyImageNet, each client with one class a round."""

from __future__ import annotations

from functools import partial
from typing import Any

from figures.fedlamb import panels, settings, tuning, verdicts
from figures.fedlamb.scores import Scores
from figures.fedlamb.settings import Panel
from figures.figure import Figure
from figures.findings import Finding, vote
from figures.records import Drawing, Table

CLAIMS = {
    "fewest": "FED-LAMB is the best method in terms of convergence speed",
    "better": "FED-LAMB is the best method in terms of generalisation accuracy",
    "significant": "on TinyImageNet, FED-LAMB has a significant advantage over all three baselines",
    "order": "on TinyImageNet, Adp-Fed performs better than Fed-SGD and Fed-AMS, but worse than FED-LAMB",
}

PANELS = tuple(Panel(task, "one_class") for task in settings.PHOTOGRAPHS)
POINT = 0.01  # of accuracy: significant; the paper: 0.0183


def findings(rows: Table) -> list[Finding]:
    """Inconclusive where no method learns: none ends at twice the accuracy of chance."""
    scores = {panel: Scores(rows, panel) for panel in PANELS}
    tiny = {PANELS[1]: scores[PANELS[1]]}
    above = ", by more than 0.01"
    return [
        verdicts.learnt(verdicts.fewest(CLAIMS["fewest"], scores), scores),
        verdicts.learnt(verdicts.better(CLAIMS["better"], scores), scores),
        verdicts.learnt(verdicts.better(CLAIMS["significant"], tiny, POINT, above), tiny),
        verdicts.learnt(_order(tiny[PANELS[1]]), tiny),
    ]


def _order(tiny: Any) -> Finding:
    order = ("FED-LAMB", "Adp-Fed", "Fed-SGD", "Fed-AMS")
    ends = {name: tiny.finals(name) for name in order}
    margins = [
        [a - b for a, b in zip(ends[high], ends[low], strict=True)]
        for high, low in (("FED-LAMB", "Adp-Fed"), ("Adp-Fed", "Fed-SGD"), ("Adp-Fed", "Fed-AMS"))
    ]
    check = "with each seed, final accuracy: FED-LAMB above Adp-Fed above Fed-SGD and Fed-AMS"
    return vote(CLAIMS["order"], check, verdicts.worst(margins), {name: verdicts.mean(ends[name]) for name in order})


def draw(rows: Table) -> Drawing:
    """A panel a data set."""
    text = (
        "One class a client, half the clients a round, rates divided by 10 at 30 % and 70 % of the rounds: the "
        "paper's. Below paper scale ResNet-8, sizes, steps and grids: ours."
    )
    return panels.draw(rows, (PANELS,), (7.2, 3.4), text)


FIGURE = Figure(
    module=__name__,
    id="LAMB.F4",
    title="Test accuracy with one class a client: ResNet-18 on CIFAR-10 and TinyImageNet",
    alt="Two panels, CIFAR-10 and TinyImageNet with ResNets: test accuracy against communication rounds, one class a "
    "client. Four lines each: Fed-SGD, Fed-AMS, Adp-Fed, FED-LAMB; rates fall tenfold at 30 % and 70 % of the rounds.",
    claims=CLAIMS,
    flagship=True,
    statements=("LAMB.A1", "LAMB.A2"),
    runs=partial(tuning.runs, PANELS),
    then=partial(tuning.then, PANELS),
    table=partial(tuning.table, PANELS),
    findings=findings,
    draw=draw,
)
