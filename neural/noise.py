"""Random numbers for dropout and augmentation as functions of integer keys: the same in every engine and under vmap.

A key names one place of a run: (seed, round, client, local step, position in the minibatch). `uniform` hashes the key
and the position of the number within the example, with SplitMix64's finaliser (Steele, Lea and Flood 2014).
"""

from __future__ import annotations

from math import prod

import torch
from torch import Tensor

__all__ = ["uniform"]

_GOLDEN = -7046029254386353131  # 0x9E3779B97F4A7C15 as int64
_INVERSE = -1018231460777725123  # _GOLDEN _INVERSE = 1 modulo 2^64
_FIRST, _SECOND = -4658895280553007687, -7723592293110705685  # 0xBF58476D1CE4E5B9, 0x94D049BB133111EB


def _shifted(z: Tensor, bits: int) -> Tensor:
    """A logical shift to the right; torch's keeps the sign."""
    return (z >> bits).bitwise_and_((1 << (64 - bits)) - 1)


def _mixed(z: Tensor) -> Tensor:
    """Written over z; but for the last step, z ^ (z >> 31), which leaves the upper 31 bits as they are."""
    z.bitwise_xor_(_shifted(z, 30)).mul_(_FIRST)
    return z.bitwise_xor_(_shifted(z, 27)).mul_(_SECOND)


def uniform(keys: Tensor, shape: tuple[int, ...], stream: int = 0, dtype: torch.dtype = torch.float32) -> Tensor:
    """Numbers in [0, 1), shape (B, *shape) for keys (B,) int64; ``stream``: one for each use within a model.

    >>> import torch
    >>> uniform(torch.tensor([1, 2]), (3,)).shape
    torch.Size([2, 3])
    """
    count = torch.arange(1, prod(shape) + 1, device=keys.device) + (stream << 32)
    start = _mixed(keys.clone())
    start = start.bitwise_xor_(_shifted(start, 31)).mul_(_INVERSE)
    # start + count _GOLDEN with the factor outside: Inductor computes count _GOLDEN as an index, beyond 64 bits.
    bits = _mixed((start[..., None] + count).mul_(_GOLDEN))
    return _shifted(bits, 40).to(dtype).div_(1 << 24).reshape(*keys.shape, *shape)
