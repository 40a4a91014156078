"""Rational functions of one variable: quotients of rational polynomials in lowest terms."""

from __future__ import annotations

from typing import Any

from flint import fmpq, fmpq_poly

from surrogate.kit.errors import problem
from surrogate.numbers.matrices import rational

__all__ = ["Ratio"]


class Ratio:
    """``numerator / denominator`` in lowest terms; coefficients whole and coprime, the denominator's first one > 0.

    ``variable``: its name when printed.

    Values: ``ratio("1/2")``. For sympy: ``ratio.sympy()``. Equal functions compare equal; + - * / take rationals, too.

    >>> r = Ratio(fmpq_poly([8, -6]), fmpq_poly([12, -10]), "gamma")
    >>> r, r("1/2"), r - 1
    ((4 - 3*gamma)/(6 - 5*gamma), 5/7, (-2 + 2*gamma)/(6 - 5*gamma))
    """

    __slots__ = ("denominator", "numerator", "variable")

    def __init__(self, numerator: fmpq_poly, denominator: fmpq_poly, variable: str = "gamma") -> None:
        common = numerator.gcd(denominator)
        top, bottom = numerator // common, denominator // common
        scale = _scale(top, bottom)
        self.numerator, self.denominator, self.variable = top * scale, bottom * scale, variable

    def __call__(self, value: Any) -> fmpq:
        """The value at a rational; an error at a pole."""
        at = rational(value)
        bottom = self.denominator(at)
        if bottom == 0:
            raise problem(
                self.variable,
                at,
                f"a value where {_words(self.denominator, self.variable)} is not 0",
                "a rate at which the averaged Hessian is singular",
                "take a smaller rate",
            )
        return self.numerator(at) / bottom

    def _other(self, other: Any) -> Ratio:
        return other if isinstance(other, Ratio) else Ratio(fmpq_poly([rational(other)]), fmpq_poly([1]), self.variable)

    def _new(self, numerator: fmpq_poly, denominator: fmpq_poly) -> Ratio:
        return Ratio(numerator, denominator, self.variable)

    def __add__(self, other: Any) -> Ratio:
        o = self._other(other)
        return self._new(
            self.numerator * o.denominator + o.numerator * self.denominator, self.denominator * o.denominator
        )

    def __mul__(self, other: Any) -> Ratio:
        o = self._other(other)
        return self._new(self.numerator * o.numerator, self.denominator * o.denominator)

    def __truediv__(self, other: Any) -> Ratio:
        o = self._other(other)
        return self._new(self.numerator * o.denominator, self.denominator * o.numerator)

    def __rtruediv__(self, other: Any) -> Ratio:
        return self._other(other) / self

    def __neg__(self) -> Ratio:
        return self._new(-self.numerator, self.denominator)

    def __sub__(self, other: Any) -> Ratio:
        return self + (-self._other(other))

    def __rsub__(self, other: Any) -> Ratio:
        return self._other(other) - self

    __radd__ = __add__
    __rmul__ = __mul__

    def __eq__(self, other: object) -> bool:
        try:
            o = self._other(other)
        except (TypeError, ValueError):
            return NotImplemented
        return bool(self.numerator == o.numerator and self.denominator == o.denominator)

    def __hash__(self) -> int:
        return hash((str(self.numerator), str(self.denominator)))

    def sympy(self) -> Any:
        """The same as a sympy expression in ``Symbol(variable)``."""
        import sympy

        x = sympy.Symbol(self.variable)
        top, bottom = (
            sum(sympy.Rational(int(c.p), int(c.q)) * x**k for k, c in enumerate(p.coeffs()))
            for p in (self.numerator, self.denominator)
        )
        return top / bottom

    def __repr__(self) -> str:
        top, bottom = _words(self.numerator, self.variable), _words(self.denominator, self.variable)
        if bottom == "1":
            return top
        return f"{_bracketed(top)}/{_bracketed(bottom)}"


def _scale(top: fmpq_poly, bottom: fmpq_poly) -> fmpq:
    """What makes all coefficients whole and coprime, and the first of the denominator positive."""
    both = fmpq_poly([*top.coeffs(), *bottom.coeffs()])
    scale = both.denom() / fmpq(both.numer().content())
    first = next(c for c in bottom.coeffs() if c != 0)
    return -scale if first < 0 else scale


def _words(p: fmpq_poly, variable: str) -> str:
    """Ascending: 4 - 3*gamma."""
    parts: list[str] = []
    for k, c in enumerate(p.coeffs()):
        if c == 0:
            continue
        power = "" if k == 0 else variable if k == 1 else f"{variable}^{k}"
        size = abs(c)
        term = str(size) if not power else power if size == 1 else f"{size}*{power}"
        parts.append(("- " if c < 0 else "+ ") + term if parts else ("-" if c < 0 else "") + term)
    return " ".join(parts) or "0"


def _bracketed(text: str) -> str:
    return f"({text})" if " " in text or "*" in text else text
