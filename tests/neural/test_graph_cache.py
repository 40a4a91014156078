"""Lists of operations made shorter: what they compute is what was written down, and views are fewer."""

from __future__ import annotations

from typing import Any

import torch
from hypothesis import given
from hypothesis import strategies as st
from torch import Tensor, fx

from neural.engine.collapse_views import show
from neural.engine.graph_cache import GraphCache, lean
from neural.engine.graph_recorder import Recorded, recorded

VIEWS = {
    "turn": lambda x: x.permute(*reversed(range(x.ndim))),
    "flat": lambda x: x.contiguous().view(-1),
    "more": lambda x: x.unsqueeze(0),
    "less": lambda x: x.squeeze(0),
    "swap": lambda x: x.transpose(0, -1),
    "half": lambda x: x[..., : max(1, x.shape[-1] // 2)],
    "rest": lambda x: x[..., x.shape[-1] // 2 :],
    "wide": lambda x: x.expand(2, *x.shape),
    "last": lambda x: x.unbind(-1)[-1] if x.ndim > 1 else x,
    "work": lambda x: x * 2 + 1,
    "kept": lambda x: x * 1,
}


def through(ways: list[str], x: Tensor) -> Tensor:
    for way in ways:
        x = VIEWS[way](x)
    return x


def calls(graph: fx.Graph) -> list[Any]:
    return [node.target for node in graph.nodes if node.op == "call_function"]


def quick(found: Recorded) -> fx.GraphModule:
    lean(found.graph)
    show(found.graph)
    return found.module()


@given(st.lists(st.lists(st.sampled_from([*VIEWS]), max_size=6), min_size=1, max_size=3), st.integers(0, 2))
def test_views_of_views(ways: list[list[str]], offset: int) -> None:
    """Any of them, of inputs that begin where they like and of what is computed; the list is no longer than it was."""

    def function(parts: list[Tensor], y: Tensor) -> list[Tensor]:
        return [through(way, parts[0]) + through(way, y * 3).sum() for way in ways]

    memory = torch.arange(40.0)
    x, y = memory[offset : offset + 12].view(3, 4), memory[20 + offset : 32 + offset].view(3, 4)
    found = recorded(function, [x], y)
    before = len(calls(found.graph))
    short = quick(found)
    assert len(calls(short.graph)) <= before
    shifted = torch.linspace(0, 1, 30)
    for one, other in ((x, y), (shifted[7:19].view(3, 4), shifted[3:15].view(3, 4))):  # other places, the same layout
        for ours, wanted in zip(short(one, other), function([one], other), strict=True):
            assert torch.equal(ours, wanted)


def test_a_chain_becomes_one_view_and_equal_ones_the_same() -> None:
    def function(parts: list[Tensor], y: Tensor) -> list[Tensor]:
        z = y + 1
        return [z.view(6, 2).transpose(0, 1).unsqueeze(0) * 2, z.view(6, 2).transpose(0, 1).unsqueeze(0) * 3]

    graph = recorded(function, [], torch.ones(3, 4)).graph
    assert len(calls(graph)) == 9
    show(graph)
    graph.eliminate_dead_code()
    assert [str(target).split(".")[0] for target in calls(graph)].count("aten") == 3
    assert calls(graph).count(torch.as_strided) == 1


def test_what_is_written_into_a_view_is_seen_through_others() -> None:
    def function(parts: list[Tensor], y: Tensor) -> list[Tensor]:
        z = y.new_zeros(4, 6)
        turned = z.t()
        z[::2, 1:].copy_(y)
        return [turned * 1.5, z[2].clone()]

    y = torch.arange(10.0).view(2, 5)
    short = quick(recorded(function, [], y))
    for found, wanted in zip(short(y + 1), function([], y + 1), strict=True):
        assert torch.equal(found, wanted)


def test_another_layout_is_another_list() -> None:
    """Strides are noted, so inputs of other strides are asked about anew."""
    traced = GraphCache(lambda parts, x: [parts[0] * x.t().unsqueeze(0).unsqueeze(0).sum(2)])
    x, ones = torch.arange(12.0).view(4, 3), torch.ones(4)
    for shown in (x, x.t().contiguous().t(), x):
        assert torch.equal(traced([ones], shown)[0], shown.sum(1)[None, None])
    assert len(traced.known) == 2
