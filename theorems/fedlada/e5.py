"""LADA (5): vhat never falls."""

from theorems.bridges import larger, sums
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
    inside = [
        that(f"client {i + 1}, step {k + 1}", run[k]) <= run[k + 1] for i, run in enumerate(runs) for k in range(s.K)
    ]
    return [*inside, that("from round to round", s.v) <= mean([run[-1] for run in runs])]


def derive(proof: Derivation, s: Instance) -> None:
    """max(v, vhat) >= vhat within a round; the mean of numbers of at least v^t is at least v^t."""
    X, Y, Z, n = reals("X Y Z n")
    for i in range(s.S):
        v, run = s.v, peaks(s, i)
        for k in range(s.K):
            v = s.beta2 * v + (1 - s.beta2) * s.g[i][k] * s.g[i][k]
            proof.cross(larger, "within a round", nb=s.nb, x=v, y=run[k])
            if k:
                proof.leaf("since its start", [X <= Y, Y <= Z], X <= Z, X=s.v, Y=run[k], Z=run[k + 1])
    ends = np.stack([peaks(s, i)[-1] for i in range(s.S)], -1)
    proof.cross(sums, "over clients", low=np.stack([s.v] * s.S, -1), high=ends)
    proof.setting("S >= 1", s.S, 1)
    proof.leaf("their mean", [n * X <= Y, n >= 1], X <= Y / n, X=s.v, Y=ends.sum(axis=-1), n=s.nb.number(s.S))


STATEMENT = Statement(
    kind="monotone",
    location="equation (5), section 3.4",
    says="vhat_tau = max(v_tau, vhat_{tau-1}) is a non-decreasing sequence.",
    reading="Within a round, and from v^t to v^{t+1} = mean vhat_{i,K}; v_{i,0} = v^t, which is not printed.",
    domain=boxed(
        "gradients in [-1, 1], v in [0, 1]", grid(S=(1, 2), K=(1, 2, 3)), beta2=(0, 1), v=(0, 1), g=(-1, 1, "S", "K")
    ),
    printed=claim_of(compare, derive=derive),
)
