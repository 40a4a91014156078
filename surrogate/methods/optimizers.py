"""Optimizers, the same on the server and on clients: a momentum m and a diagonal preconditioner P, moving by P m.

``beta`` always weighs the old value (LADA Algorithms 1 and 2 print it on the new one: their beta is our 1 - beta).
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from surrogate._types import Scalar, Settings, Vector
from surrogate.kit.errors import problem
from surrogate.methods.method import State
from surrogate.methods.settings import filled
from surrogate.numbers import FLOATS, Kind
from surrogate.numbers.protocol import S

__all__ = ["OPTIMIZERS", "Choice", "Optimizer", "adagrad", "adam", "amsgrad", "optimizer", "sgd", "sgdm", "yogi"]


@dataclass(frozen=True)
class Optimizer:
    r"""An optimizer of the server or of a client: two moments of the gradients g, and steps along ``P m``.

        m+ = beta m + (1 - beta) g              beta None: m = g; not dampened: m+ = beta m + g (heavy ball)
        v+ = second(v, g^2)                     second None: P = 1;  peak: P is of the largest v so far (AMSGrad)
        P  = 1 / (sqrt(v+) + eps)               inside: 1 / sqrt(v+ + eps)

    ``name``: what it is called; ``initial``: v at the start; ``second(v, g, ops)``: v+; ``second_mass``: the same
    recursion for a constant gradient 1; ``ops`` everywhere: the arithmetic of the vectors. ``bias_correction`` divides
    each moment by its mass, the sum of the weights that gradients have in it, which is 1 - beta^t after t steps; kept
    as a number in the state, masses may be averaged over clients like the moments.
    """

    name: str
    beta: Scalar | None = None
    dampened: bool = True
    second: Callable[[Vector, Vector, Kind], Vector] | None = None  # (v, g, ops) -> v+
    second_mass: Callable[[Scalar], Scalar] | None = None
    peak: bool = False
    eps: Scalar = 0
    inside: bool = False
    initial: Scalar = 0
    bias_correction: bool = False

    def start(self, x: Vector) -> State:
        """The state before the first gradient, for parameters ``x``: zeros, and v where ``initial`` says."""
        zero = 0 * x
        first = zero if isinstance(self.initial, int) and self.initial == 0 else zero + self.initial
        state: State = {} if self.beta is None else {"m": zero}
        if self.second is not None:
            state["v"] = first
        if self.peak:
            state["peak"] = first
        if self.bias_correction:
            state |= {} if self.beta is None else {"m_mass": 0}
            state |= {} if self.second_mass is None else {"v_mass": 0}
        return state

    def mix(self, old: S, new: S, ops: Kind = FLOATS) -> S:
        """beta ``old`` + (1 - beta) ``new`` by ``ops``, or the heavy ball's beta old + new."""
        assert self.beta is not None, "an optimizer without momentum mixes nothing"
        mean: S = ops.mixed(self.beta, old, new) if self.dampened else self.beta * old + new
        return mean

    def momentum(self, state: State, g: S, ops: Kind = FLOATS) -> tuple[S, State]:
        """m after the gradient ``g``, and the part of the ``state`` that holds m; ``ops``: the arithmetic."""
        if self.beta is None:
            return g, {}
        m = self.mix(state["m"], g, ops)
        if not self.bias_correction:
            return m, {"m": m}
        mass = self.mix(state["m_mass"], 1)
        return m / mass, {"m": m, "m_mass": mass}

    def scale(self, state: State, ops: Kind) -> Scalar:
        """P of the second moment that the ``state`` holds; ``ops``: the arithmetic."""
        if self.second is None:
            return 1
        v = state["peak"] if self.peak else self._unbiased(state)
        return ops.inverse_root(v + self.eps, 0) if self.inside else ops.inverse_root(v, self.eps)

    def _unbiased(self, state: State) -> Vector:
        v: Vector = state["v"] / state["v_mass"] if "v_mass" in state else state["v"]
        return v

    def accumulate(self, state: State, g: Vector, ops: Kind) -> State:
        """The part of the ``state`` that holds the second moment, after ``g``; ``ops``: the arithmetic."""
        if self.second is None:
            return {}
        kept: State = {"v": self.second(state["v"], g, ops)}
        if "v_mass" in state and self.second_mass is not None:
            kept["v_mass"] = self.second_mass(state["v_mass"])
        if self.peak:
            kept["peak"] = ops.maximum(state["peak"], self._unbiased(kept))
        return kept

    def step(self, state: State, g: Vector, ops: Kind) -> tuple[Scalar, Vector, State]:
        """(P, m, new state) after the gradient ``g`` in this ``state``, by ``ops``; the direction is P * m."""
        kept = self.accumulate(state, g, ops)
        P = self.scale(kept, ops)
        m, moved = self.momentum(state, g, ops)
        return P, m, {**kept, **moved}


Choice = Optimizer | str | Settings  # an optimizer, its name, or {"name": ..., settings}


def sgd() -> Optimizer:
    """Plain gradient descent: P = 1, m = g."""
    return Optimizer("sgd")


def sgdm(*, beta: Scalar = 0.9, dampened: bool = True, bias_correction: bool = False) -> Optimizer:
    """Momentum: m = beta m + (1 - beta) g (DA (18)), or heavy ball, m = beta m + g. No Nesterov step."""
    return Optimizer("sgdm", beta=beta, dampened=dampened, bias_correction=bias_correction)


def adagrad(*, beta1: Scalar = 0, eps: Scalar = 1e-3, inside: bool = False, initial: Scalar = 0) -> Optimizer:
    """AdaGrad: v = v + g^2 (LA (3), DA (36)); LA Algorithm 1 allows it a momentum. LA (3) is eps = 0, initial > 0."""
    beta = None if isinstance(beta1, int) and beta1 == 0 else beta1
    return Optimizer(
        "adagrad", beta=beta, second=lambda v, g, ops: ops.with_square(v, g), eps=eps, inside=inside, initial=initial
    )


def adam(
    *,
    beta1: Scalar = 0.9,
    beta2: Scalar = 0.99,
    eps: Scalar = 1e-3,
    inside: bool = False,
    initial: Scalar = 0,
    bias_correction: bool = False,
) -> Optimizer:
    """Adam: v = beta2 v + (1 - beta2) g^2 (DA (30) corrects the bias, LADA Algorithms 1 and 2 do not)."""
    return Optimizer(
        "adam",
        beta=beta1,
        second=lambda v, g, ops: ops.mixed_with_square(beta2, v, g),
        second_mass=lambda mass: beta2 * mass + (1 - beta2),
        eps=eps,
        inside=inside,
        initial=initial,
        bias_correction=bias_correction,
    )


@functools.wraps(adam, assigned=())  # for its signature
def amsgrad(**settings: Any) -> Optimizer:
    """AMSGrad: Adam with the largest v so far under the root (with bias_correction: the largest corrected v)."""
    return replace(adam(**settings), name="amsgrad", peak=True)


def yogi(
    *, beta1: Scalar = 0.9, beta2: Scalar = 0.99, eps: Scalar = 1e-3, inside: bool = False, initial: Scalar = 0
) -> Optimizer:
    """Yogi: v = v - (1 - beta2) sign(v - g^2) g^2 (Zaheer et al. 2018; OLR 8.4 with 0.9, 0.99, eps 1e-5, initial 0)."""

    def second(v: Vector, g: Vector, ops: Kind) -> Vector:
        s: Vector = g * g
        after: Vector = v - (1 - beta2) * ops.sign(v - s) * s
        return after

    return Optimizer("yogi", beta=beta1, second=second, eps=eps, inside=inside, initial=initial)


OPTIMIZERS: dict[str, Callable[..., Optimizer]] = {
    "sgd": sgd,
    "sgdm": sgdm,
    "adagrad": adagrad,
    "adam": adam,
    "amsgrad": amsgrad,
    "yogi": yogi,
}


def optimizer(chosen: Choice, ops: Kind) -> Optimizer:
    """An Optimizer from itself, its name, or a mapping of its name and settings.

    >>> from surrogate.numbers import FLOATS
    >>> optimizer({"name": "sgdm", "beta": 0.5}, FLOATS).beta
    0.5
    """
    if isinstance(chosen, Optimizer):
        return chosen
    settings = dict(chosen) if isinstance(chosen, Mapping) else {"name": chosen}
    name = settings.pop("name", None)
    if not isinstance(name, str) or name not in OPTIMIZERS:
        raise problem(
            "the optimizer",
            repr(chosen),
            f"one of {', '.join(OPTIMIZERS)}, or a mapping with such a name",
            "a spelling slip",
            'pass "adam", {"name": "adam", "beta1": 0.9}, or an Optimizer',
        )
    made = OPTIMIZERS[name]
    return made(**filled(f"the optimizer {name}", made, settings, ops.decimal))
