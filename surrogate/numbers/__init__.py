"""What a number may be: one file a kind, one protocol (`Kind`), one table from types to kinds (`kind`, `register`).

Formulas are written once, with ``+ - * /`` and the functions below, or with those of ``kind(x)``. Nothing but numpy is
loaded before a number of flint or sympy comes in. Kinds that live elsewhere register their type (torch: ``neural``).

>>> from fractions import Fraction
>>> sqrt(Fraction(9, 4)), sqrt(2.25), maximum(1, 0.5)
(Fraction(3, 2), 1.5, 1.0)
"""

from surrogate.numbers.dispatch import (
    absolute,
    alike,
    exp,
    expm1,
    is_exact,
    is_float,
    kind,
    log,
    maximum,
    minimum,
    norm,
    register,
    solve,
    sqrt,
    zeros,
)
from surrogate.numbers.floats import FLOATS
from surrogate.numbers.protocol import Kind
from surrogate.numbers.rationals import FRACTIONS, RATIONALS

__all__ = [
    "FLOATS",
    "FRACTIONS",
    "RATIONALS",
    "Kind",
    "absolute",
    "alike",
    "exp",
    "expm1",
    "is_exact",
    "is_float",
    "kind",
    "log",
    "maximum",
    "minimum",
    "norm",
    "register",
    "solve",
    "sqrt",
    "zeros",
]
