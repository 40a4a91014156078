"""Type aliases that every module of the float64 core uses."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

__all__ = ["Array", "ArrayLike", "PerClient", "Vector"]

Array = NDArray[np.float64]
PerClient = float | Sequence[float] | Array  # one number for all clients, or one a client
Vector = Any  # anything with + - * /: float64, object arrays of rationals or balls, torch tensors
