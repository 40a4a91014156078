"""DA (19): centralized SGDM is Euler's scheme for a slow-fast system."""

from theorems.fedda.common import BETA, RATES, agreement, numeric, procedures
from theorems.fedda.listing_fedda import average, sgdm
from theorems.vocabulary import *


def euler(r: Any, fresh: bool) -> tuple[Any, Any]:
    """Steps of length eta in tau: m + eta m'(m, W), then W + eta W' with the new m (``fresh``) or the old."""
    W, m = r.x, r.m
    for _ in range(r.T):
        slope = (-(1 - r.beta) * m + (1 - r.beta) * average(r.p, [g(W) for g in r.grads])) / r.eta
        new = m + r.eta * slope
        W, m = W + r.eta * -(new if fresh else m), new
    return W, m


def sides(r: Any) -> list[tuple[str, Any, Any]]:
    W, m = sgdm(r.grads, r.p, r.x, r.m, r, r.T)[-1]
    scheme = euler(r, fresh=True)
    return [("W(T)", scheme[0], W), ("m(T)", scheme[1], m)]


def derive(proof: Derivation, s: Instance) -> None:
    """One step of length eta: m + eta m' = beta m + (1 - beta) g, W - eta m(t+1); more steps repeat it."""
    e, b, m, g, W, V, X, M = reals("eta beta m g W V X M")
    r = numeric(s)
    model, moment = r.x, r.m
    proof.leaf("m(0)", [], m == m, m=moment)
    proof.leaf("W(0)", [], W == W, W=model)
    for _ in range(r.T):
        slope = average(r.p, [grad(model) for grad in r.grads])
        proof.leaf("a step of m", [X == m, 0 < e], X + e * ((-(1 - b) * X + (1 - b) * g) / e) == b * m + (1 - b) * g,
                   eta=r.eta, beta=r.beta, X=moment, m=moment, g=slope)  # fmt: skip
        new = r.beta * moment + (1 - r.beta) * slope
        proof.leaf("a step of W", [V == W, X == M], V + e * -X == W - e * M, eta=r.eta, V=model, W=model, X=new, M=new)
        model, moment = model - r.eta * new, new


STATEMENT = Statement(
    kind="equivalence",
    location="(18) and (19), section 4",
    says="(18) is the numerical solution of (19) using Euler's scheme with step eta.",
    reading="The semi-implicit Euler scheme, which moves W with the new momentum; the explicit one would use m(t), "
    "and (18) has m(t+1).",
    domain=procedures(),
    hypotheses=(RATES, BETA),
    printed=agreement(
        "T Euler steps give SGDM's W(T) and m(T)",
        r"\eta\dot m=-(1-\beta)m+(1-\beta)g(W),\ \dot W=-m",
        sides,
        derive=derive,
    ),
    note="The step does not resolve the fast variable: at g = 0 a step multiplies m by beta, the flow by exp(-(1 - "
    "beta)), for every eta. So m(t) does not tend to m(t eta) as eta -> 0 unless beta -> 1, too.",
)
