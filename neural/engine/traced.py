"""The gradients of several models at once as a list of tensor operations, without the bookkeeping that found them.

torch.vmap and autograd take several times longer to decide what to compute for a small model than the computing takes.
What they decide depends on shapes alone, so it is written down once for each shape and played again.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import Any

import torch
from torch import Tensor, fx

from neural.engine.pooling import by_pairs
from neural.engine.recorder import recorded
from neural.engine.shown import owner, show

__all__ = ["Traced", "factored", "lean", "quickened"]

_ATEN = torch.ops.aten
_SHAPED = (_ATEN.expand.default, _ATEN.view.default, _ATEN._unsafe_view.default)
MOST = 32  # shapes kept

Gradient = Callable[..., Sequence[Tensor]]


class Traced:
    """``gradient(parameters, *tensors)``, several times faster for small models.

    A gradient that is a batched product A B comes back as the pair (A, B), which `steps.in_place` adds as it is made;
    not where A or B is a parameter itself (as in W = U V), which by then has moved.
    ``finish``: what is done with each graph, such as torch.compile; by default it is played as it is.
    """

    def __init__(self, gradient: Gradient, finish: Callable[[fx.GraphModule], Any] | None = None) -> None:
        self.gradient, self.finish = gradient, finish
        self.known: dict[Any, Callable[..., Sequence[Any]]] = {}

    def __call__(self, parameters: Sequence[Tensor], *examples: Tensor | None) -> Sequence[Any]:
        """Gradients by ``parameters``."""
        given = (*parameters, *examples)
        key = tuple((part.shape, part.stride(), part.dtype) if torch.is_tensor(part) else None for part in given)
        if key not in self.known:
            if len(self.known) == MOST:
                self.known.pop(next(iter(self.known)))
            found = recorded(self.gradient, parameters, *examples)
            lean(found.graph)
            factored(found.graph, len(parameters))
            if self.finish is None:
                quickened(found.graph, parameters[0].device)
            self.known[key] = found.module() if self.finish is None else self.finish(found.module())
        with torch.no_grad():
            return self.known[key](*parameters, *examples)


def lean(graph: fx.Graph) -> None:
    """Leave out the steps that change nothing: detached, viewed in the same shape, multiplied by 1."""
    for node in list(graph.nodes):
        if node.op == "call_function" and _idle(node):
            node.replace_all_uses_with(node.args[0])
            graph.erase_node(node)


def quickened(graph: fx.Graph, device: torch.device) -> None:
    """Take fewer and quicker operations, for who computes them one after the other."""
    if device.type == "cpu":
        by_pairs(graph)
    show(graph)


def factored(graph: fx.Graph, moving: int) -> None:
    """Give outputs that are products A B, or (B^T A^T)^T, as pairs of factors.

    ``moving``: how many inputs, the first ones, change while the outputs are used; they are no factors.
    """
    graph.eliminate_dead_code()  # what nobody asks for any more is nobody's factor
    (output,) = (node for node in graph.nodes if node.op == "output")
    inputs = set([node for node in graph.nodes if node.op == "placeholder"][:moving])
    with graph.inserting_before(output):
        output.args = (fx.map_arg(output.args[0], lambda node: _factors(graph, node, inputs)),)


def _factors(graph: fx.Graph, node: fx.Node, moving: Collection[fx.Node]) -> Any:
    if node.target is _ATEN.bmm.default:
        return node if any(owner(factor) in moving for factor in node.args) else node.args
    inner = node.args[0] if node.target is _ATEN.transpose.int and set(node.args[1:]) <= {1, 2, -1, -2} else None
    if not isinstance(inner, fx.Node) or inner.target is not _ATEN.bmm.default or len(inner.meta) == 0:
        return node
    if any(owner(factor) in moving for factor in inner.args):
        return node
    return tuple(graph.call_function(_ATEN.transpose.int, (factor, 1, 2)) for factor in reversed(inner.args))


def _idle(node: fx.Node) -> bool:
    if node.target is _ATEN.detach.default:
        return True
    if node.target is _ATEN.mul.Scalar:
        return node.args[1] == 1 and _kind(node) == _kind(node.args[0])
    return node.target in _SHAPED and _kind(node) == _kind(node.args[0])


def _kind(node: Any) -> Any:
    """Shape, type and layout of what a node makes; never equal where nobody noted them."""
    value = node.meta.get("val")
    return object() if value is None else value[:3]
