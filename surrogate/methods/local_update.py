"""LocalUpdate (OLR Algorithms 1 and 2) and the methods that are settings of it."""

from __future__ import annotations

from collections.abc import Callable

from surrogate._types import Factors, Rates, Scalar, Steps
from surrogate.kit.errors import problem
from surrogate.methods.local import descend, weighted_gradients
from surrogate.methods.method import Client, Message, State
from surrogate.methods.optimizers import Choice, Optimizer, optimizer, sgd
from surrogate.methods.registry import Parts, register
from surrogate.methods.server import server
from surrogate.methods.settings import Thetas, listed, per_client, rates
from surrogate.numbers import Kind
from surrogate.theta import Theta

__all__ = ["gradient_sum", "model_delta", "thetas"]

# The likely cause of an error, and what to do about it
_TIED = ("sends='gradients' with one gamma a client", "pass eta, or send updates")


def gradient_sum(
    ops: Kind, gamma: Rates, theta: Thetas, eta: Scalar, on_server: Optimizer, inner_rates: Factors = None
) -> Parts:
    """Clients send q_i = sum_k theta_k g_k."""
    start, update = server(on_server, eta, ops, "q")

    def local(shared: State, own: State, client: Client, i: int) -> tuple[Message, State]:
        weights = per_client(theta, i, "theta").weights
        along = rates(gamma, len(weights), inner_rates, i)
        return {"q": weighted_gradients(client, shared["x"], along, weights)[1]}, own

    return Parts(start, local, update, sends="gradients")


def model_delta(
    ops: Kind, gamma: Rates, steps: Steps, eta: Scalar, on_server: Optimizer, inner_rates: Factors = None
) -> Parts:
    """Clients send x - y_K after K gradient steps."""
    start, update = server(on_server, eta, ops, "delta")

    def local(shared: State, own: State, client: Client, i: int) -> tuple[Message, State]:
        x = shared["x"]
        return {"delta": x - descend(client, x, rates(gamma, steps, inner_rates, i))}, own

    return Parts(start, local, update, sends="updates")


def thetas(kind: Callable[[int], Theta], steps: Steps) -> Thetas:
    """Theta of each client (or of all) for its number of steps."""
    return [kind(int(K)) for K in steps] if listed(steps) else kind(int(per_client(steps, 0)))


@register("local-update", "OLR Algorithms 1 and 2", sends="gradients", check="linear")
def local_update(
    ops: Kind, *, gamma: Rates, theta: Thetas, eta: Scalar, inner_rates: Factors = None, server: Choice = "sgd"
) -> Parts:
    """LocalUpdate: the client's weighted local gradients are the server's gradient.

        y_1 = x;  y_{k+1} = y_k - gamma g_k(y_k), k = 1, ..., K(theta);  q_i = sum_k theta_k g_k
        x+ = x - eta mean(q_i)

    ``server`` puts an optimizer's step on mean(q_i) in the last line (OLR 8.4).
    ``inner_rates[k]`` multiplies gamma.
    """
    return gradient_sum(ops, gamma, theta, eta, optimizer(server, ops), inner_rates)


@register("minibatch-sgd", "OLR 2.1: Theta_1", sends="gradients", check="linear")
def minibatch_sgd(ops: Kind, *, eta: Scalar) -> Parts:
    """One gradient a client and round, x+ = x - eta mean(g_i(x)): LocalUpdate with Theta_1, where gamma is idle."""
    return gradient_sum(ops, 0, Theta.last(1), eta, sgd())


@register(
    "fedavg",
    "OLR 2.1 and Appendix A; McMahan et al. 2017",
    sends="updates",
    check="linear",
    aliases={"fed-sgd": {}, "local-sgd": {}},
)
def fedavg(
    ops: Kind,
    *,
    gamma: Rates,
    steps: Steps,
    eta: Scalar | None = None,
    sends: str = "updates",
    inner_rates: Factors = None,
) -> Parts:
    """FedAvg: K gradient steps, then the mean of the models.

        y_0 = x;  y_{k+1} = y_k - gamma g_k(y_k);  x+ = x - eta mean(x - y_K)              sends="updates"
                                                   x+ = x - eta mean(sum_k g_k)            sends="gradients"

    ``eta=None``: the mean of the models itself: eta = 1 for updates, eta = gamma (tied, OLR 2.1) for gradients.
    With one gamma a client the two forms differ: updates weigh client i by gamma_i, gradients do not.
    """
    if sends == "updates":
        return model_delta(ops, gamma, steps, 1 if eta is None else eta, sgd(), inner_rates)
    if eta is None and listed(gamma):
        raise problem(
            "eta of fedavg", "left out, so tied to gamma, which differs from client to client", "a server rate", *_TIED
        )
    common = per_client(gamma, 0) if eta is None else eta
    return gradient_sum(ops, gamma, thetas(Theta.sum, steps), common, sgd(), inner_rates)


@register("reptile", "OLR 2.1: Theta_{1:K}; Nichol et al. 2018", sends="gradients", check="linear")
def reptile(ops: Kind, *, gamma: Rates, steps: Steps, eta: Scalar, inner_rates: Factors = None) -> Parts:
    """Reptile (and FedAvg with free rates): LocalUpdate with Theta_{1:K}, x+ = x - eta mean(g_1 + ... + g_K)."""
    return gradient_sum(ops, gamma, thetas(Theta.sum, steps), eta, sgd(), inner_rates)


@register("fomaml", "OLR 2.1: Theta_K; Finn et al. 2017", sends="gradients", check="linear")
def fomaml(ops: Kind, *, gamma: Rates, steps: Steps, eta: Scalar, inner_rates: Factors = None) -> Parts:
    """First-order MAML: LocalUpdate with Theta_K, x+ = x - eta mean(g_K), the last gradient alone."""
    return gradient_sum(ops, gamma, thetas(Theta.last, steps), eta, sgd(), inner_rates)


@register("lookahead", "OLR 2.1; Zhang et al. 2019", sends="updates", check="linear")
def lookahead(ops: Kind, *, gamma: Rates, steps: Steps, eta: Scalar, inner_rates: Factors = None) -> Parts:
    """Lookahead: K fast steps, then the slow weights go a fraction eta of the way, x+ = x + eta mean(y_K - x)."""
    return model_delta(ops, gamma, steps, eta, sgd(), inner_rates)
