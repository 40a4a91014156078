"""What the families share: the local recurrences as elements of a client's algebra."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import NamedTuple

from surrogate._types import Scalar
from surrogate.dictionary.algebra import Element, block_power, lift
from surrogate.dictionary.rings import Ring
from surrogate.dictionary.settings import Settings
from surrogate.theta import Theta

__all__ = [
    "LocalMomentum",
    "alike",
    "blended",
    "descent",
    "heavy_ball",
    "moves",
    "multiple",
    "one_step",
    "reaches",
    "synced",
    "walked",
    "weighed",
]


def weighed(theta: Theta, A: Element, gamma: Scalar, number: Callable[[Scalar], Scalar]) -> Element:
    """Q = sum_k theta_k (I - gamma A)^(k-1)."""
    r = 1 - gamma * A
    if theta.kind == "sum":
        return r.geometric(theta.steps)
    if theta.kind == "last":
        return r.power(theta.steps - 1)
    return descent(A, [gamma] * theta.steps, [number(t) for t in theta.given])


def descent(A: Element, rates: Sequence[Scalar], weights: Sequence[Scalar]) -> Element:
    """sum_k weights_k prod_{j<k} (I - rates_j A): weighted gradients along steps with a rate each."""
    product = lift(weights[0] * 0 + 1, A)
    total = weights[0] * product
    for rate, weight in zip(rates[:-1], weights[1:], strict=True):
        product = product * (1 - rate * A)
        total = total + weight * product
    return total


def blended(r: Element, beta: Scalar, n: int) -> Element:
    """sum_{k<n} beta^(n-1-k) r^k by doubling: B_{2m} = (r^m + beta^m) B_m and B_{m+1} = r B_m + beta^m."""
    total, r_m, beta_m = lift(beta * 0 + 1, r), r, beta  # B_1, r^1, beta^1
    for bit in bin(n)[3:]:
        total = (r_m + beta_m) * total
        r_m, beta_m = r_m * r_m, beta_m * beta_m
        if bit == "1":
            total = r * total + beta_m
            r_m, beta_m = r_m * r, beta_m * beta
    return total


def moves(s: Settings, i: int, A: Element) -> Element:
    """x - y after client i's gradient steps on the Hessian A, per unit of its gradient at x."""
    if s.has("inner_rates"):
        return descent(A, s.inner(i), s.inner(i))
    return s.gamma[i] * (1 - s.gamma[i] * A).geometric(s.steps[i])


class LocalMomentum(NamedTuple):
    """What K local steps do to (x, m): x - y_K = move g + carry m, m_K = store g + keep m."""

    move: Element
    carry: Element
    store: Element
    keep: Element


def heavy_ball(A: Element, gamma: Scalar, steps: int, beta: Scalar, new: Scalar) -> LocalMomentum:
    """m <- beta m + new grad(y), y <- y - gamma m, K times: the K-th power of a 3 x 3 block matrix on (y - x, m, g).

    ``new`` is 1 - beta (exponential mean) or 1 (heavy ball).
    """
    one, zero = lift(gamma * 0 + 1, A), lift(gamma * 0, A)
    step = [
        [1 - gamma * new * A, one * (-gamma * beta), one * (-gamma * new)],
        [new * A, one * beta, one * new],
        [zero, zero, one],
    ]
    power = block_power(step, steps)
    return LocalMomentum(-power[0][2], -power[0][1], power[1][2], power[1][1])


def walked(
    A: Element,
    rates: Sequence[Scalar],
    beta: Scalar,
    new: Scalar,
    scales: Sequence[Element] | None = None,
    *,
    m: Scalar = 0,
    g: Scalar = 0,
    drift: Sequence[Scalar] | None = None,
) -> tuple[Element, Element]:
    """(x - y_K, m_K) step by step, y <- y - rate_k P_k m - drift_k: multiples of whichever of m, g, drift is not 0."""
    zero = A * 0
    gone, momentum = zero, zero + m  # gone = x - y
    for k, rate in enumerate(rates):
        momentum = beta * momentum + new * (g - A * gone)
        gone = gone + rate * (momentum if scales is None else scales[k] * momentum)
        if drift is not None:
            gone = gone + drift[k]
    return gone, momentum


def synced(
    ring: Ring, move: Sequence[Element], carry: Sequence[Element], store: Sequence[Element], keep: Sequence[Element]
) -> list[Element]:
    """D_i when the momentum is shared and averaged: at rest m = mean(store g) + mean(keep) m, so

    D_i = move_i + mean(carry) (I - mean(keep))^-1 store_i. The parts of `LocalMomentum`, each for all clients.
    """
    share = ring.mean(carry) * (1 - ring.mean(keep)).inverse()
    return [own + share * kept for own, kept in zip(move, store, strict=True)]


def alike(values: Sequence[object]) -> bool:
    """All the same?"""
    return all(v == values[0] for v in values)


def reaches(ring: Ring, s: Settings) -> tuple[list[Scalar], bool]:
    """gamma_i K_i for every client in the ring's numbers, and whether they agree before any rounding."""
    pairs = list(zip(s.gamma, s.steps, strict=True))
    agree = alike([(Fraction(gamma) if isinstance(gamma, float) else gamma) * K for gamma, K in pairs])
    return [ring.number(gamma) * K for gamma, K in pairs], agree


def multiple(weights: Sequence[Scalar], rates: Sequence[Scalar]) -> Scalar | None:
    """The number c with sum_k weights_k prod_{j<k} (1 - rates_j a) = c for every a; None where it depends on a.

    Behind p rates that are not 0 the product is a polynomial of degree p, so weights of equal p must add up to 0.
    """
    sums, level = {0: weights[0] * 0}, 0
    for weight, rate in zip(weights, rates, strict=True):
        sums[level] = sums.get(level, 0) + weight
        level += int(rate != 0)
    return sums.pop(0) if all(v == 0 for p, v in sums.items() if p) else None


def one_step(s: Settings) -> bool:
    """Each client takes one step, all with the same rate: what they send is a common multiple of their gradients."""
    rates = [s.inner(i) if s.has("inner_rates") else [gamma] for i, gamma in enumerate(s.gamma)]
    return all(k == 1 for k in s.steps) and alike(rates)
