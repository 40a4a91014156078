r"""FedLADA's test accuracy on CIFAR-10 over alpha, and SCAFFOLD's."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from figures.fedlada import corrections, measures, settings

ID = "LADA.F8b"
TITLE = "Test accuracy of FedLADA over its amended weight, and SCAFFOLD"
ALT = (
    "Test accuracy on CIFAR-10 against communication rounds: a line for each amended weight alpha of FedLADA, pale for "
    "the smallest to dark for 1, and one for SCAFFOLD, with the range of their seeds. The findings below tell which "
    "weights end above SCAFFOLD."
)
CLAIMS = {
    "small": "when alpha is small enough, FedLADA's correction outperforms SCAFFOLD",
    "one": "without amendment (alpha = 1) FedLADA ends lower than with a small alpha",
}
EXACT = False
FLAGSHIP = True
STATEMENTS = ("LADA.E23", "LADA.E22")


def runs(scale: str) -> list[dict[str, Any]]:
    """Shared with Figure 8c."""
    return corrections.runs(scale)


def table(scale: str, results: Sequence[Any]) -> dict[str, Any]:
    """See `measures.table`."""
    return measures.table(results)


def findings(rows: Any) -> list[Any]:
    """Final test accuracies."""
    from figures.findings import vote

    final = {
        alpha: measures.accuracies(rows, settings.C10, "fedlada", alpha=alpha) for alpha in corrections.alphas(rows)
    }
    scaffold = measures.accuracies(rows, settings.C10, "scaffold")
    told = {f"alpha = {alpha:g} (%)": measures.mean(values) for alpha, values in final.items()}
    told["SCAFFOLD (%)"] = measures.mean(scaffold)
    least, own = final[min(final)], final[max(final)]
    return [
        vote(
            CLAIMS["small"],
            "with each seed: the smallest alpha ends above SCAFFOLD",
            [a - b for a, b in zip(least, scaffold, strict=True)],
            told,
        ),
        vote(
            CLAIMS["one"],
            "with each seed: alpha = 1 ends below the smallest alpha",
            [a - b for a, b in zip(least, own, strict=True)],
            told,
        ),
    ]


def draw(rows: Any) -> Any:
    """Accuracy against rounds."""
    return corrections.single(rows, "accuracy", "top-1 test accuracy (%)")
