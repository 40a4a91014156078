"""Loss of ten methods on CIFAR-100, with three optimizers."""

from __future__ import annotations

from figures.fedda import convergence, settings, tuning

ID = "DA.F2"
TITLE = "Loss on CIFAR-100 with three optimizers, ten methods"
ALT = (
    "Three panels, SGDM, Adam and AdaGrad: loss on CIFAR-100 against training rounds, one line a method for "
    "ten methods, FedDA the thickest, its rivals thin. Which method is fastest and which ends best is told by "
    "the findings below, for the scale and data that the figure names."
)
CLAIMS = {
    "fastest": "on CIFAR-100, FedDA achieves the fastest convergence of the loss in most experiments",
}
EXACT = False
FLAGSHIP = True
STATEMENTS = ("DA.E28", "DA.E35", "DA.E39")

runs, then, table = tuning.methods(settings.CIFAR)
findings, draw = convergence.frame(settings.CIFAR, "loss", CLAIMS)
