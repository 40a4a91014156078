"""DA (24) to (27): the numerical solution of the decoupled system."""

from theorems.fedda.common import BETA, RATES, WEIGHTS, agreement, numeric, procedures
from theorems.fedda.lemmas import common_start, global_momentum, models_follow
from theorems.fedda.listing_fedda import average, decoupled
from theorems.vocabulary import *


def sides(r: Any, factor: Any = 1, fresh: bool = True) -> list[tuple[str, Any, Any]]:
    """(24) to (27), g times ``factor`` in (25), (26) of m^i(t) or m^i(t+1); against Euler's scheme for (23)."""
    y, momenta, W, m = [r.x] * r.n, [r.m] * r.n, r.x, r.m
    for _ in range(r.T):
        local = [g(w) for g, w in zip(r.grads, y, strict=True)]
        new = [r.beta * v + (1 - r.beta) * g * factor for v, g in zip(momenta, local, strict=True)]
        m = average(r.p, new if fresh else momenta)
        W = W - m * r.alpha * r.eta
        y, momenta = [w - g * r.eta for w, g in zip(y, local, strict=True)], new
    path = decoupled(r.grads, r.p, r.x, r.m, r, r.T)[-1]
    return [("m(T)", m, path[1]), ("W(T)", W, path[0])]


def only(factor: bool, fresh: bool) -> Any:
    def compare(s: Instance) -> list[Comparison]:
        found = sides(numeric(s), s.eta if factor else 1, fresh)
        return [that(label, left) == right for label, left, right in found]

    return compare


def derive(proof: Derivation, s: Instance) -> None:
    """The mean of the clients' momenta is the global one (DA.E23), and (27) is the Euler step of W along it."""
    r = numeric(s)
    common_start(proof, r)
    each, one, _ = global_momentum(proof, r, [r.m] * r.n)
    models_follow(proof, r, [average(r.p, momenta) for momenta in each[1:]], one[1:])


STATEMENT = Statement(
    kind="equivalence",
    location="(24) to (27), section 4",
    says="(24) to (27) are the numerical solution of (23).",
    reading="Euler's scheme with step eta, as (18) is for (19).",
    severity="typo",
    domain=procedures(),
    hypotheses=(RATES, BETA, WEIGHTS),
    printed=agreement(
        "they give the momentum and the model of Euler's scheme",
        r"m^i(t+1)=\beta m^i(t)+(1-\beta)g^i(W^i(t))\eta,\ m(t+1)=\sum_i\tfrac{N^i}{N}m^i(t)",
        lambda r: sides(r, r.eta, fresh=False),
    ),
    corrected=agreement(
        "without the eta of (25), and with m^i(t+1) in (26)",
        r"m^i(t+1)=\beta m^i(t)+(1-\beta)g^i(W^i(t)),\ m(t+1)=\sum_i\tfrac{N^i}{N}m^i(t+1)",
        sides,
        derive=derive,
    ),
    steps=(
        Step(
            "(25): the factor eta",
            Claim("(25) alone", r"m^i(t+1)=\beta m^i(t)+(1-\beta)g^i(W^i(t))\eta", only(factor=True, fresh=True)),
            "no eta, as (28) and Algorithm 1 have it: the eta of (23) cancels the step's",
        ),
        Step(
            "(26): the average of m^i(t)",
            Claim("(26) alone", r"m(t+1)=\sum_i\tfrac{N^i}{N}m^i(t)", only(factor=False, fresh=False)),
            "m^i(t+1), as (29) has it",
        ),
    ),
    note="With (25) as printed the momentum has the size of eta g, and W moves by eta^2.",
)
