"""Record a formula as a straight-line program over rationals, for certificates that stand-alone code re-checks."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from theorems.numbers import Scalars

__all__ = ["Trace", "Traced"]


class Trace:
    """Nodes of the program, each once: ``["in", name, "1/2"]``, ``["const", "3"]``, ``["add", i, j]``."""

    def __init__(self) -> None:
        self.nodes: list[list[Any]] = []
        self._known: dict[tuple[Any, ...], int] = {}

    def node(self, *parts: Any) -> Traced:
        if parts not in self._known:
            self._known[parts] = len(self.nodes)
            self.nodes.append(list(parts))
        return Traced(self, self._known[parts])

    def constant(self, value: Any) -> Traced:
        return self.node("const", str(Fraction(value)))

    def input(self, name: str, value: Fraction) -> Traced:
        return self.node("in", name, str(value))

    def numbers(self) -> Scalars:
        """The arithmetic that writes into this trace."""

        def unary(op: str) -> Callable[[Any], Traced]:
            return lambda x: self.node(op, self.lift(x).id)

        functions = {op: unary(op) for op in ("sqrt", "exp", "log", "abs")}
        return Scalars(
            self.lift, {**functions, "maximum": lambda x, y: self.node("max", self.lift(x).id, self.lift(y).id)}
        )

    def lift(self, x: Any) -> Traced:
        return x if isinstance(x, Traced) else self.constant(x)


class Traced:
    """A number that remembers how it came about; whole constants fold, so that x * 0 + 1 costs nothing."""

    __slots__ = ("id", "trace")

    def __init__(self, trace: Trace, node: int) -> None:
        self.trace, self.id = trace, node

    def _constant(self) -> Fraction | None:
        node = self.trace.nodes[self.id]
        return Fraction(node[1]) if node[0] == "const" else None

    def _apply(self, op: str, other: Any, swap: bool = False) -> Traced:
        a, b = (self.trace.lift(other), self) if swap else (self, self.trace.lift(other))
        p, q = a._constant(), b._constant()
        if p is not None and q is not None and not (op == "div" and q == 0):
            folded = {"add": lambda: p + q, "sub": lambda: p - q, "mul": lambda: p * q, "div": lambda: p / q}[op]()
            return self.trace.constant(folded)
        if (op in ("add", "sub") and q == 0) or (op in ("mul", "div") and q == 1):
            return a
        if (op == "add" and p == 0) or (op == "mul" and p == 1):
            return b
        if op == "mul" and 0 in (p, q):
            return self.trace.constant(0)
        return self.trace.node(op, a.id, b.id)

    def __add__(self, other: Any) -> Traced:
        return self._apply("add", other)

    def __radd__(self, other: Any) -> Traced:
        return self._apply("add", other, swap=True)

    def __sub__(self, other: Any) -> Traced:
        return self._apply("sub", other)

    def __rsub__(self, other: Any) -> Traced:
        return self._apply("sub", other, swap=True)

    def __mul__(self, other: Any) -> Traced:
        return self._apply("mul", other)

    def __rmul__(self, other: Any) -> Traced:
        return self._apply("mul", other, swap=True)

    def __truediv__(self, other: Any) -> Traced:
        return self._apply("div", other)

    def __rtruediv__(self, other: Any) -> Traced:
        return self._apply("div", other, swap=True)

    def __neg__(self) -> Traced:
        return self._apply("sub", 0, swap=True)

    def __pow__(self, n: int) -> Traced:
        value = self._constant()
        return self.trace.constant(value**n) if value is not None else self.trace.node("pow", self.id, int(n))
