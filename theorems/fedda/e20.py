"""DA (20): SGDM splits over the clients when momenta and models are averaged after every step."""

from theorems.fedda.common import BETA, RATES, agreement, averages_are_linear, procedures
from theorems.fedda.listing_fedda import average, sgdm
from theorems.vocabulary import *


def sides(r: Any, fresh: bool) -> list[tuple[str, Any, Any]]:
    """(20): averages of W^i(t), m^i(t) as printed, or of W^i(t+1), m^i(t+1); against (18)."""
    y, momenta, W, m = [r.x] * r.n, [r.m] * r.n, r.x, r.m
    for _ in range(r.T):
        new_m = [r.beta * v + (1 - r.beta) * g(W) for v, g in zip(momenta, r.grads, strict=True)]
        new_y = [w - r.eta * v for w, v in zip(y, new_m, strict=True)]
        W, m = (average(r.p, new_y), average(r.p, new_m)) if fresh else (average(r.p, y), average(r.p, momenta))
        y, momenta = new_y, new_m
    central = sgdm(r.grads, r.p, r.x, r.m, r, r.T)[-1]
    return [("W(T)", W, central[0]), ("m(T)", m, central[1])]


STATEMENT = Statement(
    kind="equivalence",
    location="(20), section 4",
    says="Averaging m^i and W^i after each step, with gradients at the global W, is centralized SGDM.",
    severity="typo",
    domain=procedures(),
    hypotheses=(RATES, BETA),
    printed=agreement(
        "m(t+1) and W(t+1) average m^i(t) and W^i(t)",
        r"m(t+1)=\sum_i\tfrac{N^i}{N}m^i(t),\ W(t+1)=\sum_i\tfrac{N^i}{N}W^i(t)",
        lambda r: sides(r, fresh=False),
    ),
    corrected=agreement(
        "they average m^i(t+1) and W^i(t+1)",
        r"m(t+1)=\sum_i\tfrac{N^i}{N}m^i(t+1),\ W(t+1)=\sum_i\tfrac{N^i}{N}W^i(t+1)",
        lambda r: sides(r, fresh=True),
        "The averages obey m(t+1) = beta m(t) + (1 - beta) sum_i p_i g^i(W(t)) and W(t+1) = W(t) - eta m(t+1), as "
        "the sums are linear in m^i and W^i; by induction they stay those of (18). Any losses, n and T: weighted "
        "sums obey one step by induction on n, and steps repeat.",
        covers="",
        also=averages_are_linear,
    ),
    note="The index slips as in (9b) and (26).",
)
