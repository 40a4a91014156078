r"""The consistency term E ||x_{i,K} - x^{t+1}||^2 of FedLADA on CIFAR-10 over alpha, and SCAFFOLD's."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from figures.fedlada import corrections, measures, settings

ID = "LADA.F8c"
TITLE = "Consistency of local solutions over FedLADA's amended weight, and SCAFFOLD"
ALT = (
    "The mean squared distance of the clients' last local points from the next global point, on CIFAR-10, against "
    "rounds on a logarithmic scale: a line for each amended weight alpha of FedLADA, pale to dark, and one for "
    "SCAFFOLD. The findings below tell whether smaller alpha means more consistent local solutions."
)
CLAIMS = {
    "alpha": "the smaller alpha, the more consistent the local solutions",
    "scaffold": "a small alpha's local solutions are more consistent than SCAFFOLD's",
}
EXACT = False
FLAGSHIP = True
STATEMENTS = ("LADA.E23",)


def runs(scale: str) -> list[dict[str, Any]]:
    """Shared with Figure 8b."""
    return corrections.runs(scale)


def table(scale: str, results: Sequence[Any]) -> dict[str, Any]:
    """See `measures.table`; a round a row."""
    return measures.table(results, ("consistency",))


def findings(rows: Any) -> list[Any]:
    """Mean over the last rounds."""
    from figures.findings import vote

    found = {alpha: _ends(rows, "fedlada", alpha=alpha) for alpha in corrections.alphas(rows)}
    scaffold = _ends(rows, "scaffold")
    told = {f"alpha = {alpha:g}": measures.mean(values) for alpha, values in found.items()}
    pairs = zip(found, list(found)[1:], strict=False)
    return [
        vote(
            CLAIMS["alpha"],
            "with each seed: less for each alpha than for the next larger one",
            measures.worst(
                [[b - a for a, b in zip(found[small], found[large], strict=True)] for small, large in pairs]
            ),
            told,
        ),
        vote(
            CLAIMS["scaffold"],
            "with each seed: less at the smallest alpha than SCAFFOLD's",
            [b - a for a, b in zip(found[min(found)], scaffold, strict=True)],
            told | {"SCAFFOLD": measures.mean(scaffold)},
        ),
    ]


def _ends(rows: Any, method: str, **where: Any) -> list[float]:
    return measures.finals(measures.curve(rows, "consistency", settings.C10, method, **where), float("inf"))


def draw(rows: Any) -> Any:
    """The term against rounds, logarithmic."""
    figure = corrections.single(rows, "consistency", r"consistency $E\,\|x_{i,K}^t - x^{t+1}\|^2$")
    figure.axes[0].set_yscale("log")
    return figure
