"""Tables 2 to 5: the final value of every method with every optimizer."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial

from figures import series
from figures.fedda import printed, settings
from figures.findings import Finding, judge, vote
from figures.records import Table
from figures.tables import Cell, Sheet

__all__ = ["beats", "best_other", "final", "frame", "gain", "most", "sheet"]

LOST = {"max": 0.0, "min": float("inf")}  # what a run that diverged is worth


def frame(
    task: str, better: str, form: str, claims: Mapping[str, str]
) -> tuple[Callable[[Table], list[Finding]], Callable[[Table], Sheet]]:
    """``findings, sheet`` of a table that claims that FedDA is best with each optimizer."""
    return partial(beats, better=better, claims=claims), partial(sheet, task=task, better=better, form=form)


def final(rows: Table, better: str, method: str, optimizer: str) -> list[float]:
    """The last measured value, one a seed."""
    known = settings.ANY_OPTIMIZER if method in settings.ANY else optimizer
    found = series.curve(rows, "value", method=method, optimizer=known)
    return [LOST[better]] * len(found.each) if found.diverged else [float(one[-1]) for one in found.each]


def best_other(rows: Table, better: str, optimizer: str) -> list[float]:
    """Those of the baseline that is best on average."""
    names = [name for name in series.values(rows, "method") if name != "fedda"]
    pick = max if better == "max" else min
    return pick((final(rows, better, name, optimizer) for name in names), key=_mean)


def beats(rows: Table, better: str, claims: Mapping[str, str]) -> list[Finding]:
    """One finding an optimizer: FedDA ends better than the best other, with each seed."""
    word = "above" if better == "max" else "below"
    return [
        vote(
            claims[optimizer],
            f"with each seed FedDA's last value is {word} that of the baseline that is best on average",
            _margins(rows, better, optimizer),
            _pair(rows, better, optimizer),
        )
        for optimizer in settings.OPTIMIZERS
    ]


def most(rows: Table, better: str, claim: str) -> Finding:
    """With at least two of the three optimizers FedDA ends better than the best other."""
    each = [_margins(rows, better, optimizer) for optimizer in settings.OPTIMIZERS]
    counts = [sum(margin > 0 for margin in seed) - 1.5 for seed in zip(*each, strict=True)]
    pairs = [_pair(rows, better, optimizer) for optimizer in settings.OPTIMIZERS]
    numbers = {
        f"{settings.WORDS[optimizer]}, {name}": value
        for optimizer, pair in zip(settings.OPTIMIZERS, pairs, strict=True)
        for name, value in pair.items()
    }
    return vote(claim, "with each seed: FedDA ends above the best other with two optimizers of three", counts, numbers)


def gain(rows: Table, claim: str, least: float) -> Finding:
    """With SGDM: FedDA's final value over the best other's, less 1."""
    pair = _pair(rows, "max", "sgdm")
    gained = pair["FedDA"] / pair["best other"] - 1 if pair["best other"] > 0 else float("inf")
    gained = float("nan") if any(value != value for value in pair.values()) else gained
    return judge(claim, f"the gain is at least {least:.3f}, half of what is printed", gained >= least,
                 {"gain": gained, **pair}, unless=not any(pair.values()))  # fmt: skip


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


def sheet(rows: Table, task: str, better: str, form: str, notes: Sequence[str] = ()) -> Sheet:
    """A row a method, a column an optimizer, as printed."""
    lines = []
    for method in [name for name in settings.METHODS if name in series.values(rows, "method")]:
        ours = [_shown(final(rows, better, method, optimizer), better) for optimizer in settings.OPTIMIZERS]
        given = printed.FINAL[task][settings.METHODS[method]]
        lines.append((settings.METHODS[method], [Cell(a, b) for a, b in zip(ours, given, strict=True)]))
    head = ("Optimizer", *(settings.WORDS[optimizer] for optimizer in settings.OPTIMIZERS))
    told = (
        "Mean over seeds of the last value; at laptop scale every method at the best of three rates (FedOpt and FedDA "
        "of five pairs) by training loss; STEM's a is ours."
    )
    return Sheet(head, lines, form, better, (*notes, told))


def _shown(values: Sequence[float], better: str) -> float | str:
    return "diverged" if LOST[better] in values else _mean(values)
