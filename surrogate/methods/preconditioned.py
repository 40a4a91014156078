"""Clients with a fixed preconditioner each (LA equation 2, Theorem 2)."""

from __future__ import annotations

from typing import cast

import numpy as np
from numpy.typing import ArrayLike

from surrogate._types import Factors, Numbers, Rates, Scalar, Steps, Vector
from surrogate.kit.errors import problem
from surrogate.methods.local import walk
from surrogate.methods.method import Client, Message, State
from surrogate.methods.optimizers import Choice, optimizer
from surrogate.methods.registry import Parts, register
from surrogate.methods.server import server as serving
from surrogate.methods.settings import per_client, rates
from surrogate.numbers import Kind

__all__: list[str] = []

# The likely cause of an error, and what to do about it
_DIAGONAL = ("a diagonal given as a vector", "pass matrices, for instance numpy.diag(vector)")
_OTHER_PROBLEM = ("matrices for another problem", "give P the problem's dimension")


@register("preconditioned", "LA (2), Theorem 2", sends="updates", check="linear")
def preconditioned(
    ops: Kind,
    *,
    gamma: Rates,
    steps: Steps,
    P: ArrayLike,
    eta: Scalar = 1,
    inner_rates: Factors = None,
    server: Choice = "sgd",
) -> Parts:
    """Preconditioned gradient descent on clients; gamma, steps and P may differ from client to client.

        y_0 = x;  y_{k+1} = y_k - gamma_i P_i g_i(y_k), k < steps_i;  x+ = x - eta mean(x - y)

    ``server`` puts an optimizer's step on mean(x - y) in the last line.
    """
    start, update = serving(optimizer(server, ops), eta, ops, "delta")
    matrices: Numbers = cast("Numbers", P) if hasattr(P, "ndim") else np.array(P)
    if matrices.ndim not in (2, 3) or matrices.shape[-1] != matrices.shape[-2]:
        raise problem(
            "P of preconditioned",
            f"of shape {tuple(matrices.shape)}",
            "(d, d) for all clients, or (n, d, d)",
            *_DIAGONAL,
        )

    def local(shared: State, own: State, client: Client, i: int) -> tuple[Message, State]:
        x, matrix = shared["x"], matrices if matrices.ndim == 2 else per_client(matrices, i, "P")
        if matrix.shape[-1] != x.shape[-1]:
            raise problem(
                "P of preconditioned", f"of {matrix.shape[-1]} rows", f"{x.shape[-1]}, one a parameter", *_OTHER_PROBLEM
            )
        along = rates(gamma, steps, inner_rates, i)
        y, _ = walk(client, x, along, lambda k, y, g, carry: (_product(matrix, g), carry), None)
        return {"delta": x - y}, own

    return Parts(start, local, update)


def _product(matrix: Numbers, g: Vector) -> Vector:
    """P g, for one vector (d,) or one a row (..., d)."""
    product: Vector = (matrix @ g[..., None])[..., 0]
    return product
