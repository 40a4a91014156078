"""Roots of vhat that never fall from root_0 >= eps_v: theta = 1 / root."""

from theorems.fedlada.common import boxed
from theorems.vocabulary import *


def scales() -> Domain:
    """G_g = 1; roots start at eps + first >= eps and rise by any amounts."""
    return boxed(
        "clients with non-decreasing vhat >= eps_v^2, |m| <= G_g = 1, |grad F| <= 1, d = 1",
        grid(S=(1, 2), K=(1, 2, 3)),
        eps=(0, 1),
        first=(0, 1),
        rise=(0, 1, "S", "K"),
        m=(-1, 1, "S", "K"),
        gradient=(-1, 1),
    )


def _sizes(s: Instance) -> list[Comparison]:
    moments = [m for client in s.m for m in client] + [s.gradient]
    bounded = [c for m in moments for c in (that("", m) <= m * 0 + 1, that("", -m) <= m * 0 + 1)]
    return [*bounded, that("", s.eps) > s.eps * 0, that("", s.first) >= s.eps * 0,
            *(that("", rise) >= rise * 0 for client in s.rise for rise in client)]  # fmt: skip


SIZES = Hypothesis(
    "|m|, |grad F| <= G_g = 1; 0 < eps_v^2 <= v-hat_0, and v-hat never falls", _sizes, role="as section 3.4 assumes"
)


def roots(s: Instance, i: int) -> list[Any]:
    """root_0, ..., root_K of client i; the clients of a round share root_0."""
    found = [s.eps + s.first]
    for rise in s.rise[i]:
        found.append(found[-1] + rise)
    return found


def changes(s: Instance) -> tuple[list[Any], Any]:
    """sum_tau m_tau (theta_tau - theta_0) of every client, and how much vhat grows in a round, summed over clients."""
    found, grown = [], s.eps * 0
    for i in range(s.S):
        root = roots(s, i)
        found.append(sum(s.m[i][k] * (1 / root[k + 1] - 1 / root[0]) for k in range(s.K)))
        grown = grown + root[-1] ** 2 - root[0] ** 2
    return found, grown


def prove_scales() -> None:
    """In units of eps_v, for 1 <= low <= high: what bounds 1/low - 1/high and its square."""
    low, high = reals("low high")
    smt([low >= 1, high >= low], (high + low) * low * high >= 2)  # (high - low)/(low high) <= (high^2 - low^2)/2
    smt([low >= 1, high >= low], (high - low) ** 2 <= high**2 - low**2)
    smt([low >= 1, high >= low], (low * high) ** 2 >= 1)
