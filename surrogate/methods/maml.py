"""K-MAML: the gradient of the loss after K local steps, with respect to where they started (OLR 3.1)."""

from __future__ import annotations

from surrogate._types import Rates, Scalar, Steps, Vector
from surrogate.methods import optimizers
from surrogate.methods.local_update import gradient_sum, thetas
from surrogate.methods.method import Client, Message, State, required
from surrogate.methods.registry import Parts, register
from surrogate.methods.server import server as serving
from surrogate.methods.settings import rates
from surrogate.numbers import Kind
from surrogate.theta import Theta

__all__: list[str] = []


@register(
    "maml",
    "OLR 3.1, (12)-(16), Theorem 4: Theta_{2K+1}; Finn et al. 2017",
    sends="gradients",
    check="linear",
    excludes={"order=gradients": ["minibatches", "report"]},
)
def maml(
    ops: Kind,
    *,
    gamma: Rates,
    steps: Steps,
    eta: Scalar,
    order: str = "hessians",
    minibatches: str = "shared",
    report: bool = False,
) -> Parts:
    """K-MAML: q_i is the gradient in x of the client's loss after K steps, by the chain rule.

        y_0 = x;  y_{k+1} = y_k - gamma g_k(y_k);  q_i = (I - gamma H_0) ... (I - gamma H_{K-1}) g_K(y_K)
        x+ = x - eta mean(q_i)

    H_k is the Hessian at y_k, by products (client.hvp). ``minibatches="shared"``: of the minibatch of step k, which
    makes q_i the very derivative of g_K's loss after these steps, but a biased estimate of that with full gradients;
    "independent": of minibatch K + 1 + k, which on quadratics is unbiased (OLR 3.1; Fallah et al.). The outer gradient
    is of minibatch K, which no step has seen. ``order="gradients"``: LocalUpdate with Theta_{2K+1}, equal on quadratics
    with full gradients, (I - gamma A)^(2K) A (x - c) (Theorem 4), and nowhere else. ``report``: clients also send their
    loss over all data at y_K, as "adapted".
    """
    if order == "gradients":
        return gradient_sum(ops, gamma, thetas(Theta.maml, steps), eta, optimizers.sgd())
    start, update = serving(optimizers.sgd(), eta, ops, "q")

    def local(shared: State, own: State, client: Client, i: int) -> tuple[Message, State]:
        product, along = required(client, "hvp", i, "maml"), rates(gamma, steps, None, i)
        K, path = len(along), [shared["x"]]
        for k, rate in enumerate(along):
            path.append(path[-1] - rate * client(path[-1], k))
        q: Vector = client(path[-1], K)
        for k in reversed(range(K)):
            q = q - along[k] * product(path[k], q, k if minibatches == "shared" else K + 1 + k)
        return {"q": q} | ({"adapted": required(client, "loss", i, "maml")(path[-1])} if report else {}), own

    return Parts(start, local, update)
