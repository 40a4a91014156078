"""SCAFFOLD: control variates on clients and server."""

from __future__ import annotations

from surrogate._types import Rates, Scalar, Steps
from surrogate.methods.local import descend, weighted_gradients
from surrogate.methods.method import Client, Message, State, full_gradient
from surrogate.methods.registry import Parts, register
from surrogate.methods.settings import rates
from surrogate.numbers import Kind

__all__: list[str] = []


@register("scaffold", "LADA (22), (26); Karimireddy et al. 2020, Algorithm 1", sends="model", check="linear")
def scaffold(ops: Kind, *, gamma: Rates, steps: Steps, eta: Scalar = 1, alpha: Scalar = 1, option: str = "II") -> Parts:
    """SCAFFOLD, with LADA's scale alpha of the correction (1: SCAFFOLD; 0: FedAvg).

        y_0 = x;  y_{k+1} = y_k - gamma (g_k(y_k) + alpha (c - c_i))
        c_i+ = g(x) (option I), or mean_k g_k (option II)
        x+ = x - eta mean(x - y_K);  c+ = c + (M / n) mean(c_i+ - c_i), M of n clients drawn

    Option II prints c_i - c + (x - y_K) / (gamma K), which is mean_k g_k when alpha = 1; for other alpha (26) speaks
    of the average local update, and we take the mean of the gradients, so that alpha = 0 is FedAvg with idle variates.
    Client variates start at 0 and are kept by client. Where only some take part and weights differ, c is not exactly
    their mean. Option I costs one more gradient, over all the client's data.
    """

    def local(shared: State, own: State, client: Client, i: int) -> tuple[Message, State]:
        x, c_i, along = shared["x"], own["c"], rates(gamma, steps, None, i)
        push = alpha * (shared["c"] - c_i)
        if option == "I":
            y, fresh = descend(client, x, along, push), full_gradient(client, x)
        else:
            y, total = weighted_gradients(client, x, along, [1] * len(along), push)
            fresh = total / len(along) - push
        return {"delta": x - y, "dc": fresh - c_i}, {"c": fresh}

    def update(state: State, message: Message, drawn: int, clients: int) -> State:
        return {"x": state["x"] - eta * message["delta"], "c": state["c"] + message["dc"] * drawn / clients}

    return Parts(lambda x: {"x": x, "c": 0 * x}, local, update, enrol=lambda x: {"c": 0 * x})
