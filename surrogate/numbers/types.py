"""Types of numbers and arrays, where formulas look for them; they are defined in ``surrogate._types``."""

from surrogate._types import Array, ExactArray, Numbers, Scalar, Vector

__all__ = ["Array", "ExactArray", "Numbers", "Scalar", "Vector"]
