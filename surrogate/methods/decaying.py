"""LocalUpdateDecay: LocalUpdate whose rates decay where the loss stands still (OLR Algorithms 3 and 4, section 9.1)."""

from __future__ import annotations

from surrogate._types import Factors, Rates, Scalar, Vector
from surrogate.methods.local import weighted_gradients
from surrogate.methods.method import Client, Message, State, required
from surrogate.methods.optimizers import Choice, optimizer
from surrogate.methods.registry import Parts, register
from surrogate.methods.settings import Thetas, per_client, rates
from surrogate.numbers import Kind

__all__: list[str] = []


@register("local-update-decay", "OLR Algorithms 3 and 4, section 9.1", sends="gradients", check="stepwise")
def local_update_decay(
    ops: Kind,
    *,
    gamma: Rates,
    theta: Thetas,
    eta: Scalar,
    inner_rates: Factors = None,
    server: Choice = "sgd",
    window: int = 100,
    patience: int = 100,
    cooldown: int = 100,
    threshold: Scalar = 1e-4,
    client_factor: Scalar = 0.1,
    server_factor: Scalar = 0.9,
) -> Parts:
    """LocalUpdateDecay: clients also send their loss at x, and both rates shrink after a plateau.

        l_t = mean(f_i(x_t)), q_t = mean(sum_k theta_k g_k);  x+ = x - eta_t q_t         (``server``: its step on q_t)
        lhat_t = (l_t + ... + l_{t-W+1}) / W;  count = count + 1 if lhat_t > min_{j<t} lhat_j - Delta, else 0
        when count reaches P:  gamma = alpha gamma, eta = beta eta, count = 0, and no decay in the next C rounds

    W, P, C, Delta, alpha, beta are ``window``, ``patience``, ``cooldown``, ``threshold``, ``client_factor``,
    ``server_factor``; defaults are those of 9.2, and Algorithm 3 as printed is W = P = 1, C = 0. Readings: the first C
    rounds are a cooldown, too (9.1 recommends it); nothing is counted during one; before W rounds are over the mean is
    over those there are; the minimum is over all earlier lhat_j, and in the first round there is none to compare with.
    f_i(x_t) is over all data of the client, before its steps (9.2). Nothing is read back from a device: the rates'
    factors are numbers (1,) in the state, multiplied by 1 or by alpha, beta.
    """
    step = optimizer(server, ops)

    def start(x: Vector) -> State:
        zero = 0 * x[:1]
        plateau: State = {"losses": 0 * x[[0] * window], "rounds": 0, "best": zero, "count": zero}
        return {"x": x, **step.start(x), **plateau, "wait": zero + cooldown, "shrunk": zero + 1, "slowed": zero + 1}

    def local(shared: State, own: State, client: Client, i: int) -> tuple[Message, State]:
        weights, x = per_client(theta, i, "theta").weights, shared["x"]
        loss = required(client, "loss", i, "local-update-decay")(x)
        along = [rate * shared["shrunk"] for rate in rates(gamma, len(weights), inner_rates, i)]
        return {"q": weighted_gradients(client, x, along, weights)[1], "loss": loss}, own

    def positive(number: Vector) -> Vector:
        """1 where the number is > 0, else 0."""
        indicator: Vector = ops.maximum(ops.sign(number), 0 * number)
        return indicator

    def plateaued(state: State, loss: Vector) -> State:
        losses, first = 0 * state["losses"], state["rounds"] == 0
        losses[:-1], losses[-1:] = state["losses"][1:], loss
        mean = losses[-min(state["rounds"] + 1, window) :].mean(0, keepdims=True)
        worse = 0 * mean if first else positive(mean - state["best"] + threshold)
        count = worse * (1 - positive(state["wait"])) * (state["count"] + 1)
        due = positive(count + (1 - patience))
        return {
            "losses": losses,
            "rounds": state["rounds"] + 1,
            "best": mean if first else -ops.maximum(-mean, -state["best"]),
            "count": count * (1 - due),
            "wait": ops.maximum(state["wait"] - 1, 0 * due) + due * cooldown,
            "shrunk": state["shrunk"] * (1 - due * (1 - client_factor)),
            "slowed": state["slowed"] * (1 - due * (1 - server_factor)),
        }

    def update(state: State, message: Message, drawn: int, clients: int) -> State:
        P, m, kept = step.step(state, message["q"], ops)
        return {"x": state["x"] - eta * state["slowed"] * (P * m), **kept, **plateaued(state, message["loss"])}

    return Parts(start, local, update)
