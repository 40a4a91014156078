"""Accuracy of ten methods on EMNIST, with three optimizers."""

from __future__ import annotations

from figures.fedda import convergence, settings, tuning

ID = "DA.F3"
TITLE = "Convergence on EMNIST with three optimizers, ten methods"
ALT = (
    "Three panels, SGDM, Adam and AdaGrad: accuracy on EMNIST against training rounds, one line a method for "
    "ten methods, FedDA the thickest, its rivals thin. Which method is fastest and which ends best is told by "
    "the findings below, for the scale and data that the figure names."
)
CLAIMS = {
    "fastest": "FedDA significantly speeds up the convergence on EMNIST in most experiments",
    "saves": "FedDA achieves 22.6 % convergence improvement on EMNIST, by the rounds to convergence",
    "flattens": "the curves initially increase and remain relatively stable beyond convergence points",
}
EXACT = False
FLAGSHIP = True
STATEMENTS = ("DA.E28", "DA.E35", "DA.E39")

runs, then, table = tuning.methods(settings.EMNIST)
findings, draw = convergence.frame(settings.EMNIST, "value", CLAIMS)
