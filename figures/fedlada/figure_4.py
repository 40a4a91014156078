r"""FedLADA on CIFAR-10 with more or fewer of the clients in each round."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any

from figures import curves, series
from figures.fedlada import measures, panels, settings

ID = "LADA.F4"
TITLE = "FedLADA with different participation ratios on CIFAR-10"
ALT = (
    "Two panels against communication rounds: test accuracy on the left, training loss on the right, with a line for "
    "each share of clients that take part in a round, pale for the smallest to dark for the largest, and the range of "
    "its seeds. The findings below tell whether more clients are faster and whether the gain weakens."
)
CLAIMS = {
    "more": "more active clients improve the training: the loss falls as the ratio rises from 5 to 50 %",
    "saturates": "the improvement is obvious when the ratio is low and gradually weakens towards full participation",
}
EXACT = False
FLAGSHIP = True
STATEMENTS = ("LADA.C36", "LADA.D1")

SHARES = {"smoke": (10, 50), "laptop": (5, 10, 20, 50), "paper": (5, 10, 20, 50)}


def runs(scale: str) -> list[dict[str, Any]]:
    """Every share and seed; 10 % is shared with Figure 2."""
    return [
        settings.run(settings.C10, scale, "fedlada", seed, share=share)
        for share in SHARES[scale]
        for seed in settings.seeds(scale)
    ]


def table(scale: str, results: Sequence[Any]) -> dict[str, Any]:
    """See `measures.table`."""
    return measures.table(results)


def findings(rows: Any) -> list[Any]:
    """On the training loss, mean over the run without its start."""
    from figures.findings import vote

    shares = sorted(series.values(rows, "share"))
    level = {share: _level(rows, share) for share in shares}
    pairs = list(itertools.pairwise(shares))
    gain = {pair: [a - b for a, b in zip(level[pair[0]], level[pair[1]], strict=True)] for pair in pairs}
    told = {f"{share} %": measures.mean(values) for share, values in level.items()}
    first, last = gain[pairs[0]], gain[pairs[-1]]
    return [
        vote(
            CLAIMS["more"],
            "with each seed: the mean training loss over the rounds is lower at the highest ratio than at the lowest",
            [a - b for a, b in zip(level[shares[0]], level[shares[-1]], strict=True)],
            told,
        ),
        vote(
            CLAIMS["saturates"],
            "with each seed: the first doubling gains more than the last step (times 2.5)",
            [a - b for a, b in zip(first, last, strict=True)] if len(pairs) > 1 else [],
            told,
        ),
    ]


def _level(rows: Any, share: int) -> list[float]:
    found = measures.curve(rows, "loss", settings.C10, "fedlada", share=share)
    return [float("inf") if found.diverged else float(one[1:].mean()) for one in found.each]


def draw(rows: Any) -> Any:
    """Accuracy left, loss right."""
    shares = sorted(series.values(rows, "share"))
    looks = curves.ranked(shares)
    figure = panels.pair(rows, [(f"{share} %", looks[share], {"share": share}) for share in shares])
    panels.source(figure, rows, "Ratios: the paper's.")
    return figure
