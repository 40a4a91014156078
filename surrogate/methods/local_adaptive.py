"""Optimizers with moments on the clients (LA section 3, LADA Algorithm 2, DA (21)), and LA's corrections."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import cast

from surrogate._types import Factors, Rates, Scalar, Steps, Vector
from surrogate.kit.errors import problem
from surrogate.methods.corrections import Correction, Tally
from surrogate.methods.local import Direction, walk
from surrogate.methods.method import Client, Message, State
from surrogate.methods.optimizers import OPTIMIZERS, Choice, Optimizer
from surrogate.methods.optimizers import optimizer as chosen
from surrogate.methods.registry import Parts, register, with_optimizer
from surrogate.methods.server import server as serving
from surrogate.methods.settings import Frozen, moves, per_client, positive, rates
from surrogate.numbers import Kind

__all__ = ["adaptive_clients", "frozen_scales", "without_scale"]

DIVIDES = "it divides by N_i, which is 0 then: pass a small rate"
_SHARED = "client."  # prefix of what a synchronised client optimizer keeps in the server's state


@dataclass(frozen=True)
class _Trace:
    """What a client carries from local step to local step."""

    moments: State
    tally: Tally | None
    realised: tuple[Vector, ...] = ()


def without_scale(optimizer: Optimizer) -> Optimizer:
    """The optimizer's momentum alone."""
    return replace(optimizer, second=None, second_mass=None, peak=False)


def frozen_scales(frozen: Frozen, i: int, steps: int, x: Vector) -> Sequence[Vector]:
    """Client i's preconditioners at x, one a local step: (K, d) for all clients, or one such array a client."""
    common = getattr(frozen, "ndim", 3) == 2
    scales = cast("Sequence[Vector]", frozen if common else per_client(frozen, i, "frozen"))
    if len(scales) != steps:
        raise problem(
            "frozen",
            f"{len(scales)} preconditioners for client {i}",
            f"one a local step, {steps} in all",
            "a recording of another K",
            "give an array (K, d), or one array (K_i, d) a client",
        )
    widths = {shape[-1] for scale in scales if (shape := getattr(scale, "shape", ()))} - {1, x.shape[-1]}
    if widths:
        raise problem(
            "frozen",
            f"preconditioners of {min(widths)} entries for client {i}",
            f"{x.shape[-1]}, one a parameter",
            "a recording of another problem",
            "give an array (K, d), or one array (K_i, d) a client, with d the number of parameters",
        )
    return scales


def adaptive_clients(
    ops: Kind,
    optimizer: Optimizer,
    gamma: Rates,
    steps: Steps,
    eta: Scalar,
    *,
    on_server: Optimizer,
    states: str = "restart",
    correction: str = "none",
    as_printed: bool = False,
    inner_rates: Factors = None,
    frozen: Frozen | None = None,
    record: bool = False,
) -> Parts:
    """Clients that move by P_k m_k; see `_local` for the listing and the options."""
    fix = Correction(correction)
    if fix.counts and states != "restart":
        raise problem(
            "correction",
            f"{correction!r} with states {states!r}",
            'states "restart"',
            "N_i counts this round's gradients, and states carried over hold older ones",
            "restart the states, or leave the correction out",
        )
    if fix.counts and not as_printed:
        positive(gamma, "a corrected method", DIVIDES)
        moves(inner_rates, "a corrected method", DIVIDES)
    moving = optimizer if frozen is None else without_scale(optimizer)
    start, update = serving(on_server, eta, ops, "delta")

    def begin(x: Vector) -> State:
        return start(x) | (_prefixed(moving.start(x)) if states == "sync" else {})

    def local(shared: State, own: State, client: Client, i: int) -> tuple[Message, State]:
        x, along = shared["x"], rates(gamma, steps, inner_rates, i)
        scales = None if frozen is None else frozen_scales(frozen, i, len(along), x)

        def step(k: int, y: Vector, g: Vector, trace: _Trace) -> tuple[Direction, _Trace]:
            P, m, moments = moving.step(trace.moments, g, ops)
            P = P if scales is None else scales[k]
            tally = trace.tally and trace.tally.add(moving, along[k], P, as_printed, ops)
            return (P, m), _Trace(moments, tally, (*trace.realised, 0 * x + P) if record else ())

        first = {"restart": moving.start(x), "keep": own, "sync": _unprefixed(shared)}[states]
        y, trace = walk(client, x, along, step, _Trace(first, fix.start(x)), ops)
        message = fix.message(x - y, trace.tally) | (_prefixed(trace.moments) if states == "sync" else {})
        kept = trace.moments if states == "keep" else {}
        return message, {**kept, "realised": trace.realised} if record else kept

    def serve(state: State, message: Message, drawn: int, clients: int) -> State:
        carried = {key: value for key, value in message.items() if key.startswith(_SHARED)}
        return update(state, {"delta": fix.aggregate(message)}, drawn, clients) | carried

    def enrol(x: Vector) -> State:
        return moving.start(x) if states == "keep" else {}

    linear = optimizer.second is None or frozen is not None
    return Parts(begin, local, serve, enrol=enrol, check="linear" if linear else None)


def _prefixed(moments: State) -> State:
    return {_SHARED + key: value for key, value in moments.items()}


def _unprefixed(shared: State) -> State:
    return {key.removeprefix(_SHARED): value for key, value in shared.items() if key.startswith(_SHARED)}


def _local(
    ops: Kind,
    *,
    gamma: Rates,
    steps: Steps,
    optimizer: Optimizer,
    eta: Scalar = 1,
    states: str = "restart",
    correction: str = "none",
    as_printed: bool = False,
    server: Choice = "sgd",
    inner_rates: Factors = None,
    frozen: Frozen | None = None,
    record: bool = False,
) -> Parts:
    """Clients run the optimizer, the server takes the mean of their updates for a gradient.

        y_0 = x;  (P_k, m_k) = the moments after g_k(y_k);  y_{k+1} = y_k - gamma_i P_k m_k, k < steps_i
        x+ = x - eta mean(x - y)                             (``server``: an optimizer's step on that mean)

    ``states``: restart at 0 each round (LA section 3), keep (each client its own) or sync (the mean of all, DA (20)).
    ``correction``: see `corrections`; ``as_printed`` takes N_i of the printed Algorithm 1, which leaves out the rate.
    ``frozen`` replaces P_k by given preconditioners, which makes the method linear; ``record`` keeps those
    that the run realised, in the client's state under "realised" (neither for local-sgdm, where P_k = 1).
    """
    return adaptive_clients(
        ops,
        optimizer,
        gamma,
        steps,
        eta,
        on_server=chosen(server, ops),
        states=states,
        correction=correction,
        as_printed=as_printed,
        inner_rates=inner_rates,
        frozen=frozen,
        record=record,
    )


@register(
    "fedlocal",
    "LA section 3, Algorithm 1",
    sends="updates",
    check="realised",
    excludes={"correction=none": ["as_printed"]},
)
def fedlocal(
    ops: Kind,
    *,
    gamma: Rates,
    steps: Steps,
    optimizer: Choice,
    eta: Scalar = 1,
    correction: str = "none",
    as_printed: bool = False,
    server: Choice = "sgd",
    inner_rates: Factors = None,
    record: bool = False,
) -> Parts:
    """Any client optimizer, restarted each round: local-sgdm, local-adam, ... with states="restart" (LA Algorithm 1).

    DA's baseline of that name. ``optimizer``: "adam", {"name": "adam", "beta1": 0.9}, or an Optimizer.
    """
    return adaptive_clients(
        ops,
        chosen(optimizer, ops),
        gamma,
        steps,
        eta,
        on_server=chosen(server, ops),
        correction=correction,
        as_printed=as_printed,
        inner_rates=inner_rates,
        record=record,
    )


_ABOUT = {
    "sgdm": "Momentum on the clients: m = beta m + (1 - beta) g, or a heavy ball (DA (21); LA, SGD with momentum).",
    "adagrad": "AdaGrad on the clients, v = v + g^2 (LA (3)).",
    "adam": "Adam on the clients (LADA Algorithm 2, where eps = 0, initial > 0 and the printed beta is our 1 - beta).",
    "amsgrad": "AMSGrad on the clients (LADA Algorithm 2 with h_t = max).",
    "yogi": "Yogi on the clients (LA table 3).",
}

for _name, _about in _ABOUT.items():
    _idle = {"adagrad": ["eps", "inside", "initial", "record"]}.get(
        _name, ["beta2", "eps", "inside", "initial", "record"]
    )
    _enter = register(
        f"local-{_name}",
        "LA section 3, Algorithm 1; LADA Algorithm 2; DA (21)",
        sends="updates",
        check="linear" if _name == "sgdm" else "realised",
        aliases={f"fedlocal-{_name}": {"states": "restart"}} | ({"localadam": {}} if _name == "adam" else {}),
        excludes={"correction=none": ["as_printed"]} | ({} if _name == "sgdm" else {"frozen": _idle}),
    )
    _enter(with_optimizer(_local, OPTIMIZERS[_name], _about, hide=["frozen", "record"] if _name == "sgdm" else []))
