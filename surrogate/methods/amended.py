"""Local steps amended by the last round's global direction: FedCM, amended FedAdam, FedLADA (LADA sections 3 to 5)."""

from __future__ import annotations

from dataclasses import dataclass, replace

from surrogate._types import Rates, Scalar, Steps, Vector
from surrogate.methods import optimizers
from surrogate.methods.local import walk
from surrogate.methods.local_adaptive import frozen_scales, without_scale
from surrogate.methods.method import Client, Message, State
from surrogate.methods.optimizers import Optimizer
from surrogate.methods.registry import Parts, register
from surrogate.methods.settings import Frozen, per_client, positive, rates
from surrogate.numbers import Kind

__all__: list[str] = []

DIVIDES = "it divides by gamma: pass a small rate"


def _pace(delta: Vector, gamma: Rates, steps: Steps, i: int) -> Vector:
    """(x - y_K) / (gamma K): the client's mean direction."""
    pace: Vector = delta / (per_client(gamma, i, "gamma") * per_client(steps, i, "steps"))
    return pace


def _amended_sgd(ops: Kind, gamma: Rates, steps: Steps, eta: Scalar, alpha: Scalar, on_server: Optimizer) -> Parts:
    """Clients step along alpha g + (1 - alpha) g_a, g_a the mean direction of the last round; any server optimizer."""

    def start(x: Vector) -> State:
        return {"x": x, "g_a": 0 * x, **on_server.start(x)}

    def local(shared: State, own: State, client: Client, i: int) -> tuple[Message, State]:
        x, pull = shared["x"], (1 - alpha) * shared["g_a"]
        along = rates(gamma, steps, None, i)
        y, _ = walk(client, x, along, lambda k, y, g, carry: (ops.moved(pull, -alpha, 1, g), carry), None, ops)
        return {"delta": x - y, "pace": _pace(x - y, gamma, steps, i)}, own

    def update(state: State, message: Message, drawn: int, clients: int) -> State:
        P, m, kept = on_server.step(state, message["delta"], ops)
        return {"x": ops.moved(state["x"], eta, P, m), "g_a": message["pace"], **kept}

    return Parts(start, local, update)


@register("fedcm", "LADA sections 4 and 5; Xu et al. 2021", sends="updates", check="linear")
def fedcm(ops: Kind, *, gamma: Rates, steps: Steps, eta: Scalar = 1, alpha: Scalar = 0.1) -> Parts:
    """FedCM, client-level momentum: local gradients are mixed with the last round's mean direction.

        y_0 = x;  y_{k+1} = y_k - gamma (alpha g_k + (1 - alpha) g_a)
        x+ = x - eta mean(x - y_K);  g_a+ = mean((x - y_K) / (gamma K)), 0 at first

    alpha weighs the client's own gradient, as in LADA. Xu et al. let the server step by g_a+ itself: their server rate
    is our eta gamma K. g_a is the mean of directions, which is LADA (3) where clients share gamma and K.
    """
    positive(gamma, "fedcm", DIVIDES)
    return _amended_sgd(ops, gamma, steps, eta, alpha, optimizers.sgd())


@register("fedadam-amended", "LADA section 5", sends="updates", check="stepwise")
def fedadam_amended(
    ops: Kind,
    *,
    gamma: Rates,
    steps: Steps,
    eta: Scalar,
    alpha: Scalar = 0.1,
    beta1: Scalar = 0.9,
    beta2: Scalar = 0.99,
    eps: Scalar = 0,
    initial: Scalar = 0.01,
) -> Parts:
    """FedAdam with FedCM's local steps: as fedcm, but the server takes an Adam step on d = mean(x - y_K).

        m+ = beta1 m + (1 - beta1) d;  v+ = beta2 v + (1 - beta2) d^2;  x+ = x - eta m+ / (sqrt(v+) + eps)

    Reading: the "last pseudo gradient" that amends is mean(x - y_K) / (gamma K), before Adam scales it: section 5
    speaks of gaps between it and the Adam step. No eps and initial v = 0.01 after Algorithm 1 and section 4.
    """
    positive(gamma, "fedadam-amended", DIVIDES)
    on_server = optimizers.adam(beta1=beta1, beta2=beta2, eps=eps, initial=initial)
    return _amended_sgd(ops, gamma, steps, eta, alpha, on_server)


@dataclass(frozen=True)
class _Walk:
    moments: State
    realised: tuple[Scalar, ...] = ()


@register(
    "fedlada",
    "LADA Algorithm 3",
    sends="model",
    check="realised",
    excludes={"frozen": ["beta2", "initial", "record"]},
)
def fedlada(
    ops: Kind,
    *,
    gamma: Rates,
    steps: Steps,
    eta: Scalar = 1,
    alpha: Scalar = 0.1,
    beta1: Scalar = 0.9,
    beta2: Scalar = 0.99,
    initial: Scalar = 1e-8,
    as_printed: bool = False,
    frozen: Frozen | None = None,
    record: bool = False,
) -> Parts:
    """FedLADA: AMSGrad on clients, amended by the last round's mean direction; the largest second moments are averaged.

        y = x, m = 0, v = vmax = V;  m = beta1 m + (1 - beta1) g;  v = beta2 v + (1 - beta2) g^2;  vmax = max(v, vmax)
        y = y - gamma (alpha m / sqrt(vmax) + (1 - alpha) g_a)                                     K times
        V+ = mean(vmax);  x+ = x - eta mean(x - y);  g_a+ = mean((x - y) / (gamma K)) = (x - x+) / (eta gamma K)

    Readings: the loop prints tau = 1, ..., K - 1 but sends x_{i,K}: we take K steps, and ``as_printed`` takes K - 1
    (the K in g_a stays). g_{i,tau} is at the current point. v_{i,0}, not printed, is V. ``initial`` is eps_v^2.
    ``frozen``: given 1 / sqrt(vmax), one a local step; the method is then linear and keeps no V.
    """
    positive(gamma, "fedlada", DIVIDES)
    full = optimizers.amsgrad(beta1=beta1, beta2=beta2, eps=0, initial=initial)
    moving = full if frozen is None else without_scale(full)

    def start(x: Vector) -> State:
        return {"x": x, "g_a": 0 * x} | ({} if frozen is not None else {"V": 0 * x + initial})

    def local(shared: State, own: State, client: Client, i: int) -> tuple[Message, State]:
        x, pull = shared["x"], (1 - alpha) * shared["g_a"]
        along = rates(gamma, steps, None, i)
        along = along[:-1] if as_printed else along
        scales = None if frozen is None else frozen_scales(frozen, i, len(along), x)

        def step(k: int, y: Vector, g: Vector, carry: _Walk) -> tuple[Vector, _Walk]:
            P, m, moments = moving.step(carry.moments, g, ops)
            P = P if scales is None else scales[k]
            direction = ops.moved(pull, -alpha, P, m)
            return direction, replace(carry, moments=moments, realised=(*carry.realised, P) if record else ())

        first = {"m": 0 * x} | ({} if frozen is not None else {"v": shared["V"], "peak": shared["V"]})
        y, end = walk(client, x, along, step, _Walk(first), ops)
        message = {"delta": x - y, "pace": _pace(x - y, gamma, steps, i)}
        message |= {} if frozen is not None else {"V": end.moments["peak"]}
        return message, {"realised": end.realised} if record else {}

    def update(state: State, message: Message, drawn: int, clients: int) -> State:
        moved = {"x": state["x"] - eta * message["delta"], "g_a": message["pace"]}
        return moved | ({"V": message["V"]} if "V" in message else {})

    return Parts(start, local, update, check=None if frozen is None else "linear")
