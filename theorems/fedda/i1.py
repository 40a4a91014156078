"""DA section 1: 'the CGD reads W(t+1) = W(t) - sum_i N^i/N L^i(W(t)) eta'."""

from theorems.fedda.common import WEIGHTS, numeric, procedures
from theorems.fedda.lemmas import common_start, means_descend
from theorems.fedda.listing_fedda import average
from theorems.vocabulary import *


def centralized(r: Any) -> Any:
    """W - eta grad L(W)."""
    return r.x - r.eta * average(r.p, [g(r.x) for g in r.grads])


def printed(s: Instance) -> list[Comparison]:
    r"""The step along the losses is centralized gradient descent's.

    W-\eta\sum_i\tfrac{N^i}{N}L^i(W)=W-\eta\nabla\mathcal L(W)
    """
    r = numeric(s)
    losses = [s.a[..., i] * (s.x - s.c[..., i]) ** 2 / 2 for i in range(s.n)]
    return [that("W(t+1)", r.x - r.eta * average(r.p, losses)) == centralized(r)]


def corrected(s: Instance) -> list[Comparison]:
    r"""The mean of the clients' steps along their gradients is centralized gradient descent's.

    \sum_i\tfrac{N^i}{N}\big(W-\eta\nabla L^i(W)\big)=W-\eta\nabla\mathcal L(W)
    """
    r = numeric(s)
    return [that("W(t+1)", average(r.p, [r.x - r.eta * g(r.x) for g in r.grads])) == centralized(r)]


def derive(proof: Derivation, s: Instance) -> None:
    """Weights sum to 1, and averaging is linear (induction on n). Any losses."""
    r = numeric(s)
    common_start(proof, r, r.x)
    means_descend(proof, r, [r.x] * r.n)


STATEMENT = Statement(
    kind="equivalence",
    location="section 1, the warm-up example on centralized gradient descent",
    says="Centralized gradient descent reads W(t+1) = W(t) - sum_i N^i/N L^i(W(t)) eta, the numerical solution of "
    "dW/dtau = - sum_i N^i/N L^i(W).",
    severity="typo",
    domain=procedures(n=(1, 2, 3), T=(1,)),
    hypotheses=(WEIGHTS,),
    printed=claim_of(printed),
    corrected=claim_of(corrected, derive=derive),
    note="Four displays in a row have L^i for its gradient; section 3 has the gradient. The aggregation that follows, "
    "W(t+1) = sum_i N^i/N W^i(t), is a step late, as in (9b) (DA.E9).",
)
