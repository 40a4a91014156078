"""LocalUpdate and the methods that are settings of it, whatever the server does with the mean answer."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from surrogate._types import Array
from surrogate.dictionary.algebra import Element, lift
from surrogate.dictionary.entries import Bias, Form, enter
from surrogate.dictionary.forms import alike, descent, moves, multiple, weighed
from surrogate.dictionary.rings import Ring
from surrogate.dictionary.settings import Settings
from surrogate.theta import Theta

if TYPE_CHECKING:
    from surrogate.quadratics import Quadratics

ThetaOf = Callable[[Any, int], Theta]

_LIMIT = "gradients sent: D_i = (sum_k theta_k) I; updates sent: D_i = gamma_i K_i I; x* where these agree"


def _form(theta: ThetaOf, sends: str | None) -> Form:
    def local_update(ring: Ring, s: Settings) -> list[Element]:
        """Step k maps g_k = A_i (y_k - c_i) to (I - gamma A_i) g_k, so g_k = (I - gamma A_i)^(k-1) g_1; with a rate
        for each step, prod_{j<k} (I - gamma_j A_i) g_1. The client sends sum theta_k g_k, or x - y_K = sum gamma_k g_k.
        Any server step with invertible preconditioner, with momentum or without, rests where their mean is 0."""

        def distortion(i: int, A: Element) -> Element:
            if (sends or s.sends) == "updates":
                return moves(s, i, A)
            weights = theta(s, i)
            if s.has("inner_rates"):
                return descent(A, s.inner(i), [ring.number(t) for t in weights.weights])
            return weighed(weights, A, s.gamma[i], ring.number)

        return ring.each(distortion)

    return local_update


def _bias(theta: ThetaOf, sends: str | None) -> Bias:
    def bias(clients: Quadratics, s: Settings) -> Array | None:
        from surrogate import Preconditioned, Surrogate, _differences

        if s.has("inner_rates"):
            return None
        if (sends or s.sends) != "updates":
            return Surrogate(clients, s.gamma, [theta(s, i) for i in range(clients.n)])._bias
        if alike(s.gamma):
            gamma = float(s.gamma[0])
            found = Surrogate(clients, gamma, [Theta.sum(K) for K in s.steps])._bias
            return np.asarray(gamma / _differences.unit(gamma) * found)
        return Preconditioned(clients, s.gamma, s.steps, np.eye(clients.d))._bias if all(s.gamma) else None

    return bias


def _undistorted(theta: ThetaOf, sends: str | None) -> Callable[[Any], bool]:
    """Every D_i the same multiple of the identity, whatever the A_i."""

    def decide(s: Settings) -> bool:
        multiples = []
        for i, gamma in enumerate(s.gamma):
            weights = theta(s, i)
            if weights.steps > 1 and gamma != 0 and not s.has("inner_rates"):
                return False
            rates = s.inner(i) if s.has("inner_rates") else [gamma] * weights.steps
            multiples.append(multiple(rates if (sends or s.sends) == "updates" else weights.weights, rates))
        return None not in multiples and alike(multiples)

    return decide


def _sum(s: Settings, i: int) -> Theta:
    return Theta.sum(int(s.steps[i]))


def _last(s: Settings, i: int) -> Theta:
    return Theta.last(int(s.steps[i]))


def _maml(s: Settings, i: int) -> Theta:
    return Theta.maml(int(s.steps[i]))


def _enter(theta: ThetaOf, formula: str, paper: str, *names: str, sends: str | None = None) -> None:
    enter(
        *names,
        paper=paper,
        formula=formula,
        equals="one step (K(Theta) = 1) or gamma = 0 for every client, and equal weights (updates: equal gamma)",
        limit=_LIMIT,
        when=_undistorted(theta, sends),
        bias=_bias(theta, sends),
    )(_form(theta, sends))


_Q = "Q_i = sum_{k<K_i} (I - gamma_i A_i)^k"
_THETA = "D_i = Q_i(gamma_i, Theta_i) = sum_k theta_k (I - gamma_i A_i)^(k-1)"

_enter(lambda s, i: s.theta[i], _THETA, "OLR (4), (8)-(10)", "local-update", sends="gradients")
_enter(_sum, f"D_i = gamma_i Q_i (updates), Q_i (gradients); {_Q}", "OLR 2.1, Appendix A", "fedavg")
_enter(_sum, f"D_i = Q_i; {_Q}", "OLR 2.1", "reptile", sends="gradients")
_enter(_sum, f"D_i = gamma_i Q_i; {_Q}", "OLR 2.1", "lookahead", sends="updates")
_enter(_last, "D_i = (I - gamma_i A_i)^(K_i - 1)", "OLR 2.1", "fomaml", sends="gradients")
_enter(_maml, "D_i = (I - gamma_i A_i)^(2 K_i)", "OLR Theorem 4", "maml", sends="gradients")
for _name in ("sgd", "sgdm", "adam", "adagrad", "yogi", "amsgrad"):
    _enter(
        _sum,
        f"D_i = gamma_i Q_i (updates), Q_i (gradients): FedAvg's; {_Q}",
        "OLR 8.4, LA 2, LADA algorithm 1",
        f"fedopt-{_name}",
    )


@enter(
    "minibatch-sgd",
    "central-sgd",
    "central-sgdm",
    "central-adam",
    "central-adagrad",
    paper="OLR 2.1; DA (4), (18), (30), (36)",
    formula="D_i = I",
    equals="always",
    limit="x* (there is no client rate)",
    when=lambda s: True,
)
def one_gradient(ring: Ring, s: Settings) -> list[Element]:
    """One gradient of every client at x: the server sees grad f(x), and rests where it vanishes."""
    return ring.each(lambda i, A: lift(ring.number(1), A))
