"""Where a closed form is evaluated: float64 (in the clients' eigenbases) or exact rationals (in matrices)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from surrogate import numbers
from surrogate.dictionary.algebra import Dense, Element, Rational, Spectral
from surrogate.kit import checks
from surrogate.kit.errors import problem

__all__ = ["FloatRing", "RationalRing", "Ring", "is_exact", "ring_of"]


class FloatRing:
    """float64: a client's own algebra is diagonal in its eigenbasis; what mixes clients is dense."""

    def __init__(self, clients: Any, flat: bool = False, shared: bool = False, scale: float = 1) -> None:
        """``flat``: take every A_i for 0, where a formula gives its limit as gamma -> 0. ``shared``: the clients share
        their settings, so that a formula says the same of each. ``scale``: take every A_i times this number."""
        self.clients, self.n, self.d, self.shared = clients, clients.n, clients.d, shared
        self.factor = 0 if flat else scale
        self.weights = [self.number(w) for w in clients.weights]

    def number(self, value: Any) -> float:
        """A setting as a float; strings like "1/3" too."""
        return float(_setting(value, Fraction)) if isinstance(value, str) else float(value)

    def curvature(self, i: int) -> Spectral:
        """A_i, as a function of itself."""
        spectrum = self.clients.spectra[i] * self.factor
        return Spectral(0.0, spectrum, spectrum)

    def matrix(self, M: Any) -> Dense:
        """Any matrix (d, d)."""
        values = np.array(M, dtype=float)
        return Dense(0.0, values, values)

    def diagonal(self, p: Any) -> Any:
        """diag(p) of a setting: a constant, for no curvature is in it."""
        values = np.array(p, dtype=float)
        return Dense(values, np.zeros((self.d, self.d)), np.diag(values))

    def positive(self, P: Any) -> None:
        """Refuse preconditioners that are not symmetric positive definite."""
        self.clients.linear.preconditioners(P, self.n, self.d)

    def dense(self, i: int, element: Element) -> Dense:
        """An element of client i's algebra among those of all clients."""
        return element.dense(self.clients.frames[i]) if isinstance(element, Spectral) else element

    def element(self, i: int, dense: bool) -> Element:
        """A_i, among its own functions or among all matrices."""
        return self.matrix(self.clients.A[i] * self.factor) if dense else self.curvature(i)

    def each(self, form: Callable[[int, Element], Element], dense: bool = False) -> list[Element]:
        """form(i, A_i) for every client; ``dense``: other matrices than functions of A_i come in."""
        return self.parts(lambda i, A: (form(i, A),), dense)[0]

    def parts(self, form: Callable[[int, Element], Iterable[Element]], dense: bool = False) -> list[list[Element]]:
        """The elements that form(i, A_i) gives, a list over the clients for each.

        Clients that share their settings are taken together, as one function on all their spectra: a call of numpy
        costs more than the few numbers of one client.
        """
        if self.shared and not dense:
            spectra = self.clients.spectra * self.factor
            return [self._apart(element) for element in form(0, Spectral(0.0, spectra, spectra))]
        found = [[self.dense(i, e) for e in form(i, self.element(i, dense))] for i in range(self.n)]
        return [list(column) for column in zip(*found, strict=True)]

    def _apart(self, element: Spectral) -> list[Element]:
        """What clients that were taken together have, client by client."""
        found = element.dense(self.clients.frames)
        return [Dense(found.constant, rest, value) for rest, value in zip(found.rest, found.value, strict=True)]

    def mean(self, elements: Sequence[Element]) -> Element:
        """sum_i w_i e_i."""
        return sum((e * w for e, w in zip(elements[1:], self.weights[1:], strict=True)), elements[0] * self.weights[0])


class RationalRing(FloatRing):
    """Exact rationals: every element is a matrix of fmpq."""

    def number(self, value: Any) -> Any:
        """A setting as a rational; a float is the binary fraction that it is."""
        return _setting(value, numbers.RATIONALS.number)

    def curvature(self, i: int) -> Any:
        """A_i."""
        return self.element(i, True)

    def matrix(self, M: Any) -> Any:
        """Any matrix (d, d)."""
        from flint import fmpq_mat

        rows = np.asarray(M, dtype=object)
        return Rational(fmpq_mat(self.d, self.d, [self.number(v) for v in rows.ravel()]))

    def diagonal(self, p: Any) -> Any:
        """diag(p)."""
        return self.matrix(np.diag(p))

    def dense(self, i: int, element: Element) -> Any:
        """Matrices already."""
        return element


Ring = FloatRing


def _setting(value: Any, convert: Callable[[Any], Any]) -> Any:
    try:
        return convert(value)
    except (TypeError, ValueError, OverflowError, ZeroDivisionError):
        raise problem(
            "a setting",
            repr(value),
            "a rational number, or a string like '1/3'",
            "a slip in the number, or a ball or a symbol where exact rationals are wanted",
            "pass a number",
        ) from None


def is_exact(clients: Any) -> bool:
    """Are these the clients of ``surrogate.exact``?"""
    return numbers.is_exact(checks.some_clients(clients).A)


def ring_of(clients: Any, flat: bool = False, shared: bool = False, scale: float = 1) -> Ring:
    """The ring that goes with the clients."""
    return RationalRing(clients, flat) if is_exact(clients) else FloatRing(clients, flat, shared, scale)
