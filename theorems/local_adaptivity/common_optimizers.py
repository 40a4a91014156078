"""Client optimizers of LA Algorithm 1, by coordinates: SGD, momentum, AdaGrad, Adam (no bias correction)."""

from theorems.local_adaptivity.common import positive
from theorems.vocabulary import *

OPTIMIZERS = ("sgd", "adagrad", "momentum", "adam")


def optimizer_instance(cursor: Cursor, optimizer: str, tau: int, d: int = 1) -> Instance:
    """beta1 = 0 without momentum; v is AdaGrad's or Adam's accumulator, from v_0 > 0 (that is c^-2)."""
    eta, v0 = 4 * positive(cursor, 1e-2), positive(cursor, 1e-2)
    beta1, beta2 = cursor.take(), cursor.take()
    beta1 = beta1 if cursor.nb.exact else np.minimum(beta1, 0.99)
    if optimizer in ("sgd", "adagrad"):
        beta1 = beta1 * 0
    x = np.stack([positive(cursor, 1e-2), *(2 * cursor.take() - 1 for _ in range(d - 1))], -1)
    return Instance(
        nb=cursor.nb, optimizer=optimizer, tau=tau, p=clients(cursor, 1, d), eta=eta, x=x, v0=v0, beta1=beta1,
        beta2=beta2,
    )  # fmt: skip


def against_vectors(s: Instance) -> Instance:
    """Rates as (batch, 1), against vectors (batch, d)."""
    return Instance(**{**vars(s), **{name: getattr(s, name)[..., None] for name in ("eta", "v0", "beta1", "beta2")}})


def gradient(s: Instance, y: Numbers) -> Any:
    """A y."""
    return (s.p.A[:, 0] @ y[..., None])[..., 0]


def preconditioner(s: Instance) -> Any:
    """P of the gradients so far."""

    def P(seen: list[Any]) -> Any:
        if s.optimizer in ("sgd", "momentum"):
            return s.v0 * 0 + 1
        v = s.v0
        for g in seen:
            v = v + g * g if s.optimizer == "adagrad" else s.beta2 * v + (1 - s.beta2) * g * g
        return 1 / s.nb.sqrt(v)

    return P


def local_steps(s: Instance, grad: Any) -> tuple[list[Any], list[Any], Any]:
    """(gradients, preconditioners, change) of the client's loop, written out afresh; ``s`` as against vectors."""
    P, y, m = preconditioner(s), s.x, s.x * 0
    gradients: list[Any] = []
    scales: list[Any] = []
    for k in range(s.tau):
        gradients.append(grad(y, k))
        scales.append(P(gradients))
        m = s.beta1 * m + (1 - s.beta1) * gradients[-1]
        y = y - s.eta * scales[-1] * m
    return gradients, scales, s.x - y
