"""Final accuracy on Stack Overflow, printed beside ours."""

from __future__ import annotations

from figures.fedda import finals, printed, settings, tuning
from figures.findings import Finding
from figures.records import Table
from figures.tables import Sheet

ID = "DA.T5"
TITLE = "Final accuracy on Stack Overflow"
ALT = (
    "A table of ten methods by three optimizers: final accuracy on Stack Overflow, ours and, in grey "
    "brackets, the printed; the best of ours in each column is bold. Which method is best is told by the "
    "findings below."
)
CLAIMS = {
    "most": "the accuracy achieved by FedDA is the highest in most tests",
    "gain": "with SGDM FedDA's final accuracy is 22.3 % above the best competitors'",
}
EXACT = False
FLAGSHIP = True
STATEMENTS = ("DA.D1", "DA.E28", "DA.E35", "DA.E39")

NOTES = (
    "As printed, FedDA is strictly highest with no optimizer: CLIMB leads with SGDM (0.302 against 0.273), FedOpt "
    "is level with Adam and leads with AdaGrad. The paper's accuracy is recall at 5 here.",
)

runs, then, table = tuning.methods(settings.TAGS)


def findings(rows: Table) -> list[Finding]:
    """What the text says of the table."""
    return [
        finals.most(rows, "max", CLAIMS["most"]),
        finals.gain(rows, CLAIMS["gain"], printed.GAIN_SGDM / 2),
    ]


def sheet(rows: Table) -> Sheet:
    """As printed."""
    return finals.sheet(rows, settings.TAGS, "max", ".3f", NOTES)
