"""LAMB Figure 3: test accuracy of four methods on digits and clothes, each client with one class a round."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from figures.fedlamb import panels, settings, tuning, verdicts
from figures.fedlamb.scores import Scores
from figures.fedlamb.settings import Panel
from figures.figure import Figure
from figures.findings import Finding, judge, vote
from figures.records import Columns, Drawing, Keys, Table, Trained

CLAIMS = {
    "better": "with 1 local epoch, in all cases FED-LAMB outperforms the three baselines",
    "faster": "FED-LAMB provides faster convergence than Fed-SGD and Fed-AMS",
    "ten": "on FMNIST, FED-LAMB improves the accuracy of Fed-SGD and Fed-AMS by more than 10 %",
    "half": "on both datasets, FED-LAMB saves around 50 % of the rounds that Fed-AMS takes to an accuracy",
    "clothes": "Adp-Fed performs as good as FED-LAMB on FMNIST",
    "digits": "Adp-Fed performs worse than other methods on MNIST",
    "less": "with 3 local epochs the advantage of FED-LAMB is less significant than with i.i.d. data (Figure 2)",
}

GRID = tuple(tuple(Panel(task, "one_class", epochs) for task in settings.GREYS) for epochs in settings.EPOCHS)
PANELS = tuple(panel for row in GRID for panel in row)
IID = tuple(Panel(task, "iid", 3) for task in settings.GREYS)  # what the last claim compares with: runs of Figure 2
PAIR = ("Fed-AMS", "FED-LAMB")
TEN = 0.1
SAVED = 0.7  # of Fed-AMS's rounds are enough: "around 50 %"
CLOSE = 0.02  # as good


def runs(scale: str) -> list[Keys]:
    """The grids."""
    return tuning.runs(PANELS, scale) + tuning.runs(IID, scale, PAIR)


def then(scale: str, results: Sequence[Trained]) -> list[Keys]:
    """The other seeds and panels of the best rates."""
    return tuning.then(PANELS, scale, results) + tuning.then(IID, scale, results, PAIR)


def table(scale: str, results: Sequence[Trained]) -> Columns:
    """A row a panel, method, seed and round: accuracy."""
    one_class, iid = tuning.table(PANELS, scale, results), tuning.table(IID, scale, results, PAIR)
    return {name: one_class[name] + iid[name] for name in one_class}


def findings(rows: Table) -> list[Finding]:
    """Final: mean over the last fifth of the rounds."""
    scores = {panel: Scores(rows, panel) for panel in PANELS}
    upper = {panel: one for panel, one in scores.items() if panel.epochs == 1}
    clothes = upper[Panel(settings.CLOTHES, "one_class")]
    finals = {name: clothes.final(name) for name in ("FED-LAMB", "Fed-SGD", "Fed-AMS", "Adp-Fed")}
    leads = [_leads(clothes, other) for other in ("Fed-SGD", "Fed-AMS")]
    return [
        verdicts.better(CLAIMS["better"], upper),
        verdicts.sooner_than(CLAIMS["faster"], upper, ("Fed-SGD", "Fed-AMS")),
        vote(
            CLAIMS["ten"],
            "with each seed, FMNIST, 1 epoch: FED-LAMB's final accuracy is higher than either's by more than 0.1",
            verdicts.worst([[lead - TEN for lead in each] for each in leads]),
            {name: finals[name] for name in ("FED-LAMB", "Fed-SGD", "Fed-AMS")},
        ),
        _half(upper),
        verdicts.learnt(_as_good(finals), {panel: one for panel, one in upper.items() if one is clothes}),
        _worst_on_digits(upper),
        _less_significant(rows, scores),
    ]


def _as_good(finals: dict[str, float]) -> Finding:
    return judge(
        CLAIMS["clothes"],
        "FMNIST, 1 epoch: Adp-Fed's final accuracy, mean over seeds, is at most 0.02 below FED-LAMB's",
        finals["Adp-Fed"] >= finals["FED-LAMB"] - CLOSE,
        {name: finals[name] for name in ("Adp-Fed", "FED-LAMB")},
    )


def _leads(one: Any, other: str) -> list[float]:
    return [a - b for a, b in zip(one.finals("FED-LAMB"), one.finals(other), strict=True)]


def _half(upper: Any) -> Finding:
    margins: list[list[float]] = []
    numbers: dict[str, float] = {}
    for panel, one in upper.items():
        shares = _shares(one)
        margins.append([SAVED - share for share in shares])
        numbers[settings.TITLES[panel.task]] = verdicts.mean(shares)
    check = "with each seed and task, 1 epoch: to Fed-AMS's final accuracy FED-LAMB needs at most 0.7 of its rounds"
    return vote(CLAIMS["half"], check, verdicts.worst(margins), numbers)


def _shares(one: Any) -> list[float]:
    """FED-LAMB's rounds to Fed-AMS's final accuracy, over Fed-AMS's own, of each seed."""
    targets = one.finals("Fed-AMS")
    pairs = zip(one.to("FED-LAMB", targets), one.to("Fed-AMS", targets), strict=True)
    return [_ratio(own, other) for own, other in pairs]


def _ratio(ours: float, other: float) -> float:
    """Unknown where Fed-AMS diverged, or ends no higher than it starts."""
    from math import inf, nan

    return ours / other if 0 < other < inf else nan


def _worst_on_digits(upper: Any) -> Finding:
    holds: list[bool] = []
    numbers: dict[str, float] = {}
    for task in (settings.MLP, settings.DIGITS):
        one = upper[Panel(task, "one_class")]
        ends = {name: one.final(name) for name in one.curves}
        holds.append(all(ends["Adp-Fed"] < end for name, end in ends.items() if name != "Adp-Fed"))
        numbers |= {f"{settings.TITLES[task]}, {name}": end for name, end in ends.items()}
    check = "MNIST, MLP and CNN, 1 epoch: Adp-Fed's final accuracy, mean over seeds, is the lowest"
    return judge(CLAIMS["digits"], check, all(holds), numbers)


def _less_significant(rows: Table, scores: Any) -> Finding:
    part = {
        "one class": [_shares(one) for panel, one in scores.items() if panel.epochs == 3],
        "i.i.d.": [_shares(Scores(rows, panel, PAIR)) for panel in IID],
    }
    numbers = {
        f"{kind}, share of rounds": verdicts.mean([verdicts.mean(one) for one in each]) for kind, each in part.items()
    }
    check = (
        "3 epochs, mean over tasks and seeds: FED-LAMB's share of Fed-AMS's rounds to Fed-AMS's final accuracy is "
        "larger with one class a client than with i.i.d. data"
    )
    one_class, iid = numbers.values()
    return judge(CLAIMS["less"], check, one_class > iid, numbers)


def draw(rows: Table) -> Drawing:
    """Upper row 1 local epoch, lower row 3."""
    text = (
        "One class a client, half the clients a round, examples dealt out anew each round: the paper's. Rounds and, "
        "below paper scale, sizes and grids: ours."
    )
    return panels.draw(rows, GRID, (9.6, 5.6), text)


FIGURE = Figure(
    module=__name__,
    id="LAMB.F3",
    title="Test accuracy with one class a client: MNIST and Fashion-MNIST, 1 and 3 local epochs",
    alt="Six panels, test accuracy against communication rounds, as in Figure 2, but each client has examples of one "
    "class in a round: MNIST with a perceptron, MNIST and Fashion-MNIST with a convolutional network; upper row one "
    "local epoch, lower row three. Four lines a panel: Fed-SGD, Fed-AMS, Adp-Fed, FED-LAMB.",
    claims=CLAIMS,
    flagship=True,
    statements=("LAMB.A1", "LAMB.A2", "LAMB.C1"),
    runs=runs,
    then=then,
    table=table,
    findings=findings,
    draw=draw,
)
