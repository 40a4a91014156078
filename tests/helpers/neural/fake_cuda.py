"""A CUDA device that does not exist: tensors with shapes and no numbers, which refuse to be read.

A build of torch without CUDA lacks two things that fake CUDA tensors need: a device guard, for indexing, which is lent
from the CPU here; and streams, for the backward pass, which nothing can lend. There `backward_or_not` runs the forward
pass and gives back something of the gradient's shape; the backward pass is tested on fake CPU tensors, which refuse to
be read, too.
"""

from __future__ import annotations

import ctypes
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any
from unittest import mock

import torch
from torch._subclasses.fake_tensor import FakeTensorMode

CPU_SLOT, CUDA_SLOT = 0, 1  # of c10::DeviceType


@contextmanager
def lent_guard() -> Iterator[None]:
    """Device guards that do nothing, where this build has none for CUDA."""
    library = next((Path(torch.__file__).parent / "lib").glob("libc10.*"))
    slots = (ctypes.c_void_p * 2).in_dll(ctypes.CDLL(str(library)), "_ZN3c104impl26device_guard_impl_registryE")
    slots[CUDA_SLOT] = slots[CPU_SLOT]
    try:
        yield
    finally:
        slots[CUDA_SLOT] = None


def no_backward(
    outputs: torch.Tensor, inputs: torch.Tensor | Sequence[torch.Tensor], **more: Any
) -> tuple[torch.Tensor, ...]:
    """In the place of torch.autograd.grad."""
    each = [inputs] if torch.is_tensor(inputs) else inputs
    return tuple(outputs.sum() * part for part in each)


@contextmanager
def fake_device(kind: str) -> Iterator[torch.device]:
    """Everything made inside is fake."""
    with ExitStack() as stack:
        if kind == "cuda" and not torch.backends.cuda.is_built():
            stack.enter_context(lent_guard())
            stack.enter_context(mock.patch("torch.autograd.grad", no_backward))
            stack.enter_context(torch.no_grad())
        stack.enter_context(FakeTensorMode(allow_non_fake_inputs=True))
        yield torch.device(f"{kind}:0" if kind == "cuda" else kind)
