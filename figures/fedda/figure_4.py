"""Loss of ten methods on EMNIST, with three optimizers."""

from __future__ import annotations

from figures.fedda import convergence, settings, tuning

ID = "DA.F4"
TITLE = "Loss on EMNIST with three optimizers, ten methods"
ALT = (
    "Three panels, SGDM, Adam and AdaGrad: loss on EMNIST against training rounds, one line a method for ten "
    "methods, FedDA the thickest, its rivals thin. Which method is fastest and which ends best is told by the "
    "findings below, for the scale and data that the figure names."
)
CLAIMS = {
    "fastest": "on EMNIST, FedDA achieves the fastest convergence of the loss in most experiments",
    "early": "FedDA's loss converges within less than 200 (of 1500) rounds and then keeps stable on EMNIST",
}
EXACT = False
FLAGSHIP = True
STATEMENTS = ("DA.E28", "DA.E35", "DA.E39")

runs, then, table = tuning.methods(settings.EMNIST)
findings, draw = convergence.frame(settings.EMNIST, "loss", CLAIMS)
