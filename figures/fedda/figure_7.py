"""Accuracy of ten methods on Stack Overflow, with three optimizers (appendix A.4)."""

from __future__ import annotations

from figures.fedda import convergence, settings, tuning

ID = "DA.F7"
TITLE = "Convergence on Stack Overflow with three optimizers, ten methods"
ALT = (
    "Three panels, SGDM, Adam and AdaGrad: recall at 5 on Stack Overflow against training rounds, one line a "
    "method for ten methods, FedDA the thickest, its rivals thin. Which method is fastest and which ends best "
    "is told by the findings below, for the scale and data that the figure names."
)
CLAIMS = {
    "fastest": "FedDA significantly speeds up the convergence on Stack Overflow in most experiments",
    "saves": "FedDA achieves 75.4 % convergence improvement on Stack Overflow, by the rounds to convergence",
    "flattens": "the curves initially increase and remain relatively stable beyond convergence points",
}
EXACT = False
FLAGSHIP = True
STATEMENTS = ("DA.E28", "DA.E35", "DA.E39")

runs, then, table = tuning.methods(settings.TAGS)
findings, draw = convergence.frame(settings.TAGS, "value", CLAIMS)
