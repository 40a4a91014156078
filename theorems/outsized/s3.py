"""OLR section 2.1: Theta_1 is distributed minibatch SGD with total batch size M B, whatever gamma is."""

from theorems.outsized.common_equivalence import RATES, equivalence, rounds_of, trajectories
from theorems.outsized.listing_local_update import outer_loop
from theorems.vocabulary import *


def sides(grad: Any, s: Instance) -> tuple[Any, Any]:
    """The right side knows no gamma."""
    x = s.x
    for drawn in rounds_of(s):
        batch = [z for S in drawn for z in S[0]]
        x = x - s.eta * (sum(grad(x, z) for z in batch) / (s.M * s.B))
    return outer_loop(grad, s.x, s.eta, s.gamma, (1,), rounds_of(s)), x


STATEMENT = Statement(
    kind="equivalence",
    location="section 2.1, third bullet",
    says="LocalUpdate with Theta_1 is distributed minibatch SGD with total batch size M B; gamma has no influence.",
    domain=trajectories(K=(1,)),
    hypotheses=(RATES,),
    printed=equivalence(
        "the iterates of both agree after three rounds, for every gamma",
        r"x_{t+1}=x_t-\frac{\eta}{MB}\sum_{i\in I_t}\sum_{z\in S_i}\nabla f(x_t;z)",
        sides,
        [{"M": M, "K": 1, "B": B} for M in (1, 2, 3) for B in (1, 2, 3)],
        "The printed listing and minibatch SGD over all M B examples play a round on unknown gradients; the "
        "end points agree term by term and gamma is absent from the right side. A round starts from x alone, so "
        "all T follow by induction.",
    ),
)
