"""FedLin: local gradients corrected by the global one at the round's start."""

from __future__ import annotations

from surrogate._types import Factors, Rates, Scalar, Steps
from surrogate.methods import optimizers
from surrogate.methods.local import descend
from surrogate.methods.method import Client, Message, State, full_gradient
from surrogate.methods.registry import Parts, register
from surrogate.methods.server import server as serving
from surrogate.methods.settings import rates
from surrogate.numbers import Kind

__all__: list[str] = []


@register("fedlin", "DA section 5 (its baseline); Mitra et al. 2021", sends="updates", check="linear")
def fedlin(ops: Kind, *, gamma: Rates, steps: Steps, eta: Scalar = 1, inner_rates: Factors = None) -> Parts:
    """FedLin: a survey of the full gradient first, then local steps that correct for the client's own.

        g = mean(grad f_i(x));  y_0 = x;  y_{k+1} = y_k - gamma_i (g_k(y_k) - grad f_i(x) + g)
        x+ = x - eta mean(x - y)

    gamma and steps may differ from client to client (Mitra et al. take gamma_i = rate / steps_i). No compression.
    """
    start, update = serving(optimizers.sgd(), eta, ops, "delta")

    def survey(state: State, client: Client, i: int) -> Message:
        return {"full": full_gradient(client, state["x"])}

    def local(shared: State, own: State, client: Client, i: int) -> tuple[Message, State]:
        x = shared["x"]
        correction = shared["full"] - full_gradient(client, x)
        return {"delta": x - descend(client, x, rates(gamma, steps, inner_rates, i), correction)}, own

    return Parts(start, local, update, survey=survey)
