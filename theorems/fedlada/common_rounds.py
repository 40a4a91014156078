"""Rounds of Algorithm 3 with the moments m theta of every local step as free numbers: what g_a and z become."""

from theorems.fedlada.common import boxed, need
from theorems.fedlada.listing_fedlada import Gradient, client, server
from theorems.vocabulary import *

RATES = need(
    "eta_g, eta_l > 0, 0 < alpha <= 1",
    lambda s: (s.eta_g, ">", 0),
    lambda s: (s.eta_l, ">", 0),
    lambda s: (s.alpha, ">", 0),
    lambda s: (s.alpha, "<=", 1),
)
T = 3


def rounds(K: tuple[int, ...] = (1, 2, 3), S: tuple[int, ...] = (1, 2)) -> Domain:
    """g[t][i][tau]: the step m theta of a client; free numbers stand for any losses and any draws."""
    return boxed(
        "three rounds, S clients, K local steps, any updates m theta in d = 1",
        grid(S=S, steps=K),
        alpha=(0, 1),
        eta_g=(0, 2),
        eta_l=(0, 1),
        x=(-1, 1),
        g=(-1, 1, T, "S", "steps"),
    )


def symbols(S: int, K: int) -> Instance:
    """The same with sympy symbols."""
    g = [[[sympy.Symbol(f"g_{t}_{i}_{k}") for k in range(K)] for i in range(S)] for t in range(T)]
    alpha, eta_g, eta_l, x = sympy.symbols("alpha eta_g eta_l x")
    return Instance(S=S, steps=K, alpha=alpha, eta_g=eta_g, eta_l=eta_l, x=x, g=g)


def _given(updates: Numbers) -> Gradient:
    return lambda tau, y: updates[tau - 1]


def played(s: Instance, last: int | None = None) -> Instance:
    """xs[t], g_a[t] (as line 18 indexes it), path[t] = mean over i, tau of m theta, z[t]; steps tau = 1..last (K)."""
    xs, g_a, path = [s.x], [s.x * 0], []
    for t in range(T):
        deltas, sums = [], []
        for i in range(s.S):
            updates = s.g[t][i]
            delta, _, total = client(
                xs[t],
                0,
                g_a[t],
                _given(updates),
                lambda tau, v, vhat, g: (v, vhat, 1),
                range(1, (s.steps if last is None else last) + 1),
                s.alpha,
                0,  # m theta is the free number itself
                s.eta_l,
            )
            deltas.append(delta)
            sums.append(total)
        after, direction = server(xs[t], deltas, s.steps, s.eta_g, s.eta_l)
        xs.append(after)
        g_a.append(direction)
        path.append(sum(sums[1:], sums[0]) / (s.S * s.steps))
    before = [xs[0], *xs[:-1]]  # x^{-1} = x^0, as g_a^0 = 0
    z = [x / s.alpha - (1 - s.alpha) / s.alpha * b for x, b in zip(xs, before, strict=True)]
    return Instance(xs=xs, g_a=g_a, path=path, z=z)


def moved(proof: Derivation, s: Instance, t: int, run: Instance) -> Any:
    """x^t - x^{t+1} = eta_g eta_l K (alpha path + (1 - alpha) g_a), known: its left side."""
    a, e, lr, n, h, A, B, D, S = reals("alpha eta_g eta_l K g_a A B D S")
    rates = {"alpha": s.alpha, "eta_l": s.eta_l, "g_a": run.g_a[t]}
    ways, sums_ = [], []
    for i in range(s.S):
        way, total = s.eta_l * (s.alpha * s.g[t][i][0] + (1 - s.alpha) * run.g_a[t]), s.g[t][i][0]
        proof.leaf(
            "the first step", [], lr * (a * A + (1 - a) * h) == lr * (a * A + 1 * ((1 - a) * h)), A=total, **rates
        )
        for k in range(1, s.steps):
            u = s.g[t][i][k]
            proof.leaf("one step more", [D == lr * (a * A + n * ((1 - a) * h))],
                       D + lr * (a * B + (1 - a) * h) == lr * (a * (A + B) + (n + 1) * ((1 - a) * h)), D=way, A=total,
                       B=u, K=s.nb.number(k), **rates)  # fmt: skip
            way, total = way + s.eta_l * (s.alpha * u + (1 - s.alpha) * run.g_a[t]), total + u
        ways.append(way)
        sums_.append(total)
    K, count = s.nb.number(s.steps), s.nb.number(s.S)
    way, total = ways[0], sums_[0]
    for more, (u, v) in enumerate(zip(ways[1:], sums_[1:], strict=True), start=1):
        proof.leaf(
            "one client more",
            [D == lr * (a * A + S * n * ((1 - a) * h)), e == lr * (a * B + n * ((1 - a) * h))],
            D + e == lr * (a * (A + B) + (S + 1) * n * ((1 - a) * h)), D=way, A=total, B=v, eta_g=u, K=K,
            S=s.nb.number(more), **rates,
        )  # fmt: skip
        way, total = way + u, total + v
    proof.setting("S >= 1", s.S, 1)
    proof.leaf("the mean", [D == lr * (a * A + S * n * ((1 - a) * h)), S >= 1],
               D / S == lr * (a * (A / S) + n * ((1 - a) * h)), D=way, A=total, S=count, K=K, **rates)  # fmt: skip
    proof.setting("K >= 1", s.steps, 1)
    proof.leaf("by line 17", [D == lr * (a * A + n * ((1 - a) * h)), n >= 1],
               e * D == e * (lr * n * (a * (A / n) + (1 - a) * h)), D=way / s.S, A=total / s.S, K=K, eta_g=s.eta_g,
               **rates)  # fmt: skip
    return s.eta_g * (way / s.S)
