"""Control variates and full gradients sent ahead: SCAFFOLD, FedLin, MimeLite; and normalised averaging, FedNova."""

from __future__ import annotations

from typing import Any

from surrogate.dictionary.algebra import Element
from surrogate.dictionary.entries import enter
from surrogate.dictionary.forms import alike, descent, one_step
from surrogate.dictionary.rings import Ring


@enter(
    "scaffold",
    paper="DA; LADA (26)",
    formula="D_i = [(1 - alpha) K I + alpha Q_i]^-1 Q_i for one gamma and K (option II); "
    "(1 - alpha) gamma_i Q_i + alpha mean(gamma Q) (option I); Q_i = sum_{k<K_i} (I - gamma_i A_i)^k",
    equals="alpha = 1, or K = 1 with one gamma",
    limit="x* for one gamma and K, or alpha = 1",
    when=lambda s: s.alpha == 1 or one_step(s),
)
def scaffold(ring: Ring, s: Any) -> list[Element]:
    """With the correction h_i = alpha (c - c_i) in every step the path gives sum_k g_k = Q_i (g_i + h_i) - K_i h_i.
    Option II keeps c_i = sum_k g_k / K_i: c_i = u_i + T_i c, u_i = R_i Q_i g_i, T_i = alpha R_i (Q_i - K_i),
    R_i = [(1 - alpha) K_i + alpha Q_i]^-1; c = mean c_i makes c = (I - mean T)^-1 mean u, and x rests where
    mean gamma_i K_i (c_i + h_i) = 0. Option I keeps c_i = g_i(x): x rests where mean gamma_i Q_i (g_i + h_i) = 0."""
    alpha = s.alpha
    if alpha == 1:  # u_i = g_i: all D_i are the same matrix
        return ring.each(lambda i, A: A * 0 + 1)
    Q = ring.each(lambda i, A: descent(A, s.gamma[i], s.steps[i]))
    if s.option == "I":
        mean = ring.mean([g * q for g, q in zip(s.gamma, Q, strict=True)])
        return [(1 - alpha) * (g * q) + alpha * mean for g, q in zip(s.gamma, Q, strict=True)]

    def bend(i: int, A: Element) -> Element:  # R_i
        return ((1 - alpha) * s.steps[i] + alpha * descent(A, s.gamma[i], s.steps[i])).inverse()

    u = ring.each(lambda i, A: bend(i, A) * descent(A, s.gamma[i], s.steps[i]))
    if alike(s.gamma) and alike(s.steps):
        return u
    T = ring.each(lambda i, A: alpha * (bend(i, A) * (descent(A, s.gamma[i], s.steps[i]) - s.steps[i])))
    moves = [g * k for g, k in zip(s.gamma, s.steps, strict=True)]
    pull = (1 - alpha) * ring.mean([m * t for m, t in zip(moves, T, strict=True)])
    pull = pull + alpha * sum(ring.number(w) * m for w, m in zip(ring.weights, moves, strict=True))
    shared = pull * (1 - ring.mean(T)).inverse()
    return [((1 - alpha) * m + shared) * ui for m, ui in zip(moves, u, strict=True)]


@enter(
    "fedlin",
    paper="DA, table of baselines (FedLin)",
    formula="D_i = mean_j gamma_j Q_j, the same for all",
    equals="always (where mean_j gamma_j Q_j is invertible)",
    limit="x*",
    when=lambda s: True,
)
def fedlin(ring: Ring, s: Any) -> list[Element]:
    """Every local gradient is corrected by grad f(x) - g_i(x), so a client's path starts with grad f(x) in the place
    of g_i: it sends gamma_i Q_i grad f(x), and the mean of these vanishes with grad f(x) = sum_j w_j g_j."""
    mean = ring.mean(ring.each(lambda i, A: s.gamma[i] * descent(A, s.gamma[i], s.steps[i])))
    return [mean] * ring.n


@enter(
    "fednova",
    paper="DA; LADA 2 (FedNova)",
    formula="D_i = gamma_i Q_i / K_i,  Q_i = sum_{k<K_i} (I - gamma_i A_i)^k",
    equals="K_i = 1 for all with one gamma",
    limit="x* for one gamma, whatever the K_i",
    when=one_step,
)
def fednova(ring: Ring, s: Any) -> list[Element]:
    """A client sends its move gamma_i Q_i g_i divided by its number of steps; the server's factor tau_eff is common,
    so the mean of gamma_i Q_i g_i / K_i vanishes at rest. At A = 0 this is gamma_i g_i: unequal K_i do no harm."""
    return ring.each(lambda i, A: (s.gamma[i] / ring.number(s.steps[i])) * descent(A, s.gamma[i], s.steps[i]))
