"""Tuned rates: the best of each grid by mean accuracy over the last 100 rounds (A.2), then run with all seeds.

The paper looks at validation data, which our tasks have none of, so that test data choose. The grid has one seed; the
runs that tables and curves show are made at the rates chosen, with all seeds.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import product
from typing import Any

from figures import series, tuning
from figures.local_adaptivity import settings
from figures.local_adaptivity.settings import Variant
from figures.records import Columns, Keys, Table, Trained

__all__ = ["chosen", "curve", "ends", "finals", "grid", "means", "scored", "table"]

Pair = tuple[float, float]


def grid(variants: Sequence[Variant], scale: str) -> list[Keys]:
    """The runs that rates are chosen from, each once."""
    return [settings.run(variant, scale, *pair, final=False) for variant, pair in _cells(variants, scale)]


def chosen(variants: Sequence[Variant], scale: str, results: Sequence[Trained]) -> dict[Variant, Pair]:
    """The best pair (base-10 logarithms of client and server rate) of each grid."""
    cells = zip(_cells(variants, scale), results, strict=False)
    return tuning.best((variant, pair, scored(run)) for (variant, pair), run in cells)


def finals(variants: Sequence[Variant], scale: str, results: Sequence[Trained]) -> list[Keys]:
    """The runs to show: each variant at the rates of its grid, all seeds."""
    pairs = chosen(variants, scale, results)
    return [settings.run(variant, scale, *pairs[variant.tuned], seed=seed) for variant, seed in _shown(variants, scale)]


def table(variants: Sequence[Variant], scale: str, results: Sequence[Trained]) -> Columns:
    """One row a final run and measured round: the variant, the rates' logarithms, seed, status, round, percent."""
    pairs = chosen(variants, scale, results)
    seeded = _shown(variants, scale)
    columns: dict[str, list[Any]] = {}
    for (variant, seed), run in zip(seeded, results[-len(seeded) :], strict=True):
        gamma, eta = pairs[variant.tuned]
        rounds, values = run.series(settings.MEASURES[variant.task])
        for t, value in zip(rounds.tolist(), values.tolist(), strict=True):
            row = {**variant._asdict(), "gamma": gamma, "eta": eta, "seed": seed, "status": run.status}
            for name, entry in {**row, "round": t, "percent": 100 * value}.items():
                columns.setdefault(name, []).append(entry)
    return columns


def curve(rows: Table, variant: Variant) -> series.Curve:
    """Percent of a variant along rounds, one path a seed."""
    return series.curve(rows, "percent", **variant._asdict())


def ends(rows: Table, variant: Variant) -> list[float]:
    """Percent at the end, one number a seed: the mean over the last 100 rounds; 0 where a run diverged."""
    path = curve(rows, variant)
    return [0.0 if math.isinf(end) else end for end in path.ends]


def scored(run: Trained) -> float:
    """Percent at the end of a run; -1 where it diverged."""
    rounds, values = run.series(settings.MEASURES[run.keys["task"]])
    return -1.0 if run.status == "diverged" else 100 * series.tail(rounds, values)


def _cells(variants: Sequence[Variant], scale: str) -> list[tuple[Variant, Pair]]:
    tuned = dict.fromkeys(variant.tuned for variant in variants)
    return [(variant, pair) for variant in tuned for pair in settings.rates(variant, scale)]


def _shown(variants: Sequence[Variant], scale: str) -> list[tuple[Variant, int]]:
    return list(product(variants, settings.seeds(scale)))


def means(rows: Table, variants: Mapping[str, Variant]) -> dict[str, float]:
    """The mean over seeds of `ends`, by name."""
    by_name = {name: ends(rows, variant) for name, variant in variants.items()}
    return {name: sum(values) / len(values) for name, values in by_name.items()}
