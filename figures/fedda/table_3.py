"""Final accuracy on EMNIST, printed beside ours."""

from __future__ import annotations

from figures.fedda import finals, settings, tuning

ID = "DA.T3"
TITLE = "Final accuracy on EMNIST"
ALT = (
    "A table of ten methods by three optimizers: final accuracy on EMNIST, ours and, in grey brackets, the "
    "printed; the best of ours in each column is bold. Which method is best is told by the findings below."
)
CLAIMS = {
    "sgdm": "with SGDM, FedDA ends with the highest accuracy of all methods on EMNIST",
    "adam": "with Adam, FedDA ends with the highest accuracy of all methods on EMNIST",
    "adagrad": "with AdaGrad, FedDA ends with the highest accuracy of all methods on EMNIST",
}
EXACT = False
FLAGSHIP = True
STATEMENTS = ("DA.D1", "DA.E28", "DA.E35", "DA.E39")

runs, then, table = tuning.methods(settings.EMNIST)
findings, sheet = finals.frame(settings.EMNIST, "max", ".3f", CLAIMS)
