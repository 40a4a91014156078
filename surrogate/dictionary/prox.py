"""FedProx: the exact proximal step, and K gradient steps on the proximal loss."""

from __future__ import annotations

from surrogate.dictionary.algebra import Element, raised
from surrogate.dictionary.entries import enter
from surrogate.dictionary.forms import moves, one_step
from surrogate.dictionary.rings import Ring
from surrogate.dictionary.settings import Settings


@enter(
    "fedprox",
    paper="DA section 4; LADA section 2 (its [18])",
    formula="D_i = (A_i + mu I)^-1 (exact prox); gamma_i sum_{k<K_i} (I - gamma_i (A_i + mu I))^k (gradient steps)",
    equals="gradient steps with K = 1 and one gamma; never for the exact prox",
    limit="gradient steps: D_i = gamma_i K_i I, x* where these agree; the exact prox knows no gamma",
    when=lambda s: not s.exact and one_step(s),
)
def fedprox(ring: Ring, s: Settings) -> list[Element]:
    """The prox y solves A_i (y - c_i) + mu (y - x) = 0, so x - y = (A_i + mu)^-1 g_i(x). A gradient step on the
    proximal loss maps e = y - x to (I - gamma (A_i + mu)) e - gamma g_i; K of them from e = 0 sum to the formula."""
    if s.exact:
        return ring.each(lambda i, A: (A + s.mu).inverse())
    return ring.each(lambda i, A: moves(s, i, raised(A, s.mu)))
