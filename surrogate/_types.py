"""Type aliases and protocols of numbers, vectors, rates and JSON, which every module of the core uses.

A *scalar* and a *vector* are whatever the arithmetic in use makes them: float64, rationals (``fmpq``), balls (``arb``),
symbols, torch. The protocols say which operations a formula may rely on; what an operation returns is of the same
arithmetic, which no annotation can say of numpy's object arrays, so it is left open there and named again at the next
function's signature.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

__all__ = [
    "Array",
    "ArrayLike",
    "ExactArray",
    "Factors",
    "Given",
    "Json",
    "Layers",
    "Matrices",
    "Matrix",
    "Numbers",
    "PerClient",
    "Point",
    "QuadraticClients",
    "Rates",
    "Scalar",
    "Settings",
    "Steps",
    "Vector",
    "Vectors",
    "Weights",
]

Array = NDArray[np.float64]
ExactArray = np.ndarray[Any, np.dtype[np.object_]]  # entries of one exact kind: fmpq, Fraction, arb, ...
Numbers = NDArray[Any]  # float64, or object arrays of rationals, balls or symbols
PerClient = float | Sequence[float] | Array  # one number for all clients, or one a client


class Scalar(Protocol):
    """A real number of any arithmetic, or an array of them that broadcasts like one."""

    def __add__(self, other: Any, /) -> Any: ...
    def __radd__(self, other: Any, /) -> Any: ...
    def __sub__(self, other: Any, /) -> Any: ...
    def __rsub__(self, other: Any, /) -> Any: ...
    def __mul__(self, other: Any, /) -> Any: ...
    def __rmul__(self, other: Any, /) -> Any: ...
    def __truediv__(self, other: Any, /) -> Any: ...
    def __rtruediv__(self, other: Any, /) -> Any: ...
    def __pow__(self, other: Any, /) -> Any: ...
    def __neg__(self) -> Any: ...
    def __float__(self) -> float: ...
    def __lt__(self, other: Any, /) -> Any: ...
    def __le__(self, other: Any, /) -> Any: ...
    def __gt__(self, other: Any, /) -> Any: ...
    def __ge__(self, other: Any, /) -> Any: ...


class Vector(Scalar, Protocol):
    """A point or a gradient: entries along the last axis, operations entry by entry."""

    def __add__(self, other: Any, /) -> Vector: ...
    def __radd__(self, other: Any, /) -> Vector: ...
    def __sub__(self, other: Any, /) -> Vector: ...
    def __rsub__(self, other: Any, /) -> Vector: ...
    def __mul__(self, other: Any, /) -> Vector: ...
    def __rmul__(self, other: Any, /) -> Vector: ...
    def __truediv__(self, other: Any, /) -> Vector: ...
    def __rtruediv__(self, other: Any, /) -> Vector: ...
    def __pow__(self, other: Any, /) -> Vector: ...
    def __neg__(self) -> Vector: ...
    @property
    def shape(self) -> tuple[int, ...]: ...
    @property
    def ndim(self) -> int: ...
    def __len__(self) -> int: ...
    def __getitem__(self, index: Any, /) -> Any: ...
    def __setitem__(self, index: Any, value: Any, /) -> None: ...
    def __matmul__(self, other: Any, /) -> Any: ...


class QuadraticClients(Protocol):
    """Quadratic clients of either arithmetic: what `Quadratics` of surrogate and of surrogate.exact have in common."""

    A: Numbers  # (n, d, d), Hessians
    b: Numbers  # (n, d), so that the gradients are A_i x - b_i
    weights: Numbers  # (n,), of sum 1
    n: int
    d: int

    @property
    def minimizer(self) -> Numbers: ...
    @property
    def mu(self) -> Scalar: ...
    @property
    def L(self) -> Scalar: ...
    @property
    def sigma_A(self) -> Scalar: ...
    @property
    def sigma_c(self) -> Scalar: ...


Rates = Scalar | Sequence[Scalar]  # gamma: one rate for all clients, or one a client
Steps = int | Sequence[int]  # local steps: one count for all clients, or one a client
Factors = Sequence[Scalar] | Sequence[Sequence[Scalar]] | None  # of gamma, one a local step (or one list a client)
Layers = Sequence[slice | Sequence[int] | NDArray[np.integer[Any]]]  # the coordinates of each layer of a model
Settings = Mapping[str, object]  # a method's settings by name, as users give them
Json = None | bool | int | float | str | list["Json"] | dict[str, "Json"]

# Arrays of float64, or of exact entries (dtype object):
Matrices = NDArray[Any]  # (n, d, d), one matrix a client
Vectors = NDArray[Any]  # (n, d), one vector a client
Matrix = NDArray[Any]  # (d, d)
Point = NDArray[Any]  # (d,)
Weights = NDArray[Any]  # (n,), one number a client
# What callers pass for an array: numbers, nested lists, arrays; for exact clients strings like "1/3", too
Given = object
