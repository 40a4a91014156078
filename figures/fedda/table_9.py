"""FedDA's final accuracy with SGDM as the server rate varies, printed beside ours."""

from __future__ import annotations

from figures.fedda import sensitivity

ID = "DA.T9"
TITLE = "FedDA's final accuracy with SGDM and varying server learning rate"
ALT = (
    "A table of three data sets by four server rates, the client rate fixed: FedDA's final accuracy and the rate, "
    "ours and, in grey brackets, the printed. How much a bad rate costs is told by the finding below."
)
CLAIMS = {"crucial": "it is crucial to choose the server rate to achieve competitive performance (SGDM)"}
EXACT = False
FLAGSHIP = False
STATEMENTS = ("DA.E28",)

runs, table, findings, sheet = sensitivity.frame(9, CLAIMS)
