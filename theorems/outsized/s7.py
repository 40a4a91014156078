"""OLR section 2.1: Theta_K is first-order MAML."""

from theorems.outsized.common_equivalence import RATES, equivalence, local_descent, rounds_of, trajectories
from theorems.outsized.listing_local_update import outer_loop
from theorems.vocabulary import *


def sides(grad: Any, s: Instance) -> tuple[Any, Any]:
    """FOMAML: adapt with K - 1 steps, take a fresh minibatch's gradient there, ignore the adaptation's Jacobian."""
    x = s.x
    for drawn in rounds_of(s):
        adapted = [(local_descent(grad, x, s.gamma, S[:-1]), S[-1]) for S in drawn]
        x = x - s.eta * (sum(sum(grad(y, z) for z in batch) / s.B for y, batch in adapted) / s.M)
    return outer_loop(grad, s.x, s.eta, s.gamma, (*(0,) * (s.K - 1), 1), rounds_of(s)), x


STATEMENT = Statement(
    kind="equivalence",
    location="section 2.1, seventh bullet",
    says="LocalUpdate with Theta_K is first-order MAML.",
    reading="FOMAML with K gradients, the last of which is the one sent (Nichol et al. 2018). In the paper's own "
    "count, where K-MAML adapts with K steps, its first-order form is Theta_{K+1}.",
    domain=trajectories(),
    hypotheses=(RATES,),
    printed=equivalence(
        "the iterates of both agree after three rounds",
        r"x_{t+1}=x_t-\frac{\eta}{M}\sum_{i\in I_t}\nabla f_{S_K}(X^i_{K-1}(x_t))",
        sides,
        [{"M": M, "K": K, "B": 1} for M in (1, 2, 3) for K in (1, 2, 3, 4)],
        "First-order MAML and the printed listing play a round on unknown gradients; the end points agree. "
        "g_K is by Algorithm 2 the gradient at the point after K - 1 steps, for every K.",
    ),
)
