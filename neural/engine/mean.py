"""The mean of what clients send, added up in place: large models are passed over once a client."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import torch

from surrogate.methods import Message

__all__ = ["mean"]


def mean(messages: Iterable[tuple[float, Message]]) -> Message:
    """sum_i w_i m_i / sum_i w_i, as `surrogate.methods.mean_message` has it; each message is freed when it is added.

    >>> mean([(0.25, {"q": torch.tensor([4.0])}), (0.75, {"q": torch.tensor([8.0])})])
    {'q': tensor([7.])}
    """
    total: dict[str, Any] = {}
    weight = 0.0
    for share, message in messages:
        weight += share
        for key, value in message.items():
            if key not in total:
                total[key] = share * value
            elif torch.is_tensor(value):
                total[key].add_(value, alpha=share)
            else:
                total[key] += share * value
    return total if weight == 1 else {key: value / weight for key, value in total.items()}
