"""A cache of recorded graphs: gradients of several models at once, replayed without autograd and vmap.

torch.vmap and autograd take several times longer to decide what to compute for a small model than the computing takes.
What they decide depends on shapes alone, so a graph is recorded once for each shape and replayed. DA.F1
(cifar100-resnet18) trains 2.3 times as fast with it, LAMB.F2 (mnist-mlp) 1.6 times (`bench neural.laptop`).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import Any

import torch
from torch import Tensor, fx

from neural.engine.collapse_views import owner, show
from neural.engine.graph_recorder import recorded

__all__ = ["GraphCache", "factored", "lean"]

_ATEN = torch.ops.aten
_SHAPED: tuple[Any, ...] = (_ATEN.expand.default, _ATEN.view.default, _ATEN._unsafe_view.default)
MOST = 32  # shapes kept

Gradient = Callable[..., Sequence[Tensor]]


class GraphCache:
    """``gradient(parameters, *tensors)``, several times faster for small models.

    A gradient that is a batched product A B comes back as the pair (A, B), which `steps.in_place` adds as it is made;
    not where A or B is a parameter itself (as in W = U V), which by then has moved.
    ``finish``: what is done with each graph, such as torch.compile; by default its views are collapsed.
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
                show(found.graph)
            self.known[key] = found.module() if self.finish is None else self.finish(found.module())
        with torch.no_grad():
            return self.known[key](*parameters, *examples)


def lean(graph: fx.Graph) -> None:
    """Remove operations that change nothing: detach, views of the same shape, multiplication by 1."""
    for node in list(graph.nodes):
        if node.op == "call_function" and _idle(node):
            node.replace_all_uses_with(node.args[0])
            graph.erase_node(node)


def factored(graph: fx.Graph, moving: int) -> None:
    """Give outputs that are products A B, or (B^T A^T)^T, as pairs of factors.

    ``moving``: how many inputs, the first ones, change while the outputs are used; they are no factors.
    """
    graph.eliminate_dead_code()  # nodes without users hold on to no factor
    (output,) = (node for node in graph.nodes if node.op == "output")
    inputs = set([node for node in graph.nodes if node.op == "placeholder"][:moving])
    with graph.inserting_before(output):
        output.args = (fx.map_arg(output.args[0], lambda node: _factors(graph, node, inputs)),)


def _factors(graph: fx.Graph, node: Any, moving: Collection[fx.Node]) -> Any:
    if node.target is _ATEN.bmm.default:
        factors = node.args
        return node if any(owner(factor) in moving for factor in factors) else factors
    inner: Any = node.args[0] if node.target is _ATEN.transpose.int and set(node.args[1:]) <= {1, 2, -1, -2} else None
    if getattr(inner, "target", None) is not _ATEN.bmm.default or len(inner.meta) == 0:
        return node
    factors = inner.args
    if any(owner(factor) in moving for factor in factors):
        return node
    return tuple(graph.call_function(_ATEN.transpose.int, (factor, 1, 2)) for factor in reversed(factors))


def _idle(node: fx.Node) -> bool:
    if node.target is _ATEN.detach.default:
        return True
    if node.target is _ATEN.mul.Scalar:
        return bool(node.args[1] == 1 and _kind(node) == _kind(node.args[0]))
    return node.target in _SHAPED and bool(_kind(node) == _kind(node.args[0]))


def _kind(node: Any) -> Any:
    """Shape, type and layout of what a node makes; never equal where they were not recorded."""
    value = node.meta.get("val")
    return object() if value is None else value[:3]
