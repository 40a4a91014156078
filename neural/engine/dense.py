"""Dense layers by whoever multiplies them fastest (`neural.products`), with gradients as factors.

The gradient of the matrix is s^T x, with the slopes s of the loss in the layer's outputs. Written down, it is read once
and thrown away: 6.4 MB a step for the 512 x 3136 matrix of McMahan's CNN. `Factors` takes s^T and x in its place, for
`steps.in_place` to add as they are multiplied. oneDNN adds such a product to a matrix in place only as a convolution
with kernels of one pixel: for 20 rows 325 microseconds instead of addmm_'s 511 on an AMD core, but 1360 for 690 on an
Intel core.

Where plain steps are all that is asked for, and the layer is an `OwnLinear`, its step is taken while the slopes of its
rows are computed, in one pass over the matrix (`neural.kernels.dense`): on the AMD core, after other layers' work, 600
instead of 390 and 610, and 720 instead of 470 and 930 where the other core does the same. Of small matrices that spares
calls alone: two products, a sum and an addition.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from neural import products
from neural.products import product
from neural.tasks.models.layers import OwnLinear
from surrogate.kit.errors import problem

__all__ = ["Factors", "add_product", "with_factors"]

LARGE = 1 << 20  # entries of a matrix from which factors pay
VECTOR = 64  # bytes: rows of a matrix are whole vectors of every processor
SMALL = 1 << 14  # entries below which a layer's own step takes longer to ask for than torch to take
FEW = 8  # factors of fewer columns go by addmm_: for one, oneDNN takes ten times as long


class Factors:
    """Gradients of matrices as products A B that nobody has multiplied yet, while ``wanted``.

    ``step``: minus the rate of the plain step that is all the gradient is for; matrices may take it at once. Both hold
    inside ``asked`` alone: a model may look for gradients of its own.
    """

    def __init__(self) -> None:
        self.wanted = self.inside = False
        self.step: float | None = None
        self._pairs: dict[int, tuple[Tensor, Tensor]] = {}
        self._moved: set[int] = set()

    def begin(self, wanted: bool, step: float | None = None) -> None:
        """A new gradient, without what is left of one that an error ended half-way."""
        self.wanted, self.step = wanted, step
        self._pairs.clear()
        self._moved.clear()

    @contextmanager
    def asked(self) -> Iterator[None]:
        """The engine's own backward pass, with which the gradient ends."""
        self.inside = True
        try:
            yield
        finally:
            self.inside, self.step = False, None

    def put(self, matrix: Tensor, A: Tensor, B: Tensor) -> None:
        """One more share of its gradient: A B + A' B' = (A A') (B; B')."""
        if id(matrix) in self._pairs:
            before = self._pairs[id(matrix)]
            A, B = torch.cat([before[0], A], dim=1), torch.cat([before[1], B])
        self._pairs[id(matrix)] = A, B

    def move(self, matrix: Tensor, s: Tensor, x: Tensor) -> Tensor:
        """s matrix, with the matrix as it was; it takes its step."""
        from neural.kernels.dense import back_and_step

        if id(matrix) in self._moved:
            raise problem(
                "an OwnLinear", "called twice for one gradient, or two that share a matrix", "one that is called once",
                "a layer that a model comes back to", "make it an nn.Linear",
            )  # fmt: skip
        rows = torch.zeros_like(x)
        back_and_step(s.numpy(), x.detach().numpy(), matrix.detach().numpy(), np.float32(self.step), rows.numpy())
        self._moved.add(id(matrix))
        return rows

    def take(self, matrix: Tensor, rest: Tensor | None) -> Any:
        """All of its gradient, once; ``rest``: what autograd found besides, None for nothing. None: it has moved."""
        if id(matrix) in self._moved:
            return rest
        pair = self._pairs.pop(id(matrix), None)
        if pair is None:
            return torch.zeros_like(matrix, requires_grad=False) if rest is None else rest
        return pair if rest is None else torch.addmm(rest, *pair)


def with_factors(module: nn.Module, factors: Factors | None = None) -> nn.Module:
    """The module itself, its dense layers by whoever multiplies them fastest, their gradients to be had as factors."""
    factors = Factors() if factors is None else factors
    for part in module.modules():
        if type(part) in (nn.Linear, OwnLinear) and part.bias is not None:
            part.forward = partial(_forward, part, factors)  # type: ignore[method-assign]
    return module


def add_product(to: Tensor, A: Tensor, B: Tensor, factor: float) -> None:
    """``to`` plus factor A B, in place; for vectors of matrices, each with its own factors."""
    large = to.ndim == 2 and to.numel() >= LARGE and A.shape[1] >= FEW and to.is_contiguous()
    if large and to.dtype == torch.float32 and to.device.type == "cpu" and products.by_onednn():
        _add_as_convolution(to, A, B, factor)
    else:
        (to.addmm_ if to.ndim == 2 else to.baddbmm_)(A, B, alpha=factor)


def _add_as_convolution(to: Tensor, A: Tensor, B: Tensor, factor: float) -> None:
    """An image one pixel high, a pixel for each row: A's columns are what it shows, ``to``'s what is added to it."""
    (rows, n), columns = A.shape, B.shape[1]
    image = (factor * A).contiguous().view(1, rows, 1, n).permute(0, 3, 1, 2)
    shown = to.view(1, rows, 1, columns).permute(0, 3, 1, 2)
    kernels = B.t().reshape(columns, n, 1, 1)
    options = [0, 0], [1, 1], [1, 1], 1  # padding, stride, dilation, groups
    torch.ops.mkldnn._convolution_pointwise_.binary(shown, image, kernels, None, *options, "add", 1.0, None, [], None)


def _forward(layer: nn.Linear, factors: Factors, x: Tensor) -> Tensor:
    entries, own = layer.weight.numel(), factors.step is not None and _own(layer)
    if products.by_onednn():
        pays = own or x.shape[:-1].numel() * entries >= products.PAYS
    else:
        pays = own or (factors.wanted and entries >= LARGE)
    if not pays or x.dtype != torch.float32 or x.device.type != "cpu":
        return nn.functional.linear(x, layer.weight, layer.bias)
    # Rows with gaps between them, such as bags of words without their padding, take oneDNN 400 times as long.
    rows = _standing(x).reshape(-1, x.shape[-1]).contiguous()
    z: Tensor = _Dense.apply(rows, layer.weight, layer.bias, factors, own)
    return z.view(*x.shape[:-1], -1)


def _own(layer: nn.Linear) -> bool:
    """Whether the kernel that takes its step is made for it."""
    W = layer.weight
    whole = W.shape[1] * W.element_size() % VECTOR == 0
    return type(layer) is OwnLinear and W.numel() >= SMALL and whole and W.is_contiguous()


def _standing(x: Tensor) -> Tensor:
    """A copy of what shows a parameter, which moves before the factors are multiplied; anything else as it is."""
    owner = x._base if x._is_view() and x._base is not None else x
    return x.clone() if owner.is_leaf and owner.requires_grad else x


class _Dense(torch.autograd.Function):
    """z = x W^T + b, and for the slope s of a loss in z: s W, s^T x (or its factors) and the sums of s."""

    @staticmethod
    def forward(ctx: Any, x: Tensor, W: Tensor, b: Tensor, factors: Factors, own: bool) -> Tensor:
        ctx.save_for_backward(x)
        ctx.own = own and ctx.needs_input_grad[0]
        ctx.W, ctx.factors = W, factors  # W itself, not autograd's copy of the handle: factors are kept under its name
        return product(x, W, b)

    @staticmethod
    def backward(ctx: Any, s: Tensor) -> tuple[Tensor | None, Tensor | None, Tensor, None, None]:
        (x,), W = ctx.saved_tensors, ctx.W
        if torch.is_grad_enabled():  # of slopes that are to be differentiated again
            return s @ W, s.t() @ x, s.sum(dim=0), None, None
        s = s.contiguous()
        if ctx.own and ctx.factors.inside:
            return ctx.factors.move(W, s, x), None, s.sum(dim=0), None, None
        rows = product(s, W.t()) if ctx.needs_input_grad[0] else None
        if ctx.factors.wanted and ctx.factors.inside and W.numel() >= LARGE:
            ctx.factors.put(W, s.t(), x)
            return rows, None, s.sum(dim=0), None, None
        return rows, product(s.t(), x.t()), s.sum(dim=0), None, None
