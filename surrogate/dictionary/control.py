"""Control variates and full gradients sent ahead (SCAFFOLD, FedLin, MimeLite), and normalised averaging (FedNova)."""

from __future__ import annotations

from surrogate.dictionary.algebra import Element, lift
from surrogate.dictionary.entries import enter
from surrogate.dictionary.forms import blended, moves, one_step, reaches
from surrogate.dictionary.optimizers import momentum_of
from surrogate.dictionary.rings import Ring
from surrogate.dictionary.settings import Settings


def _descent(s: Settings, i: int, A: Element) -> Element:
    """Q_i = sum_{k < K_i} (I - gamma_i A)^k."""
    return (1 - s.gamma[i] * A).geometric(s.steps[i])


@enter(
    "scaffold",
    paper="LADA (22), (26)",
    formula="D_i = [(1 - alpha) K I + alpha Q_i]^-1 Q_i for one gamma and K (option II); "
    "(1 - alpha) gamma_i Q_i + alpha mean(gamma Q) (option I); Q_i = sum_{k<K_i} (I - gamma_i A_i)^k",
    equals="alpha = 1, or K = 1 with one gamma",
    limit="D_i = ((1 - alpha) gamma_i K_i + alpha mean(gamma K)) I: x* for one gamma K, or alpha = 1",
    when=lambda s: s.alpha == 1 or one_step(s),
)
def scaffold(ring: Ring, s: Settings) -> list[Element]:
    """The correction h_i = alpha (c - c_i) in every step makes sum_k g_k = Q_i (g_i + h_i) - K_i h_i. Option II keeps
    c_i = sum_k g_k / K_i = u_i + T_i c, u_i = R_i Q_i g_i, T_i = alpha R_i (Q_i - K_i), R_i = [(1-alpha) K_i +
    alpha Q_i]^-1; c = mean c_i = (I - mean T)^-1 mean u; x rests where mean gamma_i K_i (c_i + h_i) = 0 (so c = 0 for
    one gamma K). Option I keeps c_i = g_i: mean gamma_i Q_i (g_i + h_i) = 0. alpha = 1: all D_i are one matrix."""
    alpha, gammas = s.alpha, s.gamma
    if alpha == 1:
        return ring.each(lambda i, A: lift(ring.number(1), A))
    if s.option == "I":
        sent = ring.each(lambda i, A: gammas[i] * _descent(s, i, A))
        mean = alpha * ring.mean(sent)
        return [(1 - alpha) * q + mean for q in sent]

    def bend(i: int, A: Element) -> Element:  # R_i
        return ((1 - alpha) * s.steps[i] + alpha * _descent(s, i, A)).inverse()

    u = ring.each(lambda i, A: bend(i, A) * _descent(s, i, A))
    reach, agree = reaches(ring, s)
    if agree:
        return u
    T = ring.each(lambda i, A: alpha * (bend(i, A) * (_descent(s, i, A) - s.steps[i])))
    pull = (1 - alpha) * ring.mean([r * t for r, t in zip(reach, T, strict=True)])
    pull = pull + alpha * sum(w * r for w, r in zip(ring.weights, reach, strict=True))
    shared = pull * (1 - ring.mean(T)).inverse()
    return [((1 - alpha) * r + shared) * ui for r, ui in zip(reach, u, strict=True)]


@enter(
    "fedlin",
    paper="DA section 5 (its baseline)",
    formula="D_i = mean_j gamma_j Q_j, the same for all",
    equals="always (where mean_j gamma_j Q_j is invertible)",
    limit="x*",
    when=lambda s: True,
)
def fedlin(ring: Ring, s: Settings) -> list[Element]:
    """Every local gradient is corrected by grad f(x) - g_i(x), so a client's path starts with grad f(x) in the place
    of g_i: it sends gamma_i Q_i grad f(x), and the mean of these vanishes with grad f(x) = sum_j w_j g_j."""
    return [ring.mean(ring.each(lambda i, A: moves(s, i, A)))] * ring.n


@enter(
    "fednova",
    paper="LADA section 2 (its [20])",
    formula="D_i = gamma_i Q_i / K_i,  Q_i = sum_{k<K_i} (I - gamma_i A_i)^k",
    equals="K_i = 1 for all, with one gamma",
    limit="D_i = gamma_i I: x* for one gamma, whatever the K_i",
    when=one_step,
)
def fednova(ring: Ring, s: Settings) -> list[Element]:
    """A client sends its move gamma_i Q_i g_i divided by its number of steps; the server's factor tau_eff is common,
    so the mean of gamma_i Q_i g_i / K_i vanishes at rest. At A = 0 this is gamma_i g_i: unequal K_i do no harm."""
    return ring.each(lambda i, A: (s.gamma[i] / ring.number(s.steps[i])) * _descent(s, i, A))


@enter(
    "mimelite",
    paper="DA section 5 (its baseline)",
    formula="D_i = (1 - beta) gamma_i S_i + beta mean(gamma S),  S_i = sum_{k<K_i} (I - (1 - beta) gamma_i A_i)^k",
    equals="K = 1 with one gamma",
    limit="D_i = ((1 - beta) gamma_i K_i + beta mean(gamma K)) I: x* for one gamma K",
    when=one_step,
)
def mimelite(ring: Ring, s: Settings) -> list[Element]:
    """Local steps along beta m + new g_k, new = 1 - beta, m fixed in the round: x - y_K = gamma S_i (new g_i + beta m).
    The server's m+ = beta m + new grad f(x) settles at m = new / (1 - beta) mean g_j, which is not 0 off x*, and the
    mean of gamma S_i (new g_i + beta m) vanishes at rest. Heavy ball: new = 1."""
    beta, new, _ = momentum_of(ring, s, heavy=False)
    S = ring.each(lambda i, A: s.gamma[i] * (1 - new * s.gamma[i] * A).geometric(s.steps[i]))
    carried = (beta * new / (1 - beta)) * ring.mean(S)
    return [new * S_i + carried for S_i in S]


@enter(
    "stem",
    paper="DA section 5 (its baseline)",
    formula="D_i = S_i - T_i + mean(T) ((1 - r^K) + mean(A T))^-1 ((1 - r^K_i) - A_i (S_i - T_i)), mean of r^K too, "
    "r = 1 - a, S_i = gamma_i sum_{k<K_i} (I - gamma_i A_i)^k, T_i = gamma_i sum_{k<K_i} r^k "
    "(I - gamma_i A_i)^(K_i-1-k)",
    equals="K = 1",
    limit="D_i = (gamma_i (K_i - tau_i) + mean(gamma tau) (1 - r^K_i) / mean(1 - r^K)) I, tau_i = sum_{k<K_i} r^k: x* "
    "for one gamma and K",
    when=lambda s: all(k == 1 for k in s.steps),
)
def stem(ring: Ring, s: Settings) -> list[Element]:
    """The error d - grad f_i at the point before a step shrinks by r = 1 - a in each: a step is along grad f_i(y) +
    r^k (d - g_i), so x - y = S_i g_i + T_i (d - g_i), and d_K = grad f_i(y) + r^K (d - g_i). At rest the mean of x - y
    is 0 and the mean of d_K is d = W^-1 mean(((1 - r^K) - A (S - T)) g), W = mean(1 - r^K + A T): eliminate d."""
    r = 1 - ring.number(s.a)

    def moved(i: int, A: Element) -> tuple[Element, ...]:
        step, K = 1 - s.gamma[i] * A, s.steps[i]
        S, T, fresh = s.gamma[i] * step.geometric(K), s.gamma[i] * blended(step, r, K), lift(1 - r**K, A)
        return S - T, T, fresh - A * (S - T), fresh + A * T

    own, T, mixed, W = ring.parts(moved)
    shared = ring.mean(T) * ring.mean(W).inverse()
    return [o + shared * m for o, m in zip(own, mixed, strict=True)]
