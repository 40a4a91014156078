"""Findings that several figures share: FED-LAMB against the other methods, over panels, with a vote of the seeds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from figures.fedlamb.scores import OURS, Scores, less
from figures.fedlamb.settings import TITLES, Panel
from figures.findings import Finding, vote

__all__ = ["beside", "better", "fewest", "learnt", "mean", "sooner_than", "worst"]

Panels = Mapping[Panel, Scores]


def fewest(claim: str, scores: Panels) -> Finding:
    """FED-LAMB is the first to come near the best accuracy, in every panel."""
    check = "with each seed, in each panel: the fewest rounds to 0.9 x the best final accuracy"
    margins = {panel: one.sooner() for panel, one in scores.items()}
    numbers = _numbers(scores, {panel: mean(one.to(OURS, one.near)) for panel, one in scores.items()}, "rounds")
    return vote(claim, check, worst(list(margins.values())), {_first(len(scores)): _count(margins), **numbers})


def better(claim: str, scores: Panels, margin: float = 0.0, extra: str = "") -> Finding:
    """FED-LAMB ends with the highest accuracy, in every panel, by more than ``margin``."""
    check = f"with each seed, in each panel: the highest mean accuracy over the last fifth of the rounds{extra}"
    margins = {panel: [value - margin for value in one.better()] for panel, one in scores.items()}
    numbers = _numbers(scores, {panel: mean(one.better()) for panel, one in scores.items()}, "lead")
    return vote(claim, check, worst(list(margins.values())), {_first(len(scores)): _count(margins), **numbers})


def sooner_than(claim: str, scores: Panels, others: Sequence[str]) -> Finding:
    """FED-LAMB comes near the best accuracy before these, in every panel."""
    check = f"with each seed, in each panel: fewer rounds to 0.9 x the best final accuracy than {' and '.join(others)}"
    margins: list[list[float]] = []
    numbers: dict[str, float] = {}
    for panel, one in scores.items():
        ours = one.to(OURS, one.near)
        for other in others:
            rival = one.to(other, one.near)
            margins.append([less(a, b) for a, b in zip(ours, rival, strict=True)])
            numbers |= _numbers({panel: one}, {panel: mean(rival)}, other)
        numbers |= _numbers({panel: one}, {panel: mean(ours)}, OURS)
    return vote(claim, check, worst(margins), numbers)


def learnt(finding: Finding, scores: Panels) -> Finding:
    """The same, inconclusive where in some panel no method ends at twice the accuracy of chance or more."""
    lost = [panel for panel, one in scores.items() if not one.learnt()]
    check = f"{finding.check}; some method ends at twice chance or more"
    return replace(finding, check=check, status="inconclusive" if lost else finding.status)


def beside(claim: str, scores: Panels, other: str) -> Finding:
    """FED-LAMB needs fewer rounds than one other method and ends higher, in every panel."""
    check = (
        f"with each seed, in each panel: fewer rounds to 0.9 x the best final accuracy than {other}, and a higher end"
    )
    margins: list[list[float]] = []
    numbers: dict[str, float] = {}
    for panel, one in scores.items():
        ours, rival = one.to(OURS, one.near), one.to(other, one.near)
        ends = zip(one.finals(OURS), one.finals(other), strict=True)
        margins += [[less(a, b) for a, b in zip(ours, rival, strict=True)], [a - b for a, b in ends]]
        numbers |= _numbers({panel: one}, {panel: mean(ours)}, f"rounds, {OURS}")
        numbers |= _numbers({panel: one}, {panel: mean(rival)}, f"rounds, {other}")
    return vote(claim, check, worst(margins), numbers)


def mean(values: Sequence[float]) -> float:
    """Over seeds."""
    return float(np.mean(values))


def worst(margins: Sequence[Sequence[float]]) -> list[float]:
    """The least margin of each seed over panels; a seed that fails anywhere fails, whatever is unknown elsewhere."""
    least = []
    for each in zip(*margins, strict=True):
        lost = [value for value in each if value <= 0]
        least.append(min(lost) if lost else float(np.min(each)))
    return least


def _count(margins: Mapping[Panel, Sequence[float]]) -> float:
    """Panels in which all seeds agree with the paper."""
    return float(sum(all(value > 0 for value in each) for each in margins.values()))


def _first(panels: int) -> str:
    return f"panels where so, of {panels}"


def _numbers(scores: Panels, values: Mapping[Panel, float], what: str) -> dict[str, float]:
    several = len({panel.epochs for panel in scores}) > 1
    return {
        f"{TITLES[panel.task]}{f', {panel.epochs} ep.' * (several or panel.epochs > 1)}, {what}": value
        for panel, value in values.items()
    }
