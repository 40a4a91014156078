"""The instances of B5: exact squared errors beside the bounds of `surrogate.bounds`, as printed and as corrected.

Full gradients (G = 0), M sampled clients; ``V`` = E_i ||grad f~_i(x~)||^2 is the noise that drawing clients adds.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np

from surrogate import Quadratics, Surrogate, Theta, bounds, moments, toys
from surrogate._types import Array

__all__ = ["PANELS", "curves"]

# Title, axis and statements of each panel, in order.
PANELS = {
    "rest": ("1. OLR section 6: they hold", "rounds $t$, from $x^*$", ("OLR.T16", "OLR.T17", "OLR.C20")),
    "T26": (r"2. OLR Theorem 26: false", r"rounds $t$, to $x^*_\gamma$", ("OLR.T26",)),
    "T27": (r"3. OLR Theorem 27: false", r"rounds $t$, to $x^*_\gamma$", ("OLR.T27",)),
    "C28": ("4. OLR Corollary 28: false", "rounds $t$, to $x^*$", ("OLR.C28",)),
    "T29": ("5. OLR Theorem 29: false", "rounds $t$, to $x^*$", ("OLR.T29",)),
    "LA": ("6. LA Theorem 1: false elsewhere", "horizon $T$, to the fixed point", ("LA.T1",)),
}

GAMMA, K, M, B, G = 1 / 10, 5, 1, 1, 0.0
FAR, NEAR = 1.0, 1e-2  # of x_1 from the resting point
TINY = 1e-6  # client rate of Corollary 28: its bias, of order gamma^2, must not hide the rest
LAST = 3000
CONSTANT = 36  # of LA Theorem 1: the proof's, (64)


def curves(panel: str) -> Iterator[dict[str, Any]]:
    """Rows of one panel: statement, claim, round, exact, bound."""
    makers = {
        "rest": _rest, "T26": _theorem_26, "T27": _theorem_27, "C28": _corollary_28, "T29": _theorem_29, "LA": _la,
    }  # fmt: skip
    yield from makers[panel]()


def _rows(statement: str, claim: str, rounds: Array, exact: Any, bound: Any) -> Iterator[dict[str, Any]]:
    for t, error, value in zip(rounds, exact, bound, strict=True):
        yield {
            "statement": statement, "claim": claim, "round": int(t), "exact": float(error), "bound": float(value),
        }  # fmt: skip


def spaced(last: int, count: int = 60) -> Array:
    """About ``count`` whole numbers from 1 to ``last``, evenly on a logarithmic scale."""
    return np.unique(np.geomspace(1, last, count).round().astype(int))


class Sampled:
    """Three clients in the plane, one of them sampled a round, full gradients; x_1 = x~ + (``away``, 0)."""

    def __init__(self, away: float = FAR, gamma: float = GAMMA) -> None:
        self.clients = toys.plane()
        self.gamma, self.d2 = gamma, away**2
        self.field = Surrogate(self.clients, gamma, Theta.sum(K))
        self.low, self.high = (bounds.phi(K, end, gamma) for end in (self.clients.mu, self.clients.L))
        rest = self.field.resting_point
        self.start = rest + np.array([away, 0.0])
        answers = [self.field.client_gradient(i, rest) for i in range(self.clients.n)]
        self.V = float(self.clients.weights @ np.sum(np.square(answers), axis=1))
        least = bounds.theorem_27_offset(self.clients.mu, self.clients.L, gamma, K)
        self.b = max(least, 6 * self.high / self.low)  # allowed by print and correction
        self.noise = bounds.sampled_noise(K, G, M, B, self.V)

    def errors(self, rounds: int, eta: Any, y: Array) -> Array:
        """E||x_t - y||^2 after 0, 1, ..., rounds."""
        law = moments.trajectory(self.clients, self.start, rounds, self.gamma, eta, Theta.sum(K), clients_per_round=M)
        return np.asarray(law.squared_distance(y))

    def decaying(self, rounds: int) -> Array:
        """eta_t = (2 / mu~) / (b + t), t = 1, ..., rounds."""
        c = self.clients
        return np.array([bounds.theorem_27_rate(c.mu, c.L, self.gamma, K, t, self.b) for t in range(1, rounds + 1)])


def _rest() -> Iterator[dict[str, Any]]:
    case, t = Sampled(), spaced(LAST)
    c, x = case.clients, case.clients.minimizer
    law = moments.trajectory(c, x, LAST, GAMMA, 1 / case.high, Theta.sum(K))
    exact = law.squared_distance(x)[t]
    arguments = (c.mu, c.L, c.sigma_A, c.sigma_c)
    limits = {
        "OLR.T16": bounds.theorem_16(*arguments, GAMMA, Theta.sum(K)),
        "OLR.T17": bounds.theorem_17(*arguments, GAMMA, K),
        "OLR.C20": bounds.corollary_20(*arguments, -math.expm1(-GAMMA * K * c.L)),
    }
    for name, value in limits.items():
        yield from _rows(name, "printed", t, exact, np.full(len(t), value**2))


def _theorem_26() -> Iterator[dict[str, Any]]:
    case, t = Sampled(), spaced(LAST)
    eta = min(bounds.lemma_25_rate(case.clients.mu, case.clients.L, GAMMA, K), 1 / (3 * case.high))
    exact = case.errors(LAST, eta, case.field.resting_point)[t]
    arguments = (case.clients.mu, GAMMA, eta, K, G, M, B)
    printed = [bounds.theorem_26(*arguments, int(s), case.d2) for s in t]
    yield from _rows("OLR.T26", "printed", t, exact, printed)
    yield from _rows("OLR.T26", "corrected", t, exact, bounds.theorem_26(*arguments, t, case.d2, case.noise))


def _theorem_27() -> Iterator[dict[str, Any]]:
    t = spaced(LAST)
    for away, claims in ((FAR, ("printed, far",)), (NEAR, ("printed", "corrected"))):
        case = Sampled(away)
        c = case.clients
        exact = case.errors(LAST, case.decaying(LAST), case.field.resting_point)[t - 1]
        arguments = (c.mu, c.L, GAMMA, K, G, M, B)
        for claim in claims:
            noise = case.noise if claim == "corrected" else None
            bound = [bounds.theorem_27(*arguments, int(s), case.d2, case.b, noise) for s in t]
            yield from _rows("OLR.T27", claim, t, exact, bound)


def _corollary_28() -> Iterator[dict[str, Any]]:
    case, t = Sampled(NEAR, TINY), spaced(LAST)
    c = case.clients
    exact = case.errors(LAST, case.decaying(LAST), c.minimizer)[t - 1]
    epsilon = -math.expm1(-TINY * K * c.L)
    arguments = (c.mu, c.L, c.sigma_A, c.sigma_c, epsilon, K, G, M, B)
    added = 8 * case.V / (case.low**2 * M) + bounds.corollary_28_noise(c.mu, epsilon, K, G, M, B)
    for claim, noise in (("printed", None), ("corrected", added)):
        bound = [bounds.corollary_28(*arguments, int(s), case.d2, case.b, noise) for s in t]
        yield from _rows("OLR.C28", claim, t, exact, bound)


def _theorem_29() -> Iterator[dict[str, Any]]:
    clients, steps, last = Quadratics([[[1.0]], [[0.5]]], [[0.0], [1.0]]), 10_000, 7000
    t = spaced(last)
    rates = [bounds.theorem_29_rates(clients.mu, clients.L, steps, s) for s in range(1, last)]
    printed = [bounds.theorem_29(clients.mu, clients.L, clients.sigma_c, steps, G, 2, B, int(s), 0.0) for s in t]
    yield from _rows("OLR.T29", "printed", t, _scheduled(clients, steps, rates)[t - 1], printed)
    rates = [bounds.corrected_29_rates(clients.mu, clients.L, steps, s) for s in range(1, last)]
    corrected = [bounds.corrected_29(clients.mu, clients.L, clients.sigma_c, 0.0, int(s), 0.0) for s in t]
    yield from _rows("OLR.T29", "corrected", t, _scheduled(clients, steps, rates)[t - 1], corrected)


def _scheduled(clients: Quadratics, steps: int, rates: list[bounds.Rates]) -> Array:
    """||x_t - x*||^2 for t = 1, 2, ..., from the resting point of the first client rate; all clients, on the line.

    Nothing is random: x - eta sum_i w_i phi_K(lambda_i) (x - c_i), with phi as in `bounds.phi`, for all rounds at once.
    """
    gamma, eta = np.array(rates).T
    pulls = [bounds.phi(steps, float(lam), gamma) for lam in clients.A[:, 0, 0]]
    slopes = np.tensordot(clients.weights, pulls, 1)
    targets = np.tensordot(clients.weights * clients.c[:, 0], pulls, 1)
    x = [targets[0] / slopes[0]]
    for rate, slope, target in zip(eta, slopes, targets, strict=True):
        x.append(x[-1] - rate * (slope * x[-1] - target))
    return np.asarray((np.array(x) - clients.minimizer[0]) ** 2)


def _la() -> Iterator[dict[str, Any]]:
    """Three clients on the line; two examples each give every gradient noise of variance sigma^2; k = 2 steps."""
    curvatures, centres, noise, gamma, k = (1.0, 0.5, 0.25), (0.0, 1.0, -1.0), 1.0, 1 / 2, 2
    A = [[[a]] for a in curvatures for _ in range(2)]
    c = [[centre + side * noise / a] for a, centre in zip(curvatures, centres, strict=True) for side in (1, -1)]
    clients = Quadratics.from_examples(A, c, [0, 0, 1, 1, 2, 2])
    h = [bounds.la_sgd_contraction(gamma, a, k) for a in curvatures]
    q, w = [bounds.la_sgd_variance(gamma, k)] * 3, [1 / 3] * 3
    rest = Surrogate(clients, gamma, Theta.sum(k)).resting_point
    horizons, start = spaced(1000, 30), rest + 10
    H, spread = sum(h) / 3, noise**2 * sum(q) / 9
    exact = []
    for T in horizons:
        alpha = np.array([bounds.corrected_la_1_rate(H, t, int(T)) for t in range(int(T))])
        law = moments.trajectory(clients, start, int(T), gamma, gamma * alpha, Theta.sum(k), batch=1)
        exact.append(law.squared_distance(rest)[-1])
    printed = [bounds.la_theorem_1(CONSTANT, h, q, w, noise, int(T), 100.0) for T in horizons]
    corrected = [bounds.corrected_la_1(H, spread, int(T), 100.0) for T in horizons]
    yield from _rows("LA.T1", "printed", horizons, exact, printed)
    yield from _rows("LA.T1", "corrected", horizons, exact, corrected)
