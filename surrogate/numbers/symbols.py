"""Symbols: sympy's expressions."""

from __future__ import annotations

from typing import Any

from surrogate.numbers.rationals import fraction
from surrogate.numbers.scalars import Scalars

__all__ = ["SYMBOLS", "Symbols"]


class Symbols(Scalars):
    """Functions stay expressions."""

    name = "sympy"

    def _number(self, x: Any) -> Any:
        import sympy

        return x if isinstance(x, sympy.Basic) else sympy.Rational(*fraction(x))

    def _sqrt(self, x: Any) -> Any:
        import sympy

        return sympy.sqrt(x)

    def _exp(self, x: Any) -> Any:
        import sympy

        return sympy.exp(x)

    def _log(self, x: Any) -> Any:
        import sympy

        return sympy.log(x)

    def _maximum(self, x: Any, y: Any) -> Any:
        import sympy

        return sympy.Max(x, y)

    def _sign(self, x: Any) -> Any:
        import sympy

        return sympy.sign(x)


SYMBOLS = Symbols()
