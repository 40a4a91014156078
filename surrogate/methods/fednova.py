"""FedNova: updates are divided by the client's number of steps."""

from __future__ import annotations

from surrogate._types import Rates, Scalar, Steps
from surrogate.methods.local import descend
from surrogate.methods.method import Client, Message, State
from surrogate.methods.registry import Parts, register
from surrogate.methods.settings import rates
from surrogate.numbers import Kind

__all__: list[str] = []


@register("fednova", "LADA section 2 (its [20]); Wang et al. 2020", sends="updates", check="linear")
def fednova(ops: Kind, *, gamma: Rates, steps: Steps, eta: Scalar = 1) -> Parts:
    """FedNova with gradient steps as the client solver.

        y_0 = x;  y_{k+1} = y_k - gamma_i g_k(y_k), k < tau_i;  d_i = (x - y) / tau_i
        x+ = x - eta mean(tau_i) mean(d_i)

    tau_eff = mean(tau_i) over the drawn clients, the paper's choice for plain local SGD; it moves no resting point.
    """

    def local(shared: State, own: State, client: Client, i: int) -> tuple[Message, State]:
        x, along = shared["x"], rates(gamma, steps, None, i)
        delta = x - descend(client, x, along)
        tau = 0 * x[..., :1] + len(along)  # in the vector's own numbers, which exact means need
        return {"q": delta / len(along), "delta": delta, "tau": tau}, own

    def update(state: State, message: Message, drawn: int, clients: int) -> State:
        return {"x": state["x"] - eta * (message["tau"] * message["q"])}

    return Parts(lambda x: {"x": x}, local, update)
