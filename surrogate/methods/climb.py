"""CLIMB: clients whose loss is above the mean weigh more, by multipliers (Shen et al. 2022)."""

from __future__ import annotations

from surrogate._types import Factors, Rates, Scalar, Steps, Vector
from surrogate.methods.local import descend
from surrogate.methods.method import Client, Message, State, required
from surrogate.methods.registry import Parts, register
from surrogate.methods.settings import rates
from surrogate.numbers import Kind

__all__: list[str] = []


@register("climb", "DA section 5 (its baseline); Shen et al. 2022, Algorithm 1", sends="model", check="stepwise")
def climb(
    ops: Kind,
    *,
    gamma: Rates,
    steps: Steps,
    eta: Scalar = 1,
    dual_rate: Scalar = 0.1,
    tolerance: Scalar = 0.1,
    inner_rates: Factors = None,
) -> Parts:
    """CLIMB: min mean(f_j) subject to f_i - mean(f_j) <= tolerance for every client, by a primal and a dual step.

        f = mean(f_j(x));  y_0 = x;  y_{k+1} = y_k - gamma g_k(y_k);  q_i = (1 + l_i - l) (x - y_K)
        l_i+ = max(0, l_i + dual_rate (f_i(x) - f - tolerance))
        x+ = x - eta mean(q_i);  l+ = l + (M / n) mean(l_i+ - l_i), M of n clients drawn

    The weights 1 + l_i - l are those of the Lagrangian's gradient; l_i is kept by the client, 0 at first, and l is the
    mean of all of them. Readings: CLIMB is a meta algorithm, here over FedAvg as in its authors' program: the weight
    multiplies what the client sends, not its local rate, and the dual step takes the losses before local work (so that
    one round is one primal and one dual step). No upper bound on l_i (the program cuts it off at 5, at 100 or not).
    Where only some take part f is the mean of these, and a client's l_i waits until it is drawn again. With
    dual_rate = 0 it is FedAvg. Default rate and tolerance are ours.
    """

    def start(x: Vector) -> State:
        return {"x": x, "l": 0 * x[:1]}

    def survey(state: State, client: Client, i: int) -> Message:
        return {"f": required(client, "loss", i, "climb")(state["x"])}

    def local(shared: State, own: State, client: Client, i: int) -> tuple[Message, State]:
        x, l_i = shared["x"], own["l"]
        y = descend(client, x, rates(gamma, steps, inner_rates, i))
        gap = required(client, "loss", i, "climb")(x) - shared["f"] - tolerance
        fresh = ops.maximum(l_i + dual_rate * gap, 0 * l_i)
        return {"q": (1 + l_i - shared["l"]) * (x - y), "dl": fresh - l_i}, {"l": fresh}

    def update(state: State, message: Message, drawn: int, clients: int) -> State:
        return {"x": state["x"] - eta * message["q"], "l": state["l"] + message["dl"] * drawn / clients}

    return Parts(start, local, update, survey=survey, enrol=lambda x: {"l": 0 * x[:1]})
