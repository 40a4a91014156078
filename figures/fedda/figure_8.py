"""Loss of ten methods on Stack Overflow, with three optimizers (appendix A.4)."""

from __future__ import annotations

from figures.fedda import convergence, settings, tuning

ID = "DA.F8"
TITLE = "Loss on Stack Overflow with three optimizers, ten methods"
ALT = (
    "Three panels, SGDM, Adam and AdaGrad: loss on Stack Overflow against training rounds, one line a method "
    "for ten methods, FedDA the thickest, its rivals thin. Which method is fastest and which ends best is "
    "told by the findings below, for the scale and data that the figure names."
)
CLAIMS = {
    "fastest": "on Stack Overflow, FedDA achieves the fastest convergence of the loss in most experiments",
}
EXACT = False
FLAGSHIP = True
STATEMENTS = ("DA.E28", "DA.E35", "DA.E39")

runs, then, table = tuning.methods(settings.TAGS)
findings, draw = convergence.frame(settings.TAGS, "loss", CLAIMS)
