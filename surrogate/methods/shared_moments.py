"""MFL and MimeLite: clients step with moments that belong to all of them."""

from __future__ import annotations

from dataclasses import replace

from surrogate._types import Rates, Scalar, Steps, Vector
from surrogate.kit.errors import problem
from surrogate.methods import optimizers
from surrogate.methods.local import Direction, walk
from surrogate.methods.local_adaptive import adaptive_clients
from surrogate.methods.method import Client, Message, State, full_gradient
from surrogate.methods.optimizers import Choice
from surrogate.methods.optimizers import optimizer as chosen
from surrogate.methods.registry import Parts, register
from surrogate.methods.settings import rates
from surrogate.numbers import Kind

__all__: list[str] = []


@register(
    "mfl",
    "DA section 5 (its baseline); Liu et al. 2020",
    sends="model",
    check="linear",
    aliases={f"mfl-{name}": {"optimizer": name} for name in ("adam", "adagrad", "sgdm")},
    excludes={"optimizer": ["beta"]},
)
def mfl(
    ops: Kind, *, gamma: Rates, steps: Steps, eta: Scalar = 1, beta: Scalar = 0.9, optimizer: Choice | None = None
) -> Parts:
    """Momentum federated learning: heavy balls on the clients; models and momenta are averaged every round.

        y_0 = x, m_0 = m;  m_{k+1} = beta m_k + g_k(y_k);  y_{k+1} = y_k - gamma m_{k+1}
        x+ = x - eta mean(x - y_K);  m+ = mean(m_K)                        (Liu et al.: eta = 1)

    ``optimizer``: another client optimizer (adam, adagrad, ...), all of whose states are averaged.
    """
    made = optimizers.sgdm(beta=beta, dampened=False) if optimizer is None else chosen(optimizer, ops)
    parts = adaptive_clients(ops, made, gamma, steps, eta, on_server=optimizers.sgd(), states="sync")
    return replace(parts, check=None if made.second is None else "stepwise")


@register(
    "mimelite",
    "DA section 5 (its baseline); Karimireddy et al. 2021, Algorithm 1 (MimeLite)",
    sends="model",
    check="linear",
    aliases={f"mimelite-{name}": {"optimizer": name} for name in ("adam", "adagrad", "sgdm")},
    excludes={"optimizer": ["beta"]},
)
def mimelite(
    ops: Kind, *, gamma: Rates, steps: Steps, eta: Scalar = 1, beta: Scalar = 0.9, optimizer: Choice | None = None
) -> Parts:
    """MimeLite: local steps with the server's moments, held fixed; these follow the full gradients at x.

        g = mean(grad f_i(x));  y_0 = x;  y_{k+1} = y_k - gamma P (beta m + (1 - beta) g_k(y_k))
        x+ = x - eta mean(x - y_K);  (m, v)+ = the optimizer's moments after g;  P = 1 / (sqrt(v) + eps), 1 for sgdm

    ``optimizer``: adam, adagrad, ... instead of sgdm with ``beta``. Moments are 0 at first, so that the first
    round of an adaptive one divides by eps (or by what ``initial`` gives).
    """
    made = optimizers.sgdm(beta=beta) if optimizer is None else chosen(optimizer, ops)
    if made.bias_correction:
        raise problem(
            "bias_correction of mimelite's optimizer",
            True,
            "False",
            "clients step before the first moments exist, so there is nothing to correct by",
            "leave it out; use initial for the second moment at the start",
        )

    def survey(state: State, client: Client, i: int) -> Message:
        return {"full": full_gradient(client, state["x"])}

    def local(shared: State, own: State, client: Client, i: int) -> tuple[Message, State]:
        x, P = shared["x"], made.scale(shared, ops)

        def step(k: int, y: Vector, g: Vector, carry: None) -> tuple[Direction, None]:
            return (P, made.momentum(shared, g, ops)[0]), carry

        return {"delta": x - walk(client, x, rates(gamma, steps, None, i), step, None, ops)[0]}, own

    def update(state: State, message: Message, drawn: int, clients: int) -> State:
        _, _, kept = made.step(state, state["full"], ops)
        return {"x": state["x"] - eta * message["delta"], **kept}

    parts = Parts(lambda x: {"x": x, **made.start(x)}, local, update, survey=survey)
    return parts if made.second is None else replace(parts, check="stepwise")
