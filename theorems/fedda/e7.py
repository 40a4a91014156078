"""DA (7): along the gradient flow the loss falls at the rate of the squared gradient."""

from theorems.fedda.common import vanishes
from theorems.vocabulary import *


def decode(cursor: Cursor, n: int, d: int) -> Instance:
    p = clients(cursor, n, d, weighted=True)
    return Instance(p=p, x=np.stack([1 - 3 * u for u in cursor.many(d)], -1))


def compare(s: Instance) -> list[Comparison]:
    r"""the loss falls at the rate |grad L|^2

    \tfrac{d}{d\tau}\mathcal L(W)=-|\nabla\mathcal L(W)|^2

    d/dtau L = sum_i p_i <grad L^i, W'>, client by client, with W' = - grad L.
    """
    gradients = (s.p.A @ (s.x[..., None, :] - s.p.c)[..., None])[..., 0]
    total = s.p.mean(gradients)
    falls = s.p.mean((gradients * -total[..., None, :]).sum(axis=-1))
    return [that("rate", falls) == -(total * total).sum(axis=-1), that("falls", falls) <= falls * 0]


def prove() -> None:
    """sympy identity with an opaque loss, for any differentiable loss, d <= 3: The chain rule: W' = - grad L makes the
    derivative of L(W) a sum of - (dL/dW_k)^2 over coordinates.
    """
    tau = sympy.Symbol("tau")
    for d in (1, 2, 3):
        W = [sympy.Function(f"W{k}")(tau) for k in range(d)]
        z = sympy.symbols(f"z:{d}")
        loss = sympy.Function("L")(*z)
        at = dict(zip(z, W, strict=True))
        slopes = [loss.diff(v).subs(at) for v in z]
        flow = sum(loss.subs(at).diff(tau).coeff(w.diff(tau)) * -s for w, s in zip(W, slopes, strict=True))
        vanishes((flow + sum(s * s for s in slopes)).doit(), f"d = {d}")


STATEMENT = Statement(
    kind="identity",
    location="(7), section 3",
    says="Along W' = - grad L the loss falls: dL/dtau = - |grad L|^2.",
    reading="The '<= 0' printed at the end of (5), where it compares a vector with 0, belongs to (7).",
    note="'Until it reaches local minimum' asks for more than (7): a flow may rest at a saddle or escape to infinity.",
    domain=Domain(decode, grid(n=(1, 2, 3), d=(1, 2)), "quadratic clients, any W"),
    printed=claim_of(compare, prove=prove),
)
