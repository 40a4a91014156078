"""Final mean squared error on EMNIST, by an autoencoder, printed beside ours."""

from __future__ import annotations

from figures.fedda import finals, settings, tuning

ID = "DA.T4"
TITLE = "Final mean squared error on EMNIST for autoencoder"
ALT = (
    "A table of six methods by three optimizers: final mean squared error on EMNIST, ours and, in grey "
    "brackets, the printed; the best of ours in each column is bold. Which method is best is told by the "
    "findings below."
)
CLAIMS = {
    "sgdm": "with SGDM, FedDA ends with the lowest mean squared error of the six methods on EMNIST",
    "adam": "with Adam, FedDA ends with the lowest mean squared error of the six methods on EMNIST",
    "adagrad": "with AdaGrad, FedDA ends with the lowest mean squared error of the six methods on EMNIST",
}
EXACT = False
FLAGSHIP = True
STATEMENTS = ("DA.D1", "DA.E28", "DA.E35", "DA.E39")

runs, then, table = tuning.methods(settings.AUTOENCODER)
findings, sheet = finals.frame(settings.AUTOENCODER, "min", ".4f", CLAIMS)
