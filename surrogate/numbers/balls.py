"""Balls (flint's ``arb``): enclosures of real numbers, at the precision that is asked for. They never guess."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import numpy as np

from surrogate._types import Scalar
from surrogate.numbers.rationals import RATIONALS
from surrogate.numbers.scalars import Scalars

if TYPE_CHECKING:
    from flint import arb

__all__ = ["BALLS", "Balls", "balls", "less", "precision", "working"]

LEAST_BITS = 128


class Balls(Scalars):
    """At the precision of ``flint.ctx``; see ``working``."""

    name = "arb"

    def _number(self, x: object) -> arb:
        from flint import arb

        if isinstance(x, arb):
            return x
        return arb(x if isinstance(x, (int, float)) else RATIONALS.number(x))

    def _sqrt(self, x: arb) -> arb:
        """Of a ball around 0, of its nonnegative part: a sum of squares may not look like one."""
        return x.sqrt() if x > 0 or x < 0 else x.nonnegative_part().sqrt()

    def _exp(self, x: arb) -> arb:
        return x.exp()

    def _log(self, x: arb) -> arb:
        return x.log()

    def _maximum(self, x: Scalar, y: Scalar) -> arb:
        return self._number(x).max(self._number(y))

    def _sign(self, x: arb) -> arb:
        """[-1, 1] where the ball holds 0: still an enclosure."""
        return x.sgn()


BALLS = Balls()


@contextmanager
def precision(bits: int) -> Iterator[None]:
    """Balls inside the ``with`` are computed to ``bits`` bits (never to fewer than 128).

    >>> from surrogate import exact
    >>> clients = exact.Quadratics([[[2, 1], [1, 1]]], [[0, 0]])
    >>> with precision(300):
    ...     narrow = clients.mu
    >>> bool(narrow.rad() < 1e-80), bool(clients.mu.rad() < 1e-80)
    (True, False)
    """
    import flint

    with flint.ctx.workprec(bits):
        yield


@contextmanager
def working(bits: int = LEAST_BITS) -> Iterator[int]:
    """At least ``bits``, more where the caller asked for more."""
    import flint

    bits = max(bits, flint.ctx.prec)
    with flint.ctx.workprec(bits):
        yield bits


def balls(x: object) -> Any:
    """``x`` (a rational, or an array of them) as balls: arb entries, on which the methods of ``surrogate.methods`` run.

    >>> bool(balls("1/3") * 3 == 1), (balls("1/3") * 3).contains(1), balls([[1, "1/2"]]).shape
    (False, True, (1, 2))
    """
    with working():
        return BALLS.number(np.array(x, dtype=object))


def less(a: object, b: object) -> bool | None:
    """Is a < b? True or False where the enclosures prove it, None where they overlap: balls never guess.

    >>> less("1/3", "1/2"), less(balls(2), 1), less(balls(1) / 3 * 3, 1)
    (True, False, None)
    """
    if not any(hasattr(side, "rad") for side in (a, b)):
        return bool(RATIONALS.number(a) < RATIONALS.number(b))
    with working():
        low, high = balls(a), balls(b)
        if low < high:
            return True
        return False if low >= high else None
