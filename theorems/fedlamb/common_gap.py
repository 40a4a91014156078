"""The gap between the average model and the local models after T normalised steps, for clients with constant gradients.

Clients f_i(theta) = <g_i, theta> (bent outside of where they go): m is in proportion to g_i whatever beta_1, so every
step of a layer is -alpha phi e_i with e_i = p_i / |p_i|, p_i = g_i / sqrt(v-hat).
"""

from theorems.fedlamb.common import need, positive, share, total
from theorems.vocabulary import *


def linear_clients(cursor: Cursor, n: int, h: int, d: int, T: int) -> Instance:
    """g: of each client, of each layer (batch, d); ``root``: sqrt(v-hat) of each layer, the least entry root_0."""
    nb = cursor.nb
    v0, M = positive(cursor), positive(cursor)
    root = [np.stack([v0 * (1 + cursor.take()) for _ in range(d)], -1) for _ in range(h)]
    raw = [[np.stack([1 - 2 * cursor.take() for _ in range(d)], -1) for _ in range(h)] for _ in range(n)]
    g = [[part * (M / (h * d))[:, None] for part in client] for client in raw]
    return Instance(
        nb=nb, n=n, h=h, d=d, T=T, p=h * d, alpha=positive(cursor), phi=positive(cursor),
        beta2=share(cursor), M=M, root_0=v0, root=root, g=g,
    )  # fmt: skip


def moves(s: Instance) -> list[list[Any]]:
    """Of each client and layer: what T steps change, (batch, d)."""
    found = []
    for client in s.g:
        ratios = [part / root for part, root in zip(client, s.root, strict=True)]
        found.append([-(s.alpha * s.phi * s.T / s.nb.length(p))[:, None] * p for p in ratios])
    return found


def local_gap(s: Instance, i: int = 0) -> Any:
    """|mean_j theta_j - theta_i|^2."""
    away = []
    moved = moves(s)
    for layer in range(s.h):
        difference = total([client[layer] for client in moved]) / s.n - moved[i][layer]
        away.append((difference * difference).sum(axis=-1))
    return total(away)


def _gradients(s: Instance) -> list[Any]:
    found: list[Any] = []
    for client in s.g:
        squares = [(part * part).sum(axis=-1) for part in client]
        found += [(square, ">", 0) for square in squares] + [(total(squares), "<=", s.M * s.M)]
    return found


def constants(s: Instance) -> list[Any]:
    least = [(part[..., k], ">=", s.root_0) for part in s.root for k in range(s.d)]
    return [*least, (s.alpha, ">", 0), (s.phi, ">", 0), (s.root_0, ">", 0), (s.beta2, ">", 0), (s.beta2, "<", 1)]


GIVEN = (
    need("0 < |g_i| <= M in every layer (H2)", _gradients),
    need(
        "alpha, phi, v0 > 0, v-hat >= v0 and 0 < beta_2 < 1",
        constants,
        role="rates, and line 1; the printed bound divides by v0",
    ),
)
