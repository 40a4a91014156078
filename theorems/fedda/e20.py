"""DA (20): SGDM splits over the clients when momenta and models are averaged after every step."""

from theorems.fedda.common import BETA, RATES, WEIGHTS, agreement, numeric, procedures
from theorems.fedda.lemmas import common_start, mean_of_momenta, mean_of_steps
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


def derive(proof: Derivation, s: Instance) -> None:
    """Averages are linear in m^i and W^i, whose gradients are taken at W: by induction they stay those of (18)."""
    e, b, A, B, M, W, X, Y = reals("eta beta A B M W X Y")
    r = numeric(s)
    common_start(proof, r)
    common_start(proof, r, r.x)
    y, momenta, model, moment = [r.x] * r.n, [r.m] * r.n, r.x, r.m
    for _ in range(r.T):
        slopes = [g(model) for g in r.grads]
        mean_of_momenta(proof, r, momenta, slopes)
        new = [r.beta * v + (1 - r.beta) * g for v, g in zip(momenta, slopes, strict=True)]
        proof.leaf("the mean momentum a step on", [X == b * A + (1 - b) * B, A == M], X == b * M + (1 - b) * B,
                   beta=r.beta, X=average(r.p, new), A=average(r.p, momenta), B=average(r.p, slopes),
                   M=moment)  # fmt: skip
        moment = r.beta * moment + (1 - r.beta) * average(r.p, slopes)
        mean_of_steps(proof, r, y, new)
        moved = [w - r.eta * v for w, v in zip(y, new, strict=True)]
        proof.leaf("the mean model a step on", [X == A - e * Y, A == W, Y == M], X == W - e * M, eta=r.eta,
                   X=average(r.p, moved), A=average(r.p, y), Y=average(r.p, new), W=model, M=moment)  # fmt: skip
        y, momenta, model = moved, new, model - r.eta * moment


STATEMENT = Statement(
    kind="equivalence",
    location="(20), section 4",
    says="Averaging m^i and W^i after each step, with gradients at the global W, is centralized SGDM.",
    severity="typo",
    domain=procedures(),
    hypotheses=(RATES, BETA, WEIGHTS),
    printed=agreement(
        "m(t+1) and W(t+1) average m^i(t) and W^i(t)",
        r"m(t+1)=\sum_i\tfrac{N^i}{N}m^i(t),\ W(t+1)=\sum_i\tfrac{N^i}{N}W^i(t)",
        lambda r: sides(r, fresh=False),
    ),
    corrected=agreement(
        "they average m^i(t+1) and W^i(t+1)",
        r"m(t+1)=\sum_i\tfrac{N^i}{N}m^i(t+1),\ W(t+1)=\sum_i\tfrac{N^i}{N}W^i(t+1)",
        lambda r: sides(r, fresh=True),
        derive=derive,
    ),
    note="The index slips as in (9b) and (26).",
)
