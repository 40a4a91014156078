"""FedDA: the global momentum is built up along plain local steps (DA sections 4 and A.2)."""

from __future__ import annotations

from surrogate._types import Factors, Rates, Scalar, Steps, Vector
from surrogate.methods import optimizers
from surrogate.methods.local import walk
from surrogate.methods.method import Client, Message, State
from surrogate.methods.registry import Parts, register
from surrogate.methods.settings import rates
from surrogate.numbers import Kind

__all__: list[str] = []


def _decoupled(
    client: Client, x: Vector, m: Vector, along: list[Scalar], beta: Scalar, mu: Scalar, ops: Kind
) -> Message:
    """Gradient steps from x; beside them m = beta m + (1 - beta) g and P, the sum of these m, which no step follows."""

    def step(k: int, y: Vector, g: Vector, carry: tuple[Vector, Vector]) -> tuple[Vector, tuple[Vector, Vector]]:
        m, P = carry
        g = g if mu == 0 else ops.moved(g, -mu, 1, y - x)  # in large models these passes take as long as the gradient
        m = ops.mixed(beta, m, g)
        return g, (m, P + m)

    _, (m, P) = walk(client, x, along, step, (m, 0 * x), ops)
    return {"P": P, "m": m}


@register("fedda-sgdm", "DA (28), (29), Algorithm 1", sends="model", check="linear")
def fedda_sgdm(
    ops: Kind,
    *,
    gamma: Rates,
    steps: Steps,
    eta: Scalar,
    beta: Scalar = 0.9,
    momentum: str = "carried",
    mu: Scalar = 0,
    inner_rates: Factors = None,
) -> Parts:
    """FedDA + SGDM: clients step along their gradients, the server along the sum of the momenta of these.

        y_0 = x, m_0 = m, P = 0;  y_{t+1} = y_t - gamma g_t;  m_{t+1} = beta m_t + (1 - beta) g_t;  P = P + m_{t+1}
        x+ = x - eta mean(P);  m+ = mean(m_T)

    Readings: our eta is the paper's eta * alpha (its eta is our gamma). (25) prints a factor eta on g in the momentum,
    (28) and Algorithm 1 do not: they are followed. ``mu``: DA's FedDA + FedProx, g_t + mu (y_t - x) in both lines (the
    printed parenthesis closes late). ``momentum="restarted"``: m_0 = 0 each round, and the server keeps no m.
    """
    carried = momentum == "carried"

    def start(x: Vector) -> State:
        return {"x": x, "m": 0 * x} if carried else {"x": x}

    def local(shared: State, own: State, client: Client, i: int) -> tuple[Message, State]:
        x = shared["x"]
        m = shared["m"] if carried else 0 * x
        return _decoupled(client, x, m, rates(gamma, steps, inner_rates, i), beta, mu, ops), own

    def update(state: State, message: Message, drawn: int, clients: int) -> State:
        x = state["x"] - eta * message["P"]
        return {"x": x, "m": message["m"]} if carried else {"x": x}

    return Parts(start, local, update)


@register("fedda-adam", "DA (34), (35), Algorithm 2", sends="model", check="linear")
def fedda_adam(
    ops: Kind,
    *,
    gamma: Rates,
    steps: Steps,
    eta: Scalar,
    beta1: Scalar = 0.9,
    beta2: Scalar = 0.99,
    eps: Scalar = 1e-3,
    initial: Scalar = 0,
    bias_correction: bool = True,
    mu: Scalar = 0,
    inner_rates: Factors = None,
) -> Parts:
    """FedDA + Adam: P and m as in fedda-sgdm; the gradient that Adam would have needed to reach P feeds v.

        G = (P - beta1 m) / (1 - beta1);  m^ = (beta1 m + (1 - beta1) G) / (1 - beta1^r), which is P / (1 - beta1^r)
        v+ = beta2 v + (1 - beta2) G^2;  v^ = v+ / (1 - beta2^r);  x+ = x - eta m^ / (sqrt(v^) + eps);  m+ = mean(m_T)

    Readings: rounds r count from 0 in the listing, where r = 0 divides by 0: we count the round that ends, r + 1. (35)
    prints v^ of V(E), Algorithm 2 and (30) of V(E+1): the latter. Our eta is the paper's eta * alpha.
    """
    server = optimizers.adam(beta1=beta1, beta2=beta2, eps=eps, initial=initial, bias_correction=bias_correction)

    def local(shared: State, own: State, client: Client, i: int) -> tuple[Message, State]:
        return _decoupled(client, shared["x"], shared["m"], rates(gamma, steps, inner_rates, i), beta1, mu, ops), own

    def update(state: State, message: Message, drawn: int, clients: int) -> State:
        P, m = message["P"], state["m"]
        kept = server.accumulate(state, (P - beta1 * m) / (1 - beta1), ops)
        if bias_correction:
            kept["m_mass"] = server.mix(state["m_mass"], 1)
            P = P / kept["m_mass"]
        return {"x": ops.moved(state["x"], eta, server.scale(kept, ops), P), "m": message["m"], **kept}

    return Parts(lambda x: {"x": x, **server.start(x)}, local, update)


@register("fedda-adagrad", "DA (38), (39), Algorithm 2", sends="model", check="linear")
def fedda_adagrad(
    ops: Kind,
    *,
    gamma: Rates,
    steps: Steps,
    eta: Scalar,
    beta1: Scalar = 0.9,
    eps: Scalar = 1e-3,
    initial: Scalar = 0,
    mu: Scalar = 0,
    inner_rates: Factors = None,
) -> Parts:
    """FedDA + AdaGrad: P and m as in fedda-sgdm; the server moves along G, not along P.

        G = (P - beta1 m) / (1 - beta1);  v+ = v + G^2;  x+ = x - eta G / (sqrt(v+) + eps);  m+ = mean(m_T)

    It rests where G = 0, so P = beta1 m, which is not where FedAvg rests. Readings: (39) prints a hat on V that it does
    not define (Algorithm 2 has none); our eta is Algorithm 2's eta * alpha ((39) has no alpha).
    """
    server = optimizers.adagrad(eps=eps, initial=initial)

    def local(shared: State, own: State, client: Client, i: int) -> tuple[Message, State]:
        return _decoupled(client, shared["x"], shared["m"], rates(gamma, steps, inner_rates, i), beta1, mu, ops), own

    def update(state: State, message: Message, drawn: int, clients: int) -> State:
        G = (message["P"] - beta1 * state["m"]) / (1 - beta1)
        kept = server.accumulate(state, G, ops)
        return {"x": ops.moved(state["x"], eta, server.scale(kept, ops), G), "m": message["m"], **kept}

    return Parts(lambda x: {"x": x, "m": 0 * x, **server.start(x)}, local, update)
