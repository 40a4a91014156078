"""FedLADA on TinyImageNet with K local epochs: runs and numbers of Figure 3 and Table 4."""

from __future__ import annotations

from figures import series
from figures.fedlada import measures, settings
from figures.records import Keys, Table

__all__ = ["K", "accuracy", "runs", "speedup", "values"]

# At the laptop's scale K counts steps, so that K = 10 is the run of all other figures.
K = {"smoke": (2, 4), "laptop": (2, 4, 10), "paper": (2, 4, 10, 20)}


def runs(scale: str) -> list[Keys]:
    """Every K and seed."""
    key = "epochs" if scale == "paper" else "steps"
    return [
        settings.run(settings.TINY, scale, "fedlada", seed, **{key: k})
        for k in K[scale]
        for seed in settings.seeds(scale)
    ]


def values(rows: Table) -> list[int]:
    """The K of the table."""
    return sorted(series.values(rows, "K"))


def accuracy(rows: Table, k: int) -> list[float]:
    """Final test accuracy in percent, one a seed."""
    return measures.accuracies(rows, settings.TINY, "fedlada", K=k)


def speedup(rows: Table, slow: int, fast: int) -> list[float]:
    """Rounds of K = ``slow`` to its own final training loss over those of K = ``fast`` to it, one a seed."""
    aim = measures.mean(measures.losses(rows, settings.TINY, "fedlada", K=slow))
    pair = [measures.curve(rows, "loss", settings.TINY, "fedlada", K=k) for k in (slow, fast)]
    return measures.speedup(*([[series.rounds_to(one.rounds, path, aim) for path in one.each]] for one in pair))
