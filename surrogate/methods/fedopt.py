"""FedOpt: gradient steps on clients, an adaptive optimizer on the server (Reddi et al.; LADA Algorithm 1, OLR 8.4)."""

from __future__ import annotations

from surrogate._types import Factors, Rates, Scalar, Steps
from surrogate.methods.local_update import gradient_sum, model_delta, thetas
from surrogate.methods.optimizers import OPTIMIZERS, Optimizer
from surrogate.methods.registry import Parts, register, with_optimizer
from surrogate.numbers import Kind
from surrogate.theta import Theta

__all__: list[str] = []

_ABOUT = {
    "sgd": "Server gradient descent: FedAvg with free rates.",
    "sgdm": "Server momentum (FedAvgM): m = beta m + (1 - beta) d; a heavy ball when not dampened.",
    "adagrad": "Server AdaGrad: v = v + d^2.",
    "adam": "Server Adam. LADA Algorithm 1 has no eps (eps=0, initial > 0) and prints our 1 - beta as beta.",
    "amsgrad": "Server AMSGrad: Adam with the largest v so far (LADA Algorithm 1 with h_t = max).",
    "yogi": "Server Yogi (OLR 8.4: sends='gradients', beta1 0.9, beta2 0.99, eps 1e-5, initial 0).",
}


def _fedopt(
    ops: Kind,
    *,
    gamma: Rates,
    steps: Steps,
    eta: Scalar,
    optimizer: Optimizer,
    sends: str = "updates",
    inner_rates: Factors = None,
) -> Parts:
    """FedOpt: the server's optimizer takes the clients' mean for a gradient.

        y_0 = x;  y_{k+1} = y_k - gamma g_k(y_k);  d = mean(x - y_K)       (sends="gradients": d = mean(sum_k g_k))
        (P, m) = the optimizer's moments after d;  x+ = x - eta P m

    Whatever the optimizer, it rests where d = 0, which is where FedAvg with these clients rests.
    """
    if sends == "updates":
        return model_delta(ops, gamma, steps, eta, optimizer, inner_rates)
    return gradient_sum(ops, gamma, thetas(Theta.sum, steps), eta, optimizer, inner_rates)


for _name, _made in OPTIMIZERS.items():
    _enter = register(
        f"fedopt-{_name}",
        "LADA Algorithm 1; LA section 2; OLR 8.4" + ("; LAMB Algorithm 2" if _name == "adam" else ""),
        sends="updates",
        check="linear",
        aliases={"adp-fed": {"sends": "updates"}} if _name == "adam" else {},
    )
    _enter(with_optimizer(_fedopt, _made, _ABOUT[_name]))
