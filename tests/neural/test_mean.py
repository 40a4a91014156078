"""Means added up in place: those of `surrogate.methods.mean_message`, with one message alive at a time."""

from __future__ import annotations

import weakref
from collections.abc import Iterator
from typing import Any

import pytest
import torch

from neural.engine.mean import mean
from surrogate.methods import mean_message


@pytest.mark.parametrize("shares", [(0.2, 0.3, 0.5), (1.0,), (0.1, 0.1), (2.0, 0.0, 1.0)])
def test_it_is_the_mean_of_the_messages(shares: tuple[float, ...]) -> None:
    made = torch.Generator().manual_seed(0)
    messages = [
        (
            share,
            {"q": torch.randn(7, generator=made, dtype=torch.float64), "tau": 3.0 + i, "c": torch.tensor([i + 0.5])},
        )
        for i, share in enumerate(shares)
    ]
    before = [message["q"].clone() for _, message in messages]
    found, wanted = mean(messages), mean_message(messages)
    assert found.keys() == wanted.keys()
    for key, value in wanted.items():
        assert torch.as_tensor(found[key]).double().allclose(torch.as_tensor(value).double(), rtol=1e-12, atol=0)
    assert all(torch.equal(message["q"], old) for (_, message), old in zip(messages, before, strict=True))


def test_messages_are_let_go_one_by_one() -> None:
    alive: list[weakref.ref[Any]] = []

    def sent() -> Iterator[tuple[float, dict[str, Any]]]:
        for _ in range(5):
            q = torch.ones(3)
            alive.append(weakref.ref(q))
            message = {"q": q}
            del q
            yield 0.2, message
            del message
            assert sum(ref() is not None for ref in alive) <= 1  # the one that the sum still names

    assert mean(sent())["q"].tolist() == pytest.approx([1.0] * 3)
