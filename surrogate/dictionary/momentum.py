"""Momentum and frozen preconditioners on the clients: restarted, kept, or synchronised (MFL); LA's local correction."""

from __future__ import annotations

from surrogate._types import Numbers, Scalar
from surrogate.dictionary.algebra import Element
from surrogate.dictionary.entries import enter
from surrogate.dictionary.forms import LocalMomentum, alike, heavy_ball, one_step, synced, walked
from surrogate.dictionary.optimizers import Momentum, momentum_of
from surrogate.dictionary.rings import Ring
from surrogate.dictionary.settings import Settings

_FORMULA = (
    "K steps give x - y_K = move g + carry m, m_K = store g + keep m. restart: D_i = move_i; keep: D_i = move_i + "
    "carry_i (I - keep_i)^-1 store_i; sync: D_i = move_i + mean(carry) (I - mean keep)^-1 store_i; "
    "local or joint correction: N_i^-1 D_i"
)
_LIMIT = (
    "restart, keep: D_i = gamma_i sum_k w_k P_ik, w_k the weight of gradients in the k-th momentum (keep: 1); sync: "
    "the formula at A = 0; x* for one gamma, K and P (whatever they are when corrected)"
)


def _rates(s: Settings, i: int) -> list[Scalar]:
    return s.inner(i) if s.has("inner_rates") else [s.gamma[i]] * s.steps[i]


def _scales(s: Settings, i: int) -> Numbers | None:
    return s.frozen_of(i) if s.has("frozen") else None


def _mass(momentum: Momentum, k: int) -> Scalar:
    """What k gradients equal to 1 leave in the momentum."""
    mass: Scalar = momentum.new * (1 - momentum.beta**k) / (1 - momentum.beta)
    return mass


def _round(ring: Ring, s: Settings, i: int, A: Element, momentum: Momentum) -> LocalMomentum:
    """Client i's local steps. A corrected momentum is divided by its mass: of k gradients when restarted, else full."""
    beta, new, corrected = momentum
    scales, restarted = _scales(s, i), s.states == "restart"
    full = (1 - beta) / new if corrected and not restarted else new / new
    if scales is None and not s.has("inner_rates") and not (corrected and restarted):
        return heavy_ball(A, s.gamma[i] * full, s.steps[i], beta, new)
    rates = [rate * full for rate in _rates(s, i)]
    if corrected and restarted:
        rates = [rate / _mass(momentum, k) for k, rate in enumerate(rates, start=1)]
    diagonals = None if scales is None else [ring.diagonal(p) for p in scales]
    move, store = walked(A, rates, beta, new, diagonals, g=1)
    carry, keep = walked(A, rates, beta, new, diagonals, m=1)
    return LocalMomentum(move, carry, store, keep)


def _divisor(ring: Ring, s: Settings, i: int, momentum: Momentum) -> Element:
    """N_i^-1 of LA's local correction: N_i = sum_k gamma_k P_k w_k, or as printed sum_k M_k (no rate)."""
    scales, rates = _scales(s, i), _rates(s, i)
    N: Element = 0
    M: Element = 0
    for k, rate in enumerate(rates):
        P = ring.number(1) if scales is None else ring.diagonal(scales[k])
        M = momentum.beta * M + momentum.new * P
        weight = ring.number(1) if momentum.corrected else _mass(momentum, k + 1)
        N = N + (M if s.as_printed else rate * weight * P)
    return 1 / N if scales is None else N.inverse()


def _settled(ring: Ring, s: Settings) -> list[Element]:
    momentum = momentum_of(ring, s)
    if s.states == "sync":
        return synced(ring, *ring.parts(lambda i, A: _round(ring, s, i, A, momentum), s.has("frozen")))

    def alone(i: int, A: Element) -> Element:
        r = _round(ring, s, i, A, momentum)
        if s.states == "keep":
            return r.move + r.carry * ((1 - r.keep).inverse() * r.store)
        return _divisor(ring, s, i, momentum) * r.move if s.correction in ("local", "joint") else r.move

    return ring.each(alone, s.has("frozen"))


def _one_common_step(s: Settings) -> bool:
    """One step each, and what multiplies it common: N_i itself divides it out when corrected (not as printed)."""
    first = [s.frozen_of(i)[0].tolist() if s.has("frozen") else None for i in range(len(s.gamma))]
    if any(k != 1 for k in s.steps):
        return False
    rates = [_rates(s, i) for i in range(len(s.gamma))]
    if s.correction in ("local", "joint"):
        return not s.as_printed or alike(rates)
    return alike(rates) and alike(first)


@enter(
    "local-sgdm",
    "local-adagrad",
    "local-adam",
    "local-amsgrad",
    "local-yogi",
    paper="LA sections 3 and 5, algorithm 1; DA (21); LADA algorithm 2",
    formula=_FORMULA + " (adaptive clients: given the frozen or realised preconditioners)",
    equals="K = 1 with one gamma and one preconditioner; corrected: K = 1 (as printed: and one gamma)",
    limit=_LIMIT,
    when=_one_common_step,
)
def local_momentum(ring: Ring, s: Settings) -> list[Element]:
    """K steps m <- beta m + new grad(y), y <- y - gamma P_k m are linear in (m, g_i): for P = I the K-th power of a
    3 x 3 block matrix of functions of A_i, else K products. Restarted momentum begins at 0: x - y_K = move g. Kept, it
    settles at m_i = store g_i + keep m_i; averaged, at m = mean(store g) + mean(keep) m, and adds carry m."""
    return _settled(ring, s)


@enter(
    "mfl",
    paper="DA section 5 (its baseline)",
    formula="D_i = move_i + mean(carry) (I - mean keep)^-1 store_i: local-sgdm with synchronised heavy balls",
    equals="K = 1 with one gamma",
    limit="x* for one gamma and K",
    when=one_step,
)
def mfl(ring: Ring, s: Settings) -> list[Element]:
    """Model and momentum are averaged every round; eliminate m = mean(store g) + mean(keep) m from the mean of
    x - y_K = move g + carry m. (Summing m_k = beta m_(k-1) + g_k over a round: the mean of sum_k g_k vanishes at rest,
    but along paths that feel the shared momentum, so it is not FedAvg's field.)"""
    momentum = momentum_of(ring, s, heavy=True)
    s.replace("states", "sync")
    return synced(ring, *ring.parts(lambda i, A: _round(ring, s, i, A, momentum)))


@enter(
    "fedlocal",
    paper="LA section 3, algorithm 1; DA section 5 (its baseline)",
    formula="D_i = move_i of local-sgdm with restarted momentum; local or joint correction: N_i^-1 D_i",
    equals="K = 1 with one gamma; corrected: K = 1 (as printed: and one gamma)",
    limit=_LIMIT,
    when=_one_common_step,
)
def fedlocal(ring: Ring, s: Settings) -> list[Element]:
    """local-sgdm with states="restart", for any client optimizer without a second moment, or given the preconditioners
    that it realised: x - y_K = move g."""
    s.replace("states", "restart")
    return _settled(ring, s)


def _first_step_common(s: Settings) -> bool:
    first = [s.frozen_of(i)[0].tolist() for i in range(len(s.gamma))]
    return one_step(s) and alike(first)


@enter(
    "fed-ams",
    "fed-lamb",
    paper="LAMB Algorithm 1, section 5",
    formula="D_i = move_i + carry_i (I - keep_i)^-1 store_i of K steps with P_ik: local-adam with kept momentum (no "
    "weight decay; given the frozen or realised preconditioners, which hold fed-lamb's lengths, too)",
    equals="K = 1 with one gamma and one preconditioner",
    limit="D_i ~ gamma_i sum_k P_ik / w_k, w_k = 1, or 1 - beta1^k with bias correction: x* where common",
    when=_first_step_common,
)
def fed_ams(ring: Ring, s: Settings) -> list[Element]:
    """Each client keeps m = beta1 m + (1 - beta1) g from round to round and steps along P_k m_k, divided by 1 - beta1^k
    with bias correction (k counts the round's steps, though m is older: as printed). That is linear in (m, g_i); m
    settles at m_i = store g_i + keep m_i, and x rests where the mean of x - y_K = move g + carry m vanishes."""
    beta, new, corrected = momentum_of(ring, s)

    def alone(i: int, A: Element) -> Element:
        rates = [s.gamma[i] / (1 - beta**k if corrected else new / new) for k in range(1, s.steps[i] + 1)]
        P = [ring.diagonal(p) for p in s.frozen_of(i)]
        move, store = walked(A, rates, beta, new, P, g=1)
        carry, keep = walked(A, rates, beta, new, P, m=1)
        return move + carry * ((1 - keep).inverse() * store)

    return ring.each(alone, dense=True)
