"""Record a formula as a straight-line program over rationals, for certificates that stand-alone code re-checks."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import Any

import numpy as np

from surrogate._types import Scalar
from surrogate.numbers import errors
from surrogate.numbers.dispatch import register
from surrogate.numbers.scalars import Scalars

__all__ = ["Trace", "Traced", "Traces"]


class Trace:
    """Nodes of the program, each once: ``["in", name, "1/2"]``, ``["const", "3"]``, ``["add", i, j]`` with i <= j."""

    def __init__(self) -> None:
        self.nodes: list[list[Any]] = []
        self._known: dict[tuple[Any, ...], int] = {}
        self.kind = Traces(self)

    def node(self, *parts: Any) -> Traced:
        if parts[0] in ("add", "mul", "max"):
            parts = (parts[0], *sorted(parts[1:]))
        if parts not in self._known:
            self._known[parts] = len(self.nodes)
            self.nodes.append(list(parts))
        return Traced(self, self._known[parts])

    def apply(self, op: str, *operands: Scalar | Traced) -> Traced:
        """The node of a function."""
        return self.node(op, *(self.lift(x).id for x in operands))

    def constant(self, value: Any) -> Traced:
        return self.node("const", str(Fraction(value)))

    def input(self, name: str, value: Fraction) -> Traced:
        return self.node("in", name, str(value))

    def lift(self, x: Scalar | Traced) -> Traced:
        return x if isinstance(x, Traced) else self.constant(x)

    def program(self, results: Iterable[int]) -> tuple[list[list[Any]], dict[int, int]]:
        """The nodes that the results are computed from, in order, and the place of each among them."""
        needed = set(results)
        for k in range(len(self.nodes) - 1, -1, -1):
            if k in needed:
                needed.update(self.nodes[k][i] for i in _operands(self.nodes[k]))
        place = {k: new for new, k in enumerate(sorted(needed))}
        return [self._moved(self.nodes[k], place) for k in place], place

    def _moved(self, node: list[Any], place: dict[int, int]) -> list[Any]:
        operands = _operands(node)
        return [place[part] if i in operands else part for i, part in enumerate(node)]


def _operands(node: list[Any]) -> range:
    """Where in a node other nodes are named."""
    return range(1, 1 if node[0] in ("in", "const") else 2 if node[0] == "pow" else len(node))


class Traced:
    """A number that remembers how it came about; whole constants fold, so that x * 0 + 1 costs nothing."""

    __slots__ = ("id", "trace")

    def __init__(self, trace: Trace, node: int) -> None:
        self.trace, self.id = trace, node

    def _constant(self) -> Fraction | None:
        node = self.trace.nodes[self.id]
        return Fraction(node[1]) if node[0] == "const" else None

    def _apply(self, op: str, other: Scalar | Traced, swap: bool = False) -> Traced:
        if isinstance(other, np.ndarray):
            refused: Traced = NotImplemented  # numpy takes it entry by entry
            return refused
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

    def __add__(self, other: Scalar | Traced) -> Traced:
        return self._apply("add", other)

    def __radd__(self, other: Scalar | Traced) -> Traced:
        return self._apply("add", other, swap=True)

    def __sub__(self, other: Scalar | Traced) -> Traced:
        return self._apply("sub", other)

    def __rsub__(self, other: Scalar | Traced) -> Traced:
        return self._apply("sub", other, swap=True)

    def __mul__(self, other: Scalar | Traced) -> Traced:
        return self._apply("mul", other)

    def __rmul__(self, other: Scalar | Traced) -> Traced:
        return self._apply("mul", other, swap=True)

    def __truediv__(self, other: Scalar | Traced) -> Traced:
        return self._apply("div", other)

    def __rtruediv__(self, other: Scalar | Traced) -> Traced:
        return self._apply("div", other, swap=True)

    def __neg__(self) -> Traced:
        return self._apply("sub", 0, swap=True)

    def __pow__(self, n: int) -> Traced:
        value = self._constant()
        return self.trace.constant(value**n) if value is not None else self.trace.node("pow", self.id, int(n))


class Traces(Scalars):
    """The kind of number that writes into one trace."""

    name = "a trace"

    def __init__(self, trace: Trace) -> None:
        self.trace = trace

    def _number(self, x: Scalar | Traced) -> Traced:
        return self.trace.lift(x)

    def _sqrt(self, x: Scalar | Traced) -> Traced:
        return self.trace.apply("sqrt", x)

    def _exp(self, x: Scalar | Traced) -> Traced:
        return self.trace.apply("exp", x)

    def _log(self, x: Scalar | Traced) -> Traced:
        return self.trace.apply("log", x)

    def _abs(self, x: Scalar | Traced) -> Traced:
        return self.trace.apply("abs", x)

    def _maximum(self, x: Scalar | Traced, y: Scalar | Traced) -> Traced:
        return self.trace.apply("max", x, y)

    def _sign(self, x: Scalar | Traced) -> Traced:
        raise errors.no_function("sign", self.name)


register(Traced, lambda x: x.trace.kind)
