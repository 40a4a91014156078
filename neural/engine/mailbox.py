"""Shared memory that carries dictionaries of tensors between processes: written once, read in place by all."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor

__all__ = ["Letter", "Mailbox"]

_ALIGNED = 64


@dataclass(frozen=True)
class _Slot:
    """Where a tensor lies."""

    offset: int
    shape: tuple[int, ...]
    dtype: torch.dtype


@dataclass(frozen=True)
class Letter:
    """What travels through the pipe: places instead of tensors, and the memory itself where it is new."""

    content: Any
    room: Tensor | None


class Mailbox:
    """One writer, any number of readers; a letter holds until the next one is written."""

    def __init__(self) -> None:
        self.room = torch.empty(0, dtype=torch.uint8)

    def write(self, tree: Any) -> Letter:
        """Put a tree of dicts, tuples, lists, tensors and plain values into the memory; it grows where needed."""
        tensors: list[tuple[_Slot, Tensor]] = []
        content, size = _placed(tree, tensors, 0)
        new = size > len(self.room)
        if new:
            self.room = torch.empty(2 * size, dtype=torch.uint8).share_memory_()
        for slot, tensor in tensors:
            self._view(slot).copy_(tensor)
        return Letter(content, self.room if new else None)

    def read(self, letter: Letter) -> Any:
        """The tree again; its tensors are views of the memory: copy what is to be kept."""
        if letter.room is not None:
            self.room = letter.room
        return self._filled(letter.content)

    def _view(self, slot: _Slot) -> Tensor:
        count = torch.Size(slot.shape).numel() * slot.dtype.itemsize
        return self.room[slot.offset : slot.offset + count].view(slot.dtype).view(slot.shape)

    def _filled(self, content: Any) -> Any:
        if isinstance(content, _Slot):
            return self._view(content)
        if isinstance(content, dict):
            return {key: self._filled(value) for key, value in content.items()}
        return type(content)(map(self._filled, content)) if isinstance(content, (tuple, list)) else content


def _placed(tree: Any, tensors: list[tuple[_Slot, Tensor]], offset: int) -> tuple[Any, int]:
    """The tree with slots for tensors, and where the next tensor may lie."""
    if torch.is_tensor(tree):
        slot = _Slot(offset, tuple(tree.shape), tree.dtype)
        tensors.append((slot, tree))
        return slot, offset + -(-tree.numel() * tree.element_size() // _ALIGNED) * _ALIGNED
    if isinstance(tree, dict):
        pairs = {}
        for key, value in tree.items():
            pairs[key], offset = _placed(value, tensors, offset)
        return pairs, offset
    if isinstance(tree, (tuple, list)):
        parts = []
        for value in tree:
            part, offset = _placed(value, tensors, offset)
            parts.append(part)
        return type(tree)(parts), offset
    return tree, offset
