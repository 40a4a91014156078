"""Amended FedAdam and FedCM on TinyImageNet: runs and numbers of Figure 5, from which Table 3 takes the best."""

from __future__ import annotations

from figures import series
from figures.fedlada import measures, settings
from figures.records import Keys, Row, Table

__all__ = ["ALPHA", "adam", "best", "rates", "runs", "weights"]

TASK, ADAM = settings.TINY, settings.AMENDED_ADAM
ALPHA, ETA = 0.1, 0.1  # where the other varies
ALPHAS = {"smoke": (0.1,), "laptop": (0.1,), "paper": (0.05, 0.1, 0.2, 0.5)}  # 1.0 is FedAdam
ETAS = {"smoke": (0.01,), "laptop": (0.01, 0.001), "paper": (0.01, 0.001, 0.0001)}


def runs(scale: str) -> list[Keys]:
    """Amended FedAdam over alpha and over the server rate."""
    pairs = [(alpha, ETA) for alpha in ALPHAS[scale]] + [(ALPHA, eta) for eta in ETAS[scale]]
    return [keys for alpha, eta in pairs for keys in settings.weighed(TASK, scale, ADAM, alpha, eta=eta)]


def weights(rows: Table) -> list[float]:
    """The alpha of amended FedAdam at the usual server rate, from large to small."""
    return sorted({row["alpha"] for row in _rows(rows) if row["eta"] == ETA}, reverse=True)


def rates(rows: Table) -> list[float]:
    """Its server rates at the usual alpha, from large to small."""
    return sorted({row["eta"] for row in _rows(rows) if row["alpha"] == ALPHA}, reverse=True)


def adam(rows: Table, alpha: float, eta: float) -> list[float]:
    """Final test accuracies in percent, one a seed."""
    return measures.accuracies(rows, TASK, ADAM, alpha=alpha, eta=eta)


def best(rows: Table) -> tuple[tuple[float, float], list[float]]:
    """(alpha, eta) of the highest mean final accuracy, and its seeds' accuracies."""
    pairs = [(alpha, ETA) for alpha in weights(rows)] + [(ALPHA, eta) for eta in rates(rows)]
    accuracies = {pair: adam(rows, *pair) for pair in pairs}
    top = max(accuracies, key=lambda pair: measures.mean(accuracies[pair]))
    return top, accuracies[top]


def _rows(rows: Table) -> list[Row]:
    return [row for row in series._records(rows) if row["method"] == ADAM]
