"""Views of views as one: half of a small network's operations only show numbers in another shape."""

from __future__ import annotations

from operator import getitem
from typing import Any

import torch
from torch import fx

__all__ = ["owner", "show"]

_ATEN = torch.ops.aten
_VIEWS = (_ATEN.expand.default, _ATEN.view.default, _ATEN._unsafe_view.default, torch.as_strided)


def owner(node: fx.Node) -> fx.Node:
    """Whose memory a view shows; what is no view is its own."""
    while node.op == "call_function":
        made = node.args[0] if node.target is getitem else node
        if made.target not in _VIEWS and not getattr(made.target, "is_view", False):
            break
        node = made.args[0]
    return node


def show(graph: fx.Graph) -> None:
    """Show each view right from where its numbers are, once.

    An operation by torch.ops takes 2 us, and there are two or three on the way. Strides and offsets are those that were
    noted: operations on inputs of the same shapes and strides find them again.
    """
    known: dict[Any, fx.Node] = {}
    for node in list(graph.nodes):
        of = owner(node)
        view = None if of is node else _view(node, of)
        if view is None:
            continue
        if view not in known:
            with graph.inserting_after(node):
                known[view] = graph.call_function(torch.as_strided, view)
            known[view].meta = dict(node.meta)
        node.replace_all_uses_with(known[view])
        graph.erase_node(node)


def _view(node: fx.Node, of: fx.Node) -> tuple[Any, ...] | None:
    """What `torch.as_strided` is to be given; None where that was not noted. An input may begin where it likes."""
    kind, whole = node.meta.get("val"), of.meta.get("val")
    if kind is None or whole is None or whole.offset != (kind.offset if of.op == "placeholder" else 0):
        return None
    view = of, tuple(kind.shape), kind.stride
    return view if of.op == "placeholder" else (*view, kind.offset)
