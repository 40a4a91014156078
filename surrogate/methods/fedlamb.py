"""Fed-AMS and Fed-LAMB: AMSGrad on the clients under one shared second moment, plain or layer by layer (LAMB)."""

from __future__ import annotations

from dataclasses import dataclass

from surrogate._types import Layers, Rates, Scalar, Steps, Vector
from surrogate.methods.local import Direction, walk
from surrogate.methods.local_adaptive import frozen_scales
from surrogate.methods.method import Check, Client, Message, State
from surrogate.methods.registry import Parts, register, with_optimizer
from surrogate.methods.settings import Frozen, rates
from surrogate.numbers import Kind

__all__: list[str] = []


@dataclass(frozen=True, kw_only=True)
class _Moments:
    """The settings of the moments, which both methods have."""

    beta1: Scalar = 0.9
    beta2: Scalar = 0.999
    eps: Scalar = 1e-3
    bias_correction: bool = False


@dataclass(frozen=True)
class _Walk:
    """What a client carries from step to step."""

    m: Vector
    v: Vector
    realised: tuple[Vector, ...] = ()


@dataclass(frozen=True)
class _Steps:
    """Along which direction, how often and how far."""

    gamma: Rates
    steps: Steps
    eta: Scalar
    decay: Scalar
    frozen: Frozen | None
    record: bool
    layers: Layers | None


def _ams(ops: Kind, moments: _Moments, s: _Steps) -> Parts:
    """Clients keep m and start v at the server's V; with P = 1 / (sqrt(V) + eps) they step along P m, or with layers
    along lengths * (P m + decay y), and V = max(V, mean(v)). ``frozen``: given lengths * P, and no second moment."""
    beta1, beta2, correct = moments.beta1, moments.beta2, moments.bias_correction

    def start(x: Vector) -> State:
        return {"x": x} if s.frozen is not None else {"x": x, "V": 0 * x}

    def momentum(m: Vector, g: Vector, k: int) -> tuple[Vector, Vector]:
        m = ops.mixed(beta1, m, g)
        return m, m / (1 - beta1 ** (k + 1)) if correct else m

    def given(shared: State, own: State, client: Client, i: int) -> tuple[Message, State]:
        x, along = shared["x"], rates(s.gamma, s.steps, None, i)
        assert s.frozen is not None
        scales = frozen_scales(s.frozen, i, len(along), x)

        def step(k: int, y: Vector, g: Vector, m: Vector) -> tuple[Direction, Vector]:
            m, hat = momentum(m, g, k)
            return (scales[k], hat), m

        y, m = walk(client, x, along, step, own["m"], ops)
        return {"delta": x - y}, {"m": m}

    def local(shared: State, own: State, client: Client, i: int) -> tuple[Message, State]:
        x, P, along = shared["x"], ops.inverse_root(shared["V"], moments.eps), rates(s.gamma, s.steps, None, i)

        def step(k: int, y: Vector, g: Vector, carry: _Walk) -> tuple[Direction, _Walk]:
            m, hat = momentum(carry.m, g, k)
            direction, realised = (P, hat), P
            if s.layers is not None:
                ratio = P * hat if s.decay == 0 else P * hat + s.decay * y
                length = ops.lengths(y, ratio, s.layers)
                direction, realised = (length, ratio), length * P
            v = ops.mixed_with_square(beta2, carry.v, g)
            return direction, _Walk(m, v, (*carry.realised, realised) if s.record else ())

        y, end = walk(client, x, along, step, _Walk(own["m"], shared["V"]), ops)
        v = end.v / (1 - beta2 ** len(along)) if correct else end.v
        return {"delta": x - y, "v": v}, {"m": end.m} | ({"realised": end.realised} if s.record else {})

    def update(state: State, message: Message, drawn: int, clients: int) -> State:
        x = state["x"] - s.eta * message["delta"]
        return {"x": x, "V": ops.maximum(state["V"], message["v"])} if "v" in message else {"x": x}

    check: Check | None = None if s.frozen is None else "linear"
    return Parts(start, local if s.frozen is None else given, update, enrol=lambda x: {"m": 0 * x}, check=check)


def _fed_ams(
    ops: Kind,
    *,
    optimizer: _Moments,
    gamma: Rates,
    steps: Steps,
    eta: Scalar = 1,
    frozen: Frozen | None = None,
    record: bool = False,
) -> Parts:
    """``bias_correction`` as in fed-lamb. ``eps``: LAMB prints no number; as V is 0 at first, the first round's steps
    are gamma m / eps, so that 1e-8 throws networks away. ``frozen``: given preconditioners instead of 1 / (sqrt(V) +
    eps), which makes the method linear; ``record`` keeps the realised ones in the client's state.
    """
    return _ams(ops, optimizer, _Steps(gamma, steps, eta, 0, frozen, record, None))


def _fed_lamb(
    ops: Kind,
    *,
    optimizer: _Moments,
    gamma: Rates,
    steps: Steps,
    eta: Scalar = 1,
    decay: Scalar = 0,
    layers: Layers | None = None,
    frozen: Frozen | None = None,
    record: bool = False,
) -> Parts:
    """Readings: the root is the server's V, fixed within a round (its printed step index moves nothing); gradients are
    at the current point (printed: at the round's first); v goes on from the client's own last v (printed: from the last
    round's). Lines 9 and 10 overwrite m and v by m / (1 - beta1^t), v / (1 - beta2^t), though neither starts a round at
    0: ``bias_correction`` takes these for m^ in the ratio and for the v that is sent, and leaves the recursions alone.
    ``layers`` must cover all coordinates: others stand still. A layer with r = 0 divides 0 by 0, as printed; one with
    y_l = 0 stands still, also as printed: all of a model that starts at 0, such as logistic regression here.
    ``frozen``, ``record`` as in fed-ams, for ||y_l|| / ||r_l|| / (sqrt(V) + eps): without decay these tell the step.
    Steps do not shrink with the gradient: at a constant rate it seldom rests, and mostly goes round a cycle.
    """
    layers = [slice(None)] if layers is None else layers
    return _ams(ops, optimizer, _Steps(gamma, steps, eta, decay, frozen, record, layers))


_IDLE = ["beta2", "eps", "record"]  # when the preconditioners are given

register(
    "fed-ams", "LAMB section 5 (its baseline); Chen et al. 2020", sends="model", check="realised",
    excludes={"frozen": _IDLE},
)(
    with_optimizer(
        _fed_ams,
        _Moments,
        """Fed-AMS, local AMSGrad: clients share the root, which the server moves once a round.

    y = x, m kept by the client, v = V;  m = beta1 m + (1 - beta1) g;  v = beta2 v + (1 - beta2) g^2
    y = y - gamma m / (sqrt(V) + eps);  x+ = x - eta mean(x - y);  V+ = max(V, mean(v)), 0 at first""",
    )
)  # fmt: skip

register(
    "fed-lamb", "LAMB Algorithm 1", sends="model", check="stepwise",
    excludes={"frozen": [*_IDLE, "decay", "layers"]},
)(
    with_optimizer(
        _fed_lamb,
        _Moments,
        """Fed-LAMB: Fed-AMS with each layer's step as long as gamma times the layer itself (phi is the identity).

    r = m / (sqrt(V) + eps) + decay y;  y_l = y_l - gamma ||y_l|| r_l / ||r_l|| for each layer l; else as fed-ams""",
    )
)  # fmt: skip
