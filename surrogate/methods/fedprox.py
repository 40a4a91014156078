"""FedProx: clients are held near the server's model by a proximal term."""

from __future__ import annotations

from collections.abc import Callable

from surrogate._types import Factors, Rates, Scalar, Steps, Vector
from surrogate.kit.errors import problem
from surrogate.methods import optimizers
from surrogate.methods.local import walk
from surrogate.methods.method import Client, Message, State
from surrogate.methods.registry import Parts, register
from surrogate.methods.server import server as serving
from surrogate.methods.settings import rates
from surrogate.numbers import Kind

__all__: list[str] = []

# The likely cause of an error, and what to do about it
_NOT_EXACT = ("the proximal problem is solved by gradient steps unless exact", "pass gamma and steps, or exact=True")
_NO_PROX = ("no closed form of the proximal problem beyond quadratics", "leave exact out, and pass gamma and steps")


@register(
    "fedprox",
    "LADA section 4 (its [18]); DA section 4; Li et al. 2020",
    sends="updates",
    check="linear",
    excludes={"exact": ["gamma", "steps", "inner_rates"]},
)
def fedprox(
    ops: Kind,
    *,
    mu: Scalar,
    gamma: Rates | None = None,
    steps: Steps | None = None,
    eta: Scalar = 1,
    exact: bool = False,
    inner_rates: Factors = None,
) -> Parts:
    """FedProx: clients minimise f_i(y) + mu/2 ||y - x||^2, by K gradient steps or exactly.

        y_0 = x;  y_{k+1} = y_k - gamma (g_k(y_k) + mu (y_k - x))        or y = argmin (exact=True)
        x+ = x - eta mean(x - y)

    Li et al. ask for an inexact minimiser; LADA and DA take steps. On quadratics the exact one is
    (A_i + mu I)^-1 (b_i + mu x), given by the client's ``prox``.
    """
    start, update = serving(optimizers.sgd(), eta, ops, "delta")

    def minimise(shared: State, own: State, client: Client, i: int) -> tuple[Message, State]:
        x = shared["x"]
        return {"delta": x - _prox(client, i)(x, mu)}, own

    if exact:
        return Parts(start, minimise, update)
    if gamma is None or steps is None:
        raise problem("gamma, steps of fedprox", "missing", "both, or exact=True", *_NOT_EXACT)

    def descend(shared: State, own: State, client: Client, i: int) -> tuple[Message, State]:
        x = shared["x"]
        y, _ = walk(
            client, x, rates(gamma, steps, inner_rates, i), lambda k, y, g, carry: (g + mu * (y - x), carry), None
        )
        return {"delta": x - y}, own

    return Parts(start, descend, update)


def _prox(client: Client, i: int) -> Callable[[Vector, Scalar], Vector]:
    prox: Callable[[Vector, Scalar], Vector] | None = getattr(client, "prox", None)
    if prox is None:
        raise problem(f"client {i}", type(client).__name__, "a client with prox(x, mu)", *_NO_PROX)
    return prox
