"""OLR section 2.1: with one example a client, LocalUpdate with Theta_1 is minibatch SGD."""

from theorems.outsized.common_equivalence import RATES, equivalence, rounds_of, trajectories
from theorems.outsized.listing_local_update import outer_loop
from theorems.vocabulary import *


def sides(grad: Any, s: Instance) -> tuple[Any, Any]:
    """Client i's minibatches hold nothing but its example z_i."""
    rounds = [[[[S[0][0]] * s.B] for S in drawn] for drawn in rounds_of(s)]
    x = s.x
    for drawn in rounds:
        batch = [S[0][0] for S in drawn]
        x = x - s.eta * (sum(grad(x, z) for z in batch) / len(batch))
    return outer_loop(grad, s.x, s.eta, s.gamma, (1,), rounds), x


STATEMENT = Statement(
    kind="equivalence",
    location="section 2.1, first bullet",
    says="If every client is a single example, LocalUpdate with Theta_1 is minibatch SGD with batch size M and rate "
    "eta.",
    reading="The same M clients (examples) are drawn in both; the client's batch size B then only repeats its example.",
    domain=trajectories(K=(1,)),
    hypotheses=(RATES,),
    printed=equivalence(
        "the iterates of both agree after three rounds",
        r"x_{t+1}=x_t-\frac{\eta}{M}\sum_{i\in I_t}\nabla f(x_t;z_i)",
        sides,
        [{"M": M, "K": 1, "B": B} for M in (1, 2, 3) for B in (1, 2)],
        "The printed listing and minibatch SGD play a round on gradients that are unknown functions of x; "
        "the end points agree term by term. A round starts from x alone, so all T follow by induction.",
    ),
)
