"""Local steps amended by the last global direction: FedCM, the amended FedAdam, FedLADA with frozen preconditioners."""

from __future__ import annotations

from surrogate.dictionary.algebra import Element
from surrogate.dictionary.entries import enter
from surrogate.dictionary.forms import alike, one_step, reaches, synced, walked
from surrogate.dictionary.optimizers import momentum_of
from surrogate.dictionary.rings import Ring
from surrogate.dictionary.settings import Settings


def _amended(ring: Ring, s: Settings, move: list[Element], carry: list[Element]) -> list[Element]:
    """D_i from x - y_K = move g + carry g_a, where g_a is the mean of (x - y_K) / (gamma_i K_i).

    With one gamma K for all, g_a is in proportion to the mean move, which is 0 at rest: D_i = move_i. Otherwise g_a is
    a shared state, eliminated like a synchronised momentum.
    """
    reach, agree = reaches(ring, s)
    if agree:
        return move
    store, keep = ([part / r for part, r in zip(parts, reach, strict=True)] for parts in (move, carry))
    return synced(ring, move, carry, store, keep)


@enter(
    "fedcm",
    "fedadam-amended",
    paper="LADA (23), sections 4 and 5",
    formula="D_i = S_i = gamma sum_{k<K} (I - alpha gamma A_i)^k: FedAvg at rate alpha gamma (one gamma K; otherwise "
    "g_a is not 0: D_i = S_i + (1 - alpha) mean(S) (I - (1 - alpha) mean(S / gamma K))^-1 S_i / gamma K)",
    equals="K = 1 with one gamma",
    limit="x* for one gamma K",
    when=one_step,
)
def fedcm(ring: Ring, s: Settings) -> list[Element]:
    """A step is y - gamma (alpha grad f_i(y) + (1 - alpha) g_a), so x - y_K = S_i (alpha g_i + (1 - alpha) g_a) with
    S_i = gamma sum_{k<K} (I - alpha gamma A_i)^k. For one gamma K, g_a is in proportion to the last mean move: at rest
    nothing moves, g_a = 0, and mean S g = 0. A server momentum or preconditioner does not move the zero."""

    def moved(i: int, A: Element) -> tuple[Element, Element]:
        S = s.gamma[i] * (1 - s.alpha * s.gamma[i] * A).geometric(s.steps[i])
        return s.alpha * S, (1 - s.alpha) * S

    return _amended(ring, s, *ring.parts(moved))


def _lada_step(s: Settings) -> bool:
    first = [s.frozen_of(i)[:1].tolist() for i in range(len(s.gamma))]
    return all(k - int(s.as_printed) == 1 for k in s.steps) and alike(s.gamma) and alike(first)


@enter(
    "fedlada",
    paper="LADA algorithm 3",
    formula="D_i = the move per unit gradient of K steps m = beta1 m + (1 - beta1) g, y = y - alpha gamma P_ik m from "
    "m = 0 (for one gamma K; given the frozen or realised preconditioners P_ik)",
    equals="K = 1 (as printed: 2) with one gamma and one preconditioner",
    limit="D_i in proportion to gamma_i sum_k P_ik (1 - beta1^k): x* where common",
    when=_lada_step,
)
def fedlada(ring: Ring, s: Settings) -> list[Element]:
    """Given its preconditioners a local step y - gamma (alpha P_k m_k + (1 - alpha) g_a) is linear, with m restarted at
    0 each round: x - y_K = move g_i + carry g_a, both by running the recurrence in the algebra. g_a is the last mean
    move over gamma K, so it vanishes at rest (for one gamma K): D_i = move_i."""
    beta, new, _ = momentum_of(ring, s)

    def moved(i: int, A: Element) -> tuple[Element, Element]:
        rates = [ring.number(s.alpha) * s.gamma[i]] * (s.steps[i] - int(s.as_printed))
        P = [ring.diagonal(p) for p in s.frozen_of(i)]
        move, _ = walked(A, rates, beta, new, P, g=1)
        carry, _ = walked(A, rates, beta, new, P, drift=[(1 - ring.number(s.alpha)) * s.gamma[i]] * len(rates))
        return move, carry

    return _amended(ring, s, *ring.parts(moved, dense=True))
