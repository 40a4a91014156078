"""Fed-AMS and Fed-LAMB: AMSGrad on the clients under one shared second moment, plain or layer by layer (LAMB)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from surrogate._types import Vector
from surrogate.methods.local import walk
from surrogate.methods.method import Client, Message, State
from surrogate.methods.ops import Ops
from surrogate.methods.registry import Parts, register
from surrogate.methods.settings import rates

__all__: list[str] = []

Shape = Callable[[Vector, Vector], Vector]  # (y, ratio) -> direction


def _ams(
    ops: Ops, gamma: Any, steps: Any, eta: Any, beta1: Any, beta2: Any, eps: Any, bias_correction: bool, shape: Shape
) -> Parts:
    """Clients keep m, start v at the server's V, step along shape(y, m / (sqrt(V) + eps)); V = max(V, mean(v))."""

    def start(x: Vector) -> State:
        return {"x": x, "V": 0 * x}

    def local(shared: State, own: State, client: Client, i: int) -> tuple[Message, State]:
        x, root = shared["x"], ops.sqrt(shared["V"]) + eps
        along = rates(gamma, steps, None, i)

        def step(k: int, y: Vector, g: Vector, moments: tuple[Vector, Vector]) -> tuple[Vector, tuple[Vector, Vector]]:
            m, v = beta1 * moments[0] + (1 - beta1) * g, beta2 * moments[1] + (1 - beta2) * (g * g)
            return shape(y, (m / (1 - beta1 ** (k + 1)) if bias_correction else m) / root), (m, v)

        y, (m, v) = walk(client, x, along, step, (own["m"], shared["V"]))
        return {"delta": x - y, "v": v / (1 - beta2 ** len(along)) if bias_correction else v}, {"m": m}

    def update(state: State, message: Message, drawn: int, clients: int) -> State:
        return {"x": state["x"] - eta * message["delta"], "V": ops.maximum(state["V"], message["v"])}

    return Parts(start, local, update, enrol=lambda x: {"m": 0 * x})


@register("fed-ams", "LAMB section 5 (its baseline); Chen et al. 2020", sends="model", check="stepwise")
def fed_ams(
    ops: Ops,
    *,
    gamma: Any,
    steps: Any,
    eta: Any = 1,
    beta1: Any = 0.9,
    beta2: Any = 0.999,
    eps: Any = 1e-8,
    bias_correction: bool = False,
) -> Parts:
    """Fed-AMS, local AMSGrad: clients share the root, which the server moves once a round.

        y = x, m kept by the client, v = V;  m = beta1 m + (1 - beta1) g;  v = beta2 v + (1 - beta2) g^2
        y = y - gamma m / (sqrt(V) + eps);  x+ = x - eta mean(x - y);  V+ = max(V, mean(v)), 0 at first

    ``bias_correction`` as in fed-lamb.
    """
    return _ams(ops, gamma, steps, eta, beta1, beta2, eps, bias_correction, lambda y, ratio: ratio)


@register("fed-lamb", "LAMB Algorithm 1", sends="model", check="stepwise")
def fed_lamb(
    ops: Ops,
    *,
    gamma: Any,
    steps: Any,
    eta: Any = 1,
    beta1: Any = 0.9,
    beta2: Any = 0.999,
    eps: Any = 1e-8,
    bias_correction: bool = False,
    decay: Any = 0,
    layers: Any = None,
) -> Parts:
    """Fed-LAMB: Fed-AMS with each layer's step as long as gamma times the layer itself (phi is the identity).

        r = m / (sqrt(V) + eps) + decay y;  y_l = y_l - gamma ||y_l|| r_l / ||r_l|| for each layer l; else as fed-ams

    Readings: the root is the server's V, fixed within a round (its printed step index moves nothing); gradients are at
    the current point (printed: at the round's first); v goes on from the client's own last v (printed: from the last
    round's). Lines 9 and 10 overwrite m and v by m / (1 - beta1^t), v / (1 - beta2^t), though neither starts a round at
    0: ``bias_correction`` takes these for m^ in the ratio and for the v that is sent, and leaves the recursions alone.
    ``layers`` must cover all coordinates: others stand still. A layer with r = 0 divides 0 by 0, as printed.
    """
    parts = [slice(None)] if layers is None else layers
    return _ams(ops, gamma, steps, eta, beta1, beta2, eps, bias_correction, _layerwise(ops, decay, parts))


def _layerwise(ops: Ops, decay: Any, layers: Sequence[Any]) -> Shape:
    def shape(y: Vector, ratio: Vector) -> Vector:
        wanted = ratio + decay * y
        direction = 0 * wanted
        for layer in layers:
            part = wanted[..., layer]
            direction[..., layer] = part * (ops.norm(y[..., layer]) / ops.norm(part))
        return direction

    return shape
