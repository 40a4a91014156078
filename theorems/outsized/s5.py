"""OLR section 2.1, Appendix A: equal clients, Theta_{1:K} and gamma = eta are Local SGD with K local steps."""

from theorems.outsized.common_equivalence import RATES, equivalence, local_descent, rounds_of, trajectories
from theorems.outsized.listing_local_update import outer_loop
from theorems.vocabulary import *


def sides(grad: Any, s: Instance) -> tuple[Any, Any]:
    """The mean of the clients' models against LocalUpdate with eta = gamma."""
    x = s.x
    for drawn in rounds_of(s):
        x = sum(local_descent(grad, x, s.gamma, S) for S in drawn) / s.M
    return outer_loop(grad, s.x, s.gamma, s.gamma, (1,) * s.K, rounds_of(s)), x


STATEMENT = Statement(
    kind="equivalence",
    location="section 2.1, fifth bullet; Appendix A",
    says="With equal clients, Theta_{1:K} and gamma = eta, LocalUpdate is Local SGD with K local steps.",
    domain=trajectories(),
    hypotheses=(RATES,),
    printed=equivalence(
        "the averaged models are the server's iterates",
        r"x_{t+1}=\frac1M\sum_{i\in I_t}x_t^i",
        sides,
        [{"M": M, "K": K, "B": 1} for M in (1, 2, 3) for K in (1, 2, 3)],
        "Local SGD and the printed listing play a round on unknown gradients; the end points agree. A worker "
        "ends at x - gamma sum g_k, so the mean model is x - gamma q for every M and K.",
    ),
)
