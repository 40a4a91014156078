"""The centralized references: one gradient a round, from every client, at the same point (DA (4), (18), (30), (36))."""

from __future__ import annotations

from typing import Any

from surrogate._types import Scalar
from surrogate.methods.local_update import gradient_sum
from surrogate.methods.optimizers import OPTIMIZERS, Optimizer
from surrogate.methods.registry import Parts, register, with_optimizer
from surrogate.numbers import Kind
from surrogate.theta import Theta

__all__: list[str] = []


def _central(ops: Kind, *, eta: Scalar, optimizer: Optimizer) -> Parts:
    """Centralized training, as a method of one gradient a round.

    g = mean(g_i(x));  (P, m) = the optimizer's moments after g;  x+ = x - eta P m
    """
    return gradient_sum(ops, 0, Theta.last(1), eta, optimizer)


_TABLE: dict[str, tuple[str, str, dict[str, Any]]] = {
    "sgd": ("DA (4)", "Gradient descent.", {}),
    "sgdm": ("DA (18)", "Gradient descent with momentum, m = beta m + (1 - beta) g.", {}),
    "adam": (
        "DA (30)",
        "Adam with bias correction; (30) prints 1 - beta^t with t the step before.",
        {"bias_correction": True},
    ),
    "adagrad": ("DA (36)", "AdaGrad, v = v + g^2.", {}),
}

for _name, (_paper, _about, _defaults) in _TABLE.items():
    _enter = register(f"central-{_name}", _paper, sends="gradients", check="linear")
    _enter(with_optimizer(_central, OPTIMIZERS[_name], _about, **_defaults))
