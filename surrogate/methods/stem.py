"""STEM: variance-reduced momentum on clients and server (Khanduri et al. 2021)."""

from __future__ import annotations

from surrogate._types import Rates, Scalar, Steps, Vector
from surrogate.methods.method import Client, Message, State, full_gradient
from surrogate.methods.registry import Parts, register
from surrogate.methods.settings import rates
from surrogate.numbers import Kind

__all__: list[str] = []


@register("stem", "DA section 5 (its baseline); Khanduri et al. 2021, Algorithm 1", sends="model", check="linear")
def stem(ops: Kind, *, gamma: Rates, steps: Steps, a: Scalar = 0.1, first: str = "survey") -> Parts:
    """STEM: one direction d, corrected on the way by the change of the gradient, is averaged like the model.

        y_{-1} = x, d_0 = d, and K times, k = 1, ..., K:  y_{k-1} = y_{k-2} - gamma d_{k-1}
                                                          d_k = g_k(y_{k-1}) + (1 - a) (d_{k-1} - g_k(y_{k-2}))
        x+ = mean(y_{K-1}),  d+ = mean(d_K)

    Both gradients of a line are of the same minibatch. The first step of a round, along the shared d, is the paper's
    server step x - gamma d, which every client takes by itself; K is its I. DA cites the paper without a listing: this
    one is from memory of the paper, which was not at hand to be held against it. Readings: the point before that step
    is the mean x for all clients, also where the last round left a client elsewhere (those that join have no other).
    The paper lets gamma fall and has a = c gamma^2 with it: a is a constant here. ``first``: d at the start, the mean
    of full gradients at x (survey; the paper's large batch), or zero.
    """
    surveys = first == "survey"

    def start(x: Vector) -> State:
        return {"x": x, "d": 0 * x} | ({"rounds": 0} if surveys else {})

    def survey(state: State, client: Client, i: int) -> Message:
        return {"d": full_gradient(client, state["x"])} if state["rounds"] == 0 else {}

    def local(shared: State, own: State, client: Client, i: int) -> tuple[Message, State]:
        before, d = shared["x"], shared["d"]
        y = before
        for k, rate in enumerate(rates(gamma, steps, None, i)):
            before, y = y, y - rate * d
            d = client(y, k) + (1 - a) * (d - client(before, k))
        return {"delta": shared["x"] - y, "d": d}, own

    def update(state: State, message: Message, drawn: int, clients: int) -> State:
        moved = {"x": state["x"] - message["delta"], "d": message["d"]}
        return moved | ({"rounds": state["rounds"] + 1} if surveys else {})

    return Parts(start, local, update, survey=survey if surveys else None)
