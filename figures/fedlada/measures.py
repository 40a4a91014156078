"""LADA's table of runs, and what the paper compares: final values, rounds to a target, speed-ups.

Targets below paper scale: the printed ones are of other networks, so ours stand to our FedAvg as the printed to the
printed FedAvg (Table 6). Training accuracy is not measured: "on the training data" counts to FedAvg's final loss.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from figures import series
from figures.fedlada import printed, settings
from figures.records import Table, Trained

__all__ = [
    "accuracies",
    "ahead",
    "averages",
    "curve",
    "each",
    "falling",
    "finals",
    "level",
    "losses",
    "mean",
    "reached",
    "speedup",
    "table",
    "target",
    "worst",
]

LABELS = ("task", "method", "alpha", "eta", "K", "share", "activation", "seed")
LAST, PART = 100, 0.2  # final: the mean over the last 100 rounds, of short runs over the last fifth


def table(
    scale: str, results: Sequence[Trained], measures: Sequence[str] = ("loss", "accuracy")
) -> dict[str, list[Any]]:
    """A row a run and measured round: `LABELS`, status, round, ``measures``.

    alpha: weight of the client's own direction, 1 where nothing amends it (SCAFFOLD: scale of the correction). K: local
    epochs at the paper's scale, else steps. share: percent of the clients that take part.
    """
    return series.long([replace(run, keys=_labels(run.keys)) for run in results], LABELS, measures)


def _labels(keys: Mapping[str, Any]) -> dict[str, Any]:
    clients = keys.get("clients", settings.CLIENTS[keys["scale"]])
    return {
        "task": keys["task"],
        "method": keys["method"],
        "alpha": float(keys.get("method.alpha", 1.0)),
        "eta": float(keys.get("eta", 1.0)),
        "K": int(keys.get("epochs") or keys["steps"]),
        "share": round(100 * keys["clients_per_round"] / clients),
        "activation": keys.get("activation", "relu"),
        "seed": keys["seed"],
    }


def curve(rows: Table, measure: str, task: str, method: str, **where: Any) -> series.Curve:
    """Of one method on one task; ``where`` tells its runs apart where there are several settings."""
    return series.curve(rows, measure, task=task, method=method, **where)


def finals(path: series.Curve, lost: float) -> list[float]:
    """Of each seed: the mean over the last rounds; ``lost`` where a seed diverged."""
    last = min(LAST, PART * path.rounds[-1])
    return [lost if path.diverged else series.tail(path.rounds, one, last) for one in path.each]


def accuracies(rows: Table, task: str, method: str, **where: Any) -> list[float]:
    """Final test accuracies in percent, one a seed; 0 where a seed diverged."""
    path = curve(rows, "accuracy", task, method, **where)
    return [100 * value for value in finals(_until(rows, path), 0.0)]


def losses(rows: Table, task: str, method: str, **where: Any) -> list[float]:
    """Final training losses, one a seed."""
    return finals(_until(rows, curve(rows, "loss", task, method, **where)), math.inf)


def level(rows: Table, task: str, method: str, **where: Any) -> list[float]:
    """Training losses, mean over the rounds without the start, one a seed; infinite where a seed diverged."""
    path = curve(rows, "loss", task, method, **where)
    return [math.inf if path.diverged else float(one[1:].mean()) for one in path.each]


def target(rows: Table, kind: str, task: str) -> float:
    """What is to be reached: ``train``: a loss; ``test``, ``early`` and ``middle``: an accuracy (not in percent)."""
    if kind == "train":
        return mean(losses(rows, task, "fedavg"))
    aim = printed.TARGETS[kind][task] / 100
    if _scale(rows) == "paper":
        return aim
    return aim * mean(accuracies(rows, task, "fedavg")) / printed.FINAL[task]["fedavg"]


def reached(rows: Table, kind: str, task: str, method: str) -> list[float]:
    """Rounds until the target is met, one a seed, by straight lines between measurements; infinite if never."""
    measure, better = ("loss", "min") if kind == "train" else ("accuracy", "max")
    path, aim = curve(rows, measure, task, method), target(rows, kind, task)
    return [series.rounds_to(path.rounds, one, aim, better) for one in path.each]


def speedup(others: Sequence[Sequence[float]], ours: Sequence[Sequence[float]]) -> list[float]:
    """Of each seed: the geometric mean over tasks of the other's rounds over ours. Lists a task, of a number a seed.

    Infinite where only the other never gets there, 0 where only we do not; 1 on a task where neither does.
    """
    with np.errstate(divide="ignore", invalid="ignore"):
        # a target met at the start counts as met in the first round, so that ratios exist
        theirs, lada = (np.maximum(np.array(rounds, dtype=float), 1) for rounds in (others, ours))
        ratios = np.where(np.isinf(theirs) & np.isinf(lada), 1.0, theirs / lada)
        return [float(value) for value in np.exp(np.log(ratios).mean(axis=0))]


def ahead(more: Iterable[float], less: Iterable[float]) -> list[float]:
    """The margin of each seed by which one exceeds the other."""
    return [a - b for a, b in zip(more, less, strict=True)]


def falling(paths: Iterable[Sequence[float]]) -> list[float]:
    """Of each seed: the least fall from one setting to the next; a list a setting.

    >>> falling([[5.0, 5.0], [3.0, 4.0], [2.0, 6.0]])
    [1.0, -2.0]
    """
    return worst([ahead(a, b) for a, b in itertools.pairwise(paths)])


def each(pick: Callable[[Iterable[float]], float], paths: Iterable[Sequence[float]]) -> list[float]:
    """Of each seed: the ``pick`` (max, min) of settings; a list a setting."""
    return [pick(one) for one in zip(*paths, strict=True)]


def worst(parts: Any) -> list[float]:
    """Of each seed: the least of its margins, one a part; NaN where one is missing. A list a part, a number a seed.

    >>> worst([[1.0, 2.0], [3.0, -1.0]])
    [1.0, -1.0]
    """
    return [float(value) for value in np.min(np.array(parts, dtype=float), axis=0)]


def mean(values: Any) -> float:
    """Of some numbers."""
    return float(np.mean(values))


def averages(by_setting: Mapping[Any, Any], form: str = "{}") -> dict[str, float]:
    """The mean of each setting, for a finding; methods by their names in print."""
    return {form.format(settings.NAMES.get(key, key)): mean(values) for key, values in by_setting.items()}


def _scale(rows: Table) -> str:
    return str((rows.schema.metadata or {}).get(b"scale", b"laptop").decode())


def _until(rows: Table, path: series.Curve) -> series.Curve:
    """Without the rounds that only Tables 1 and 6 look at."""
    if _scale(rows) != "paper" or path.rounds[-1] <= settings.ROUNDS["paper"]:
        return path
    kept = path.rounds <= settings.ROUNDS["paper"]
    return series.Curve(path.rounds[kept], path.each[:, kept], path.diverged)
