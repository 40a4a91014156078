"""DA (9): one local step at the global parameters, then averaging, is centralized gradient descent."""

from theorems.fedda.common import RATES, WEIGHTS, agreement, numeric, procedures
from theorems.fedda.lemmas import common_start, means_descend
from theorems.fedda.listing_fedda import average
from theorems.vocabulary import *


def sides(r: Any, fresh: bool) -> list[tuple[str, Any, Any]]:
    """(9a), then (9b) on W^i(t) as printed, or on W^i(t+1); against (3)."""
    y, W, central = [r.x] * r.n, r.x, r.x
    for _ in range(r.T):
        new = [w - g(W) * r.eta for w, g in zip(y, r.grads, strict=True)]
        W, y = average(r.p, new if fresh else y), new
        central = central - average(r.p, [g(central) for g in r.grads]) * r.eta
    return [("W(T)", W, central)]


def derive(proof: Derivation, s: Instance) -> None:
    """Averaging W^i(t) - eta g^i(W(t)) keeps W = sum_i p_i W^i, and moves W by - eta sum_i p_i g^i(W)."""
    r = numeric(s)
    common_start(proof, r, r.x)
    means_descend(proof, r, [r.x] * r.n)


STATEMENT = Statement(
    kind="equivalence",
    location="(9a) and (9b), section 3",
    says="One full-batch step of every client at W(t), then W(t+1) = sum_i p_i W^i(t), is centralized gradient "
    "descent.",
    severity="typo",
    domain=procedures(T=(1, 2, 3, 5, 10, 30)),
    hypotheses=(RATES, WEIGHTS),
    printed=agreement(
        "W(T) is that of gradient descent", r"W(t+1)=\sum_i\tfrac{N^i}{N}W^i(t)", lambda r: sides(r, fresh=False)
    ),
    corrected=agreement(
        "W(T) is that of gradient descent if the average takes W^i(t+1)",
        r"W(t+1)=\sum_i\tfrac{N^i}{N}W^i(t+1)",
        lambda r: sides(r, fresh=True),
        derive=derive,
    ),
    note="As printed (in section 1, too, and again in (20) and (26)) the average lags a step behind: W(t+2) = W(t+1) "
    "- eta grad L(W(t)), descent along a delayed gradient, stable for eta L < 1 only, not 2. The clients need not be "
    "reset to W.",
)
