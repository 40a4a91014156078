"""OLR section 2.1: a single client with Theta_{1:K} is the Lookahead optimizer."""

from theorems.outsized.common_equivalence import RATES, equivalence, local_descent, rounds_of, trajectories
from theorems.outsized.listing_local_update import outer_loop
from theorems.vocabulary import *


def sides(grad: Any, s: Instance) -> tuple[Any, Any]:
    """Lookahead: K fast steps of SGD from the slow weights, which then move alpha of the way to the fast ones."""
    slow = s.x
    for drawn in rounds_of(s):
        fast = local_descent(grad, slow, s.gamma, drawn[0])
        slow = slow + s.alpha * (fast - slow)
    return outer_loop(grad, s.x, s.alpha * s.gamma, s.gamma, (1,) * s.K, rounds_of(s)), slow


STATEMENT = Statement(
    kind="equivalence",
    location="section 2.1, fourth bullet",
    says="With a single client and Theta_{1:K}, LocalUpdate recovers Lookahead with K steps of the fast weights.",
    reading="Lookahead (Zhang et al. 2019) with SGD inside, fast rate gamma, slow rate alpha is LocalUpdate with "
    "eta = alpha gamma. 'K fast weights' are the K updates of one set of fast weights.",
    note="With the same two numbers the two differ: Lookahead's slow rate multiplies gamma once more, and at gamma = 0 "
    "it stands still. Lookahead's alpha <= 1 is eta <= gamma.",
    domain=trajectories(M=(1,), K=(1, 2, 3, 4)),
    hypotheses=(RATES,),
    printed=equivalence(
        "the slow weights are the server's iterates with eta = alpha gamma",
        r"\phi_{t+1}=\phi_t+\alpha(\theta_{t,K}-\phi_t)\iff x_{t+1}=x_t-\alpha\gamma\sum_k g_k",
        sides,
        [{"M": 1, "K": K, "B": B} for K in (1, 2, 3, 4) for B in (1, 2)],
        "Lookahead and the printed listing play a round on unknown gradients; the end points agree. The fast "
        "weights end at x - gamma sum g_k, so a round maps x to the same point for every K; all T follow by induction.",
    ),
)
