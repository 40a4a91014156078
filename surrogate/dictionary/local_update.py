"""LocalUpdate and the methods that are settings of it, whatever the server does with the mean answer."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from surrogate.dictionary.algebra import Element, lift
from surrogate.dictionary.entries import Form, enter
from surrogate.dictionary.forms import alike, weighed
from surrogate.dictionary.rings import Ring
from surrogate.theta import Theta

_LIMIT = "gradients sent: D_i = (sum_k theta_k) I, x* where these agree; updates sent: D_i = gamma_i K_i I"


def _form(theta: Callable[[Any, int], Theta], sends: str | None = None) -> Form:
    def local_update(ring: Ring, s: Any) -> list[Element]:
        """Step k maps g_k = A_i (y_k - c_i) to (I - gamma A_i) g_k, so g_k = (I - gamma A_i)^(k-1) g_1; with a rate
        for each step, prod_{j<k} (I - gamma_j A_i) g_1. The client sends sum theta_k g_k, or x - y_K = sum gamma_k g_k.
        Any server step with invertible preconditioner, with momentum or without, rests where their mean is 0."""
        updates = (sends or s.sends) == "updates"

        def distortion(i: int, A: Element) -> Element:
            weights = theta(s, i)
            if not s.has("inner_rates"):
                D = weighed(weights, A, s.gamma[i], ring.number)
                return s.gamma[i] * D if updates else D
            rates = s.inner(i)
            return _varying(A, rates, rates if updates else [ring.number(t) for t in weights.weights])

        return ring.each(distortion)

    return local_update


def _varying(A: Element, rates: list[Any], weights: list[Any]) -> Element:
    """sum_k weights_k prod_{j<k} (I - rates_j A)."""
    product = lift(1, A)
    total = weights[0] * product
    for rate, weight in zip(rates[:-1], weights[1:], strict=True):
        product = product * (1 - rate * A)
        total = total + weight * product
    return total


def _undistorted(theta: Callable[[Any, int], Theta], sends: str | None = None) -> Callable[[Any], bool]:
    """Every D_i the same multiple of the identity, whatever the A_i."""

    def decide(s: Any) -> bool:
        multiples = []
        for i, gamma in enumerate(s.gamma):
            weights, updates = theta(s, i), (sends or s.sends) == "updates"
            rates = s.inner(i) if s.has("inner_rates") else None
            if weights.steps > 1 and (gamma != 0 if rates is None else any(r != 0 for r in rates[:-1])):
                return False
            multiples.append((sum(rates) if rates else gamma * weights.steps) if updates else weights.total)
        return alike(multiples)

    return decide


def _sum(s: Any, i: int) -> Theta:
    return Theta.sum(int(s.steps[i]))


def _enter(theta: Callable[[Any, int], Theta], formula: str, paper: str, *names: str, sends: str | None = None) -> None:
    enter(
        *names,
        paper=paper,
        formula=formula,
        equals="K(Theta) = 1 or gamma = 0 for every client, with equal weights (updates: equal gamma K)",
        limit=_LIMIT,
        when=_undistorted(theta, sends),
    )(_form(theta, sends))


_SUM = "Q_i = sum_{k<K_i} (I - gamma_i A_i)^k"
_enter(
    lambda s, i: s.theta[i],
    "D_i = Q_i(gamma_i, Theta_i) = sum_k theta_k (I - gamma_i A_i)^(k-1)",
    "OLR (4), (8)-(10)",
    "local-update",
    sends="gradients",
)
_enter(_sum, f"D_i = gamma_i Q_i (updates), Q_i (gradients); {_SUM}", "OLR 2.1, Appendix A", "fedavg")
_enter(_sum, f"D_i = Q_i; {_SUM}", "OLR 2.1", "reptile", sends="gradients")
_enter(_sum, f"D_i = gamma_i Q_i; {_SUM}", "OLR 2.1", "lookahead", sends="updates")
_enter(
    lambda s, i: Theta.last(int(s.steps[i])),
    "D_i = (I - gamma_i A_i)^(K_i - 1)",
    "OLR 2.1",
    "fomaml",
    sends="gradients",
)
_enter(
    lambda s, i: Theta.maml(int(s.steps[i])),
    "D_i = (I - gamma_i A_i)^(2 K_i)",
    "OLR Theorem 4",
    "maml",
    sends="gradients",
)
_enter(
    _sum,
    f"D_i = gamma_i Q_i (updates), Q_i (gradients): FedAvg's; {_SUM}",
    "OLR 8.4, LA 2, LADA algorithm 1",
    "fedopt-sgd",
    "fedopt-sgdm",
    "fedopt-adam",
    "fedopt-adagrad",
    "fedopt-yogi",
    "fedopt-amsgrad",
)


@enter("minibatch-sgd", paper="OLR 2.1", formula="D_i = I", equals="always", limit="x*", when=lambda s: True)
def minibatch_sgd(ring: Ring, s: Any) -> list[Element]:
    """One gradient of every client at x: the server steps along -grad f(x)."""
    return ring.each(lambda i, A: lift(1, A))
