"""One round with momentum, T = 1, one coordinate: theta-bar moves by -alpha mean(c_i m_i), c_i = phi/(sqrt(v)|p_i|)."""

from theorems.bridges import equal_sums
from theorems.fedlamb.common import boxed, need, total
from theorems.vocabulary import *

ROUND: Domain = boxed(
    "n clients in d = 1: momenta m before, gradients g, scales c before and now",
    grid(n=(1, 2, 3)),
    alpha=(1, "1/10"),
    beta1=("1/1000", "9/10"),
    slope=(1, -1),
    m=(1, -1, "n"),
    g=(1, -1, "n"),
    before=(1, "1/10", "n"),
    now=(1, "1/10", "n"),
)
BETA = need("0 < beta_1 < 1", lambda s: [(s.beta1, ">", 0), (s.beta1, "<", 1)])


def means(s: Instance) -> tuple[Any, Any, Any, Any]:
    """The means of c m (now), of c m (before), of (c - c before) m before, and of c g."""
    m = [s.beta1 * old + (1 - s.beta1) * g for old, g in zip(s.m, s.g, strict=True)]
    return (
        total([c * v for c, v in zip(s.now, m, strict=True)]) / s.n,
        total([c * v for c, v in zip(s.before, s.m, strict=True)]) / s.n,
        total([(c - old) * v for c, old, v in zip(s.now, s.before, s.m, strict=True)]) / s.n,
        total([c * g for c, g in zip(s.now, s.g, strict=True)]) / s.n,
    )


def changes(s: Instance) -> Any:
    """The change of theta-bar + beta_1/(1 - beta_1) (theta-bar - last theta-bar) by (2)."""
    now, before, _, _ = means(s)
    return (-s.alpha * now + s.beta1 * s.alpha * before) / (1 - s.beta1)


def mean_of_momenta(proof: Derivation, s: Instance) -> None:
    """mean(c m) = beta_1 (mean((c - c before) m before) + mean(c before m before)) + (1 - beta_1) mean(c g)."""
    b, c, d, m, g, X, Y, n = reals("beta1 c before m g X Y n")
    now, before, old, slopes = (np.stack(each, -1) for each in (s.now, s.before, s.m, s.g))
    rate = s.beta1[..., None]
    proof.leaf("one client", [], c * (b * m + (1 - b) * g) == b * ((c - d) * m + d * m) + (1 - b) * (c * g), beta1=rate,
               c=now, before=before, m=old, g=slopes)  # fmt: skip
    low = now * (rate * old + (1 - rate) * slopes)
    high = rate * ((now - before) * old + before * old) + (1 - rate) * (now * slopes)
    proof.cross(equal_sums, "over clients", low=low, high=high, weights=np.ones(s.n, dtype=int))
    proof.setting("n >= 1", s.n, 1)
    proof.leaf("their mean", [X == Y, n >= 1], X / n == Y / n, X=low.sum(axis=-1), Y=high.sum(axis=-1),
               n=s.nb.number(s.n))  # fmt: skip
