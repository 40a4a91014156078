"""OLR section 2.1: with a single client, LocalUpdate with Theta_1 is minibatch SGD with batch size B."""

from theorems.outsized.common_equivalence import RATES, equivalence, rounds_of, trajectories
from theorems.outsized.listing_local_update import outer_loop
from theorems.vocabulary import *


def sides(grad: Any, s: Instance) -> tuple[Any, Any]:
    x = s.x
    for drawn in rounds_of(s):
        batch = drawn[0][0]
        x = x - s.eta * (sum(grad(x, z) for z in batch) / s.B)
    return outer_loop(grad, s.x, s.eta, s.gamma, (1,), rounds_of(s)), x


STATEMENT = Statement(
    kind="equivalence",
    location="section 2.1, second bullet",
    says="With a single client, LocalUpdate with Theta_1 is minibatch SGD with batch size B and rate eta.",
    reading="A random set of M clients out of one is M = 1 (drawn M times with replacement it would be batch size M "
    "B).",
    domain=trajectories(M=(1,), K=(1,), B=(1, 2, 3)),
    hypotheses=(RATES,),
    printed=equivalence(
        "the iterates of both agree after three rounds",
        r"x_{t+1}=x_t-\frac{\eta}{B}\sum_{z\in S}\nabla f(x_t;z)",
        sides,
        [{"M": 1, "K": 1, "B": B} for B in (1, 2, 3, 4)],
        "The printed listing and minibatch SGD play a round on gradients that are unknown functions of x; "
        "the end points agree term by term. A round starts from x alone, so all T follow by induction.",
    ),
)
