"""Quadratic clients as a task like any other: the bridge between the exact core and the neural engine."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any, cast

import numpy as np
import torch
from torch import Tensor, nn

from neural.capabilities import ClosedForm
from neural.data.federated import FederatedData
from neural.tasks.task import Task, register
from surrogate import Quadratics
from surrogate.kit.errors import ProblemError, problem

__all__ = ["QuadraticModel", "QuadraticTask", "from_clients", "gradients", "losses"]


class QuadraticModel(nn.Module):
    """One point x; an example's input is its matrix A_z, and the outputs are (x, A_z x), (B, 2, d)."""

    def __init__(self, start: tuple[float, ...]) -> None:
        super().__init__()
        self.x = nn.Parameter(torch.tensor(start, dtype=torch.float64))

    def forward(self, A: Tensor) -> Tensor:
        """(B, d, d) -> (B, 2, d)."""
        product = A @ self.x
        return torch.stack([self.x.expand_as(product), product], dim=-2)


def losses(outputs: Tensor, y: Tensor) -> Tensor:
    """1/2 x^T A_z x - b_z^T x + constant_z for targets (b_z, constant_z), (B, d + 1)."""
    x, product = outputs.unbind(dim=-2)
    return (x * (product / 2 - y[..., :-1])).sum(dim=-1) + y[..., -1]


def gradients(vectors: Tensor, x: Tensor, y: Tensor, share: Tensor) -> Tensor:
    """sum_z share_z (A_z x_m - b_z), one row a model: (M, d), (M, B, d, d), (M, B, d + 1), (M, B) -> (M, d)."""
    each = (x @ vectors[:, None, :, None])[..., 0] - y[..., :-1]
    return (share[..., None] * each).sum(dim=1)


def gradient(vector: Tensor, x: Tensor, y: Tensor) -> Tensor:
    """The mean of A_z x - b_z: (d,), (B, d, d), (B, d + 1) -> (d,)."""
    mean: Tensor = ((x @ vector) - y[..., :-1]).mean(dim=0)
    return mean


def proximal(at: Tensor, mu: float, decay: float, x: Tensor, y: Tensor) -> Tensor:
    """(A + (w + mu) I)^-1 (b + mu at) for weight decay w and the means A, b of the examples, (d,)."""
    A, b = x.mean(dim=0), y.mean(dim=0)[:-1]
    ridge = torch.eye(len(A), dtype=at.dtype, device=at.device) * (decay + mu)
    solution: Tensor = torch.linalg.solve(A + ridge, b + mu * at)
    return solution


@dataclass(frozen=True, eq=False)
class QuadraticTask(Task):
    """``quadratics``: the clients. Their gradients are A_i x - b_i, or means over examples drawn with replacement."""

    quadratics: Any = None

    @property
    def weights(self) -> tuple[float, ...]:
        """Those of the clients."""
        return tuple(map(float, self.quadratics.weights))


def from_clients(clients: Quadratics, start: Any = None, batch: int = 0, name: str = "quadratic") -> QuadraticTask:
    """The task of these clients, from the point ``start`` (0 when left out), in float64.

    ``batch``: 0, the clients' gradients; else means over so many of their examples, drawn with replacement.
    """
    if batch and clients.examples is None:
        raise problem(
            "batch",
            batch,
            "0, the clients' own gradients",
            "clients without examples to draw from",
            "build them by Quadratics.from_examples or least_squares",
        )
    if batch:
        examples: Any = clients.examples
        A, c, owner = examples
        b, order = np.einsum("zij,zj->zi", A, c), np.argsort(owner, kind="stable")
        sizes = np.bincount(owner, minlength=clients.n)
        constants = np.einsum("zi,zi->z", b, c) / 2
    else:
        A, b, order, sizes = clients.A, clients.b, np.arange(clients.n), np.ones(clients.n, dtype=int)
        constants = _constants(clients)
    targets = torch.tensor(np.column_stack([b, constants]))
    matrices = torch.tensor(A)
    data = FederatedData(
        name=name,
        source="quadratics of surrogate, no data",
        x=matrices,
        y=targets,
        order=torch.tensor(order),
        offsets=torch.tensor(np.concatenate([[0], np.cumsum(sizes)])),
        test_x=matrices[:0],
        test_y=targets[:0],
    )
    point = (0.0,) * clients.d if start is None else tuple(map(float, start))
    return QuadraticTask(
        name=name,
        data=data,
        model=partial(QuadraticModel, point),
        loss=losses,
        batch=batch,
        dtype=torch.float64,
        replacement=batch > 0,
        by_hand=gradients,
        closed_form=ClosedForm(gradient, proximal),
        quadratics=clients,
    )


def _constants(clients: Quadratics) -> Any:
    """1/2 c_i^T A_i c_i, so that every client's least loss is 0; 0 where a client has no minimizer."""
    try:
        return np.einsum("ij,ij->i", clients.b, clients.c) / 2
    except ProblemError:
        return np.zeros(clients.n)


@register("quadratic")
def quadratic(
    scale: str,
    seed: int,
    *,
    problem: str | None = None,
    n: int = 10,
    d: int = 5,
    mu: float = 0.1,
    L: float = 1.0,
    sigma_A: float | None = None,
    sigma_c: float | None = None,
    batch: int = 0,
) -> Task:
    """Clients with quadratic losses: a toy of ``surrogate toy`` or a file (``problem``), or a random population.

    ``n`` clients in ``d`` dimensions with ``mu``, ``L``, ``sigma_A``, ``sigma_c`` (see surrogate.populations), which
    ``seed`` draws. ``batch``: examples a step, where the file's clients have examples (0: full gradients).
    """
    if problem is not None:
        from surrogate.problems import load

        return from_clients(cast(Quadratics, load(problem).clients), batch=batch)
    from surrogate.populations import random_population

    return from_clients(cast(Quadratics, random_population(seed, n, d, mu, L, sigma_A, sigma_c)), batch=batch)
