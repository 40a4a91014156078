"""Final accuracy on CIFAR-100, printed beside ours."""

from __future__ import annotations

from figures.fedda import finals, settings, tuning

ID = "DA.T2"
TITLE = "Final accuracy on CIFAR-100"
ALT = (
    "A table of ten methods by three optimizers: final accuracy on CIFAR-100, ours and, in grey brackets, the "
    "printed; the best of ours in each column is bold. Which method is best is told by the findings below."
)
CLAIMS = {
    "sgdm": "with SGDM, FedDA ends with the highest accuracy of all methods on CIFAR-100",
    "adam": "with Adam, FedDA ends with the highest accuracy of all methods on CIFAR-100",
    "adagrad": "with AdaGrad, FedDA ends with the highest accuracy of all methods on CIFAR-100",
}
EXACT = False
FLAGSHIP = True
STATEMENTS = ("DA.D1", "DA.E28", "DA.E35", "DA.E39")

runs, then, table = tuning.methods(settings.CIFAR)
findings, sheet = finals.frame(settings.CIFAR, "max", ".3f", CLAIMS)
