"""One round with momentum, T = 1, one coordinate: theta-bar moves by -alpha mean(c_i m_i), c_i = phi/(sqrt(v)|p_i|)."""

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


def symbols() -> Any:
    """One client in symbols: everything is linear in the clients."""
    alpha, beta1, slope, m, g, before, now = sympy.symbols("alpha beta1 slope m g before now")
    return Instance(n=1, alpha=alpha, beta1=beta1, slope=slope, m=[m], g=[g], before=[before], now=[now])
