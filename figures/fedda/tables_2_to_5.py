"""Tables 2 to 5: the final value of every method with every optimizer, on three data sets and with an autoencoder."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial

from figures import series
from figures.fedda import printed, settings, tuning
from figures.fedda.settings import AUTOENCODER, CIFAR, EMNIST, TAGS
from figures.figure import Figure
from figures.findings import Finding, judge, vote
from figures.records import Table
from figures.tables import Cell, Sheet

LOST = {"max": 0.0, "min": float("inf")}  # what a run that diverged is worth
HIGHEST = "with {}, FedDA ends with the highest accuracy of all methods on {}"
LOWEST = "with {}, FedDA ends with the lowest mean squared error of the six methods on EMNIST"
ON_TAGS = {
    "most": "the accuracy achieved by FedDA is the highest in most tests",
    "gain": "with SGDM FedDA's final accuracy is 22.3 % above the best competitors'",
}
TAGS_NOTE = (
    "As printed, FedDA is strictly highest with no optimizer: CLIMB leads with SGDM (0.302 against 0.273), FedOpt "
    "is level with Adam and leads with AdaGrad. The paper's accuracy is recall at 5 here."
)
RATES_NOTE = (
    "Mean over seeds of the last value; at laptop scale every method at the best of three rates (FedOpt and FedDA "
    "of five pairs) by training loss; STEM's a is ours."
)


def final(rows: Table, better: str, method: str, optimizer: str) -> list[float]:
    """The last measured value, one a seed."""
    column = settings.ANY_OPTIMIZER if method in settings.ANY else optimizer
    curve = series.curve(rows, "value", method=method, optimizer=column)
    return [LOST[better]] * len(curve.each) if curve.diverged else [float(path[-1]) for path in curve.each]


def best_other(rows: Table, better: str, optimizer: str) -> list[float]:
    """Those of the baseline that is best on average."""
    names = [name for name in series.values(rows, "method") if name != "fedda"]
    pick = max if better == "max" else min
    return pick((final(rows, better, name, optimizer) for name in names), key=_mean)


def beats(rows: Table, better: str, claims: Mapping[str, str]) -> list[Finding]:
    """One finding an optimizer: FedDA ends better than the best other, with each seed."""
    word = "above" if better == "max" else "below"
    check = f"with each seed FedDA's last value is {word} that of the baseline that is best on average"
    return [
        vote(claims[optimizer], check, _margins(rows, better, optimizer), _pair(rows, better, optimizer))
        for optimizer in settings.OPTIMIZERS
    ]


def on_tags(rows: Table, better: str, claims: Mapping[str, str]) -> list[Finding]:
    """What the text says of Table 5."""
    return [_most(rows, better, claims["most"]), _gain(rows, better, claims["gain"])]


def _most(rows: Table, better: str, claim: str) -> Finding:
    """With at least two of the three optimizers FedDA ends better than the best other."""
    each = [_margins(rows, better, optimizer) for optimizer in settings.OPTIMIZERS]
    counts = [sum(margin > 0 for margin in seed) - 1.5 for seed in zip(*each, strict=True)]
    numbers = {
        f"{settings.WORDS[optimizer]}, {name}": value
        for optimizer in settings.OPTIMIZERS
        for name, value in _pair(rows, better, optimizer).items()
    }
    return vote(claim, "with each seed: FedDA ends above the best other with two optimizers of three", counts, numbers)


def _gain(rows: Table, better: str, claim: str) -> Finding:
    """With SGDM: FedDA's final value over the best other's, less 1."""
    pair, least = _pair(rows, better, "sgdm"), printed.GAIN_SGDM / 2
    gain = pair["FedDA"] / pair["best other"] - 1 if pair["best other"] > 0 else float("inf")
    gain = float("nan") if any(value != value for value in pair.values()) else gain
    check = f"the gain is at least {least:.3f}, half of what is printed"
    return judge(claim, check, gain >= least, {"gain": gain, **pair}, unless=not any(pair.values()))


def _margins(rows: Table, better: str, optimizer: str) -> list[float]:
    sign = 1.0 if better == "max" else -1.0
    ours, others = final(rows, better, "fedda", optimizer), best_other(rows, better, optimizer)
    return [_difference(sign * a, sign * b) for a, b in zip(ours, others, strict=True)]


def _difference(a: float, b: float) -> float:
    return 0.0 if a == b else a - b  # also where both are infinite


def _pair(rows: Table, better: str, optimizer: str) -> dict[str, float]:
    ours, others = final(rows, better, "fedda", optimizer), best_other(rows, better, optimizer)
    return {"FedDA": _mean(ours), "best other": _mean(others)}


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)


def sheet(rows: Table, task: str, better: str, form: str, notes: Sequence[str]) -> Sheet:
    """A row a method, a column an optimizer, as printed."""
    lines = []
    for method in [name for name in settings.METHODS if name in series.values(rows, "method")]:
        ours = [_as_cell(final(rows, better, method, optimizer), better) for optimizer in settings.OPTIMIZERS]
        theirs = printed.FINAL[task][settings.METHODS[method]]
        lines.append((settings.METHODS[method], [Cell(a, b) for a, b in zip(ours, theirs, strict=True)]))
    head = ("Optimizer", *(settings.WORDS[optimizer] for optimizer in settings.OPTIMIZERS))
    return Sheet(head, lines, form, better, (*notes, RATES_NOTE))


def _as_cell(values: Sequence[float], better: str) -> float | str:
    return "diverged" if LOST[better] in values else _mean(values)


def _table(
    number: int,
    task: str,
    title: str,
    claims: Mapping[str, str],
    methods: str = "ten",
    better: str = "max",
    form: str = ".3f",
    findings: Callable[..., list[Finding]] = beats,
    notes: Sequence[str] = (),
) -> Figure:
    measured = title.removesuffix(" for autoencoder").replace("Final", "final")
    return Figure(
        module=__name__,
        id=f"DA.T{number}",
        title=title,
        alt=f"A table of {methods} methods by three optimizers: {measured}, ours and, in grey brackets, the printed; "
        "the best of ours in each column is bold. Which method is best is told by the findings below.",
        claims=claims,
        flagship=True,
        statements=("DA.D1", "DA.E28", "DA.E35", "DA.E39"),
        runs=partial(tuning.runs, task),
        then=tuning.then,
        table=tuning.table,
        findings=partial(findings, better=better, claims=claims),
        sheet=partial(sheet, task=task, better=better, form=form, notes=notes),
    )


def _each(claim: str, data: str) -> dict[str, str]:
    return {optimizer: claim.format(settings.WORDS[optimizer], data) for optimizer in settings.OPTIMIZERS}


FIGURES = (
    _table(2, CIFAR, "Final accuracy on CIFAR-100", _each(HIGHEST, "CIFAR-100")),
    _table(3, EMNIST, "Final accuracy on EMNIST", _each(HIGHEST, "EMNIST")),
    _table(4, AUTOENCODER, "Final mean squared error on EMNIST for autoencoder", _each(LOWEST, "EMNIST"),
           methods="six", better="min", form=".4f"),
    _table(5, TAGS, "Final accuracy on Stack Overflow", ON_TAGS, findings=on_tags, notes=(TAGS_NOTE,)),
)  # fmt: skip
