"""SCAFFOLD (Karimireddy et al. 2020, Algorithm 1, option II), all clients taking part, on free gradients, in d = 1."""

from theorems.fedlada.common import boxed, mean, need
from theorems.vocabulary import *

T = 3
RATES = need("eta_l > 0", lambda s: (s.eta_l, ">", 0))


def rounds() -> Domain:
    """g[t][i][tau]: a client's gradient, whatever the losses."""
    return boxed(
        "three rounds, all clients, any gradients",
        grid(n=(1, 2, 3), steps=(1, 2, 3)),
        eta_g=(0, 2),
        eta_l=(0, 1),
        alpha=(0, 1),
        x=(-1, 1),
        g=(-1, 1, T, "n", "steps"),
    )


def symbols(n: int, K: int) -> Instance:
    g = [[[sympy.Symbol(f"g_{t}_{i}_{k}") for k in range(K)] for i in range(n)] for t in range(T)]
    eta_g, eta_l, alpha, x = sympy.symbols("eta_g eta_l alpha x")
    return Instance(n=n, steps=K, eta_g=eta_g, eta_l=eta_l, alpha=alpha, x=x, g=g)


def played(s: Instance) -> Instance:
    """used[t][i][tau]: the corrected gradient of each local step; xs[t]."""
    x, c, own = s.x, s.x * 0, [s.x * 0] * s.n
    xs, used = [x], []
    for t in range(T):
        deltas, fresh, steps = [], [], []
        for i in range(s.n):
            y, taken = x, []
            for k in range(s.steps):
                taken.append(s.g[t][i][k] + c - own[i])
                y = y - s.eta_l * taken[-1]
            deltas.append(y - x)
            fresh.append(own[i] - c + (x - y) / (s.steps * s.eta_l))
            steps.append(taken)
        x = x + s.eta_g * mean(deltas)
        c = c + mean([new - old for new, old in zip(fresh, own, strict=True)])
        own = fresh
        xs.append(x)
        used.append(steps)
    return Instance(xs=xs, used=used)
