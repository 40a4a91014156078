r"""Table 7: rounds to an early and a middle test accuracy, seven methods, three data sets."""

from __future__ import annotations

import math
from functools import partial

from figures.fedlada import counted, measures, settings
from figures.figure import Figure
from figures.findings import Finding, vote
from figures.records import Table

CLAIMS = {
    "early": "in the early stage FedLADA is about 1.3 times faster than the second",
    "middle": "in the middle stage FedLADA is about 1.5 times faster than the second",
    "fails": "LocalAdam is among the fastest early but never reaches the middle accuracy on some data set",
}

KINDS = ("early", "middle")
FACTORS = {"early": 1.3, "middle": 1.5}


def findings(rows: Table) -> list[Finding]:
    """The second of each data set and seed is the fastest of the others."""
    by_kind = {kind: counted.rounds(rows, kind) for kind in KINDS}
    middle, early = by_kind["middle"]["local-adam"], by_kind["early"]["local-adam"]
    early_lead = measures.speedup(by_kind["early"]["fedavg"], early)
    failed = [max(one[k] for one in middle) for k in range(len(middle[0]))]
    return [
        *(
            counted.faster(CLAIMS[kind], "the second", by_kind[kind], kind, settings.BASELINES, FACTORS[kind])
            for kind in KINDS
        ),
        vote(
            CLAIMS["fails"],
            "with each seed: faster than FedAvg to the early target, never at the middle one on one data set or more",
            [math.nan if math.isnan(a) or math.isnan(b) else 1.0 if a > 1 and math.isinf(b) else -1.0
             for a, b in zip(early_lead, failed, strict=True)],
            {"early, over FedAvg": measures.mean(early_lead)} | counted.mean_rounds(by_kind["middle"], ("local-adam",)),
        ),
    ]  # fmt: skip


FIGURE = Figure(
    module=__name__,
    id="LADA.T7",
    title="Communication rounds to early and middle accuracies, seven methods",
    alt="A table with a row a method and two columns a data set: the rounds until an early and until a "
    "middle test accuracy is reached, the mean over seeds, each beside the printed number. The word never "
    "stands where a seed did not get there.",
    claims=CLAIMS,
    flagship=True,
    statements=("LADA.N5", "LADA.N4"),
    runs=settings.main,  # shared with Figure 2
    table=measures.table,
    findings=findings,
    sheet=partial(counted.sheet, kinds=KINDS),
)
