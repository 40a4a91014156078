"""DA (42): the distance of local from centralized momentum obeys a differential inequality."""

from theorems.fedda.common import BETA
from theorems.fedda.common_state import cauchy_schwarz, dot, gradients_at, states
from theorems.vocabulary import *


def compare(s: Instance) -> list[Comparison]:
    r"""the differential inequality

    \eta\tfrac{d}{d\tau}\|m^i-m\|\le(1-\beta)(-\|m^i-m\|+L_g\|W^i-W\|+\|R\|)

    Both sides times |D|, plus (1 - beta) |D|^2, which cancels: D = v - m of the first client, the true gradients.
    """
    nb, D = s.p.nb, s.v - s.m
    at_own = gradients_at(s.p, s.y)[..., 0, :]
    at_centre = gradients_at(s.p, s.x[..., None, :] + 0 * s.y)
    R = s.p.mean(at_centre) - at_centre[..., 0, :]
    driven = dot(D, at_own - s.p.mean(at_centre))
    right = s.p.L * nb.length(s.y[..., 0, :] - s.x) + nb.length(R)
    return [that("times |m^i - m|", (1 - s.beta) * driven) <= (1 - s.beta) * nb.length(D) * right]


def prove() -> None:
    """sympy identity and z3: eta |D| |D|' = <D, eta D'> = (1 - beta) <D, -D + (g^i(W^i) - g^i(W)) + R>; Cauchy-Schwarz
    on both terms and the Lipschitz gradient give the claim where D is not 0, and for the upper derivative where it is.
    """
    cauchy_schwarz()


CONVEX = Hypothesis(
    "mu >= 0: L_g is the largest eigenvalue",
    lambda s: [that(s.p.lam) >= s.p.lam * 0],
    role="the gradients then have the Lipschitz constant L_g of Assumption 1",
)

STATEMENT = Statement(
    kind="upper bound",
    location="(42), appendix A.3",
    says="eta |m^i - m|' <= (1 - beta)(-|m^i - m| + L_g |W^i - W| + |R|).",
    reading="Where m^i = m the derivative is the upper one: the gradient of |x|, 'for any x', does not exist at 0.",
    domain=states(),
    hypotheses=(BETA, CONVEX),
    printed=claim_of(compare, prove=prove),
    note="The sign of R (DA.E41) does not matter here.",
)
