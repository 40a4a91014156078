"""LADA (5): vhat never falls."""

from theorems.fedlada.common import boxed, mean
from theorems.vocabulary import *


def peaks(s: Instance, i: int) -> list[Any]:
    """vhat_{i,0}, ..., vhat_{i,K} of a client."""
    v, found = s.v, [s.v]
    for g in s.g[i]:
        v = s.beta2 * v + (1 - s.beta2) * g * g
        found.append(s.nb.maximum(v, found[-1]))
    return found


def compare(s: Instance) -> list[Comparison]:
    r"""non-decreasing

    \hat v_{i,\tau}^t=\max(v_{i,\tau}^t,\hat v_{i,\tau-1}^t)\ge\hat v_{i,\tau-1}^t
    """
    runs = [peaks(s, i) for i in range(s.S)]
    inside = [that(f"client {i}, step {k}", run[k]) <= run[k + 1] for i, run in enumerate(runs) for k in range(s.K)]
    return [*inside, that("from round to round", s.v) <= mean([run[-1] for run in runs])]


def prove() -> None:
    """z3: max(v, vhat) >= vhat within a round, and the mean of numbers >= v^t is >= v^t from one round to the next."""
    v, low, a, b, w = reals("v low a b w")
    smt([], maximum(v, low) >= low)
    smt([a >= low, b >= low, 0 <= w, w <= 1], w * a + (1 - w) * b >= low)


STATEMENT = Statement(
    kind="monotone",
    location="equation (5), section 3.4",
    says="vhat_tau = max(v_tau, vhat_{tau-1}) is a non-decreasing sequence.",
    reading="Within a round, and from v^t to v^{t+1} = mean vhat_{i,K}; v_{i,0} = v^t, which is not printed.",
    domain=boxed(
        "gradients in [-1, 1], v in [0, 1]", grid(S=(1, 2), K=(1, 2, 3)), beta2=(0, 1), v=(0, 1), g=(-1, 1, "S", "K")
    ),
    printed=claim_of(compare, prove=prove),
)
