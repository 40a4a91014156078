"""The core in exact rationals (flint ``fmpq``), in balls (``arb``) for what is irrational, and with gamma a variable.

The same names as the float64 core, and the same formulas (``Theta.ring``, ``filters.ring_*``). Entries are ints,
Fractions, strings like "1/3", fmpq, or floats, which are taken as the binary fractions they are.
Decisions (symmetric? definite? singular? has a loss? ill-behaved?) are exact, never taken at the middle of a ball;
``less(a, b)`` compares balls and answers None where they overlap. ``precision(bits)`` narrows the balls.
"""

from surrogate.exact.fields import Contraction, Field
from surrogate.exact.local_update import Surrogate
from surrogate.exact.preconditioned import Preconditioned
from surrogate.exact.quadratics import Quadratics
from surrogate.exact.ratio import Ratio
from surrogate.exact.symbolic import Symbolic
from surrogate.numbers.balls import balls, less, precision
from surrogate.numbers.matrices import rational
from surrogate.theta import Theta

__all__ = [
    "Contraction",
    "Field",
    "Preconditioned",
    "Quadratics",
    "Ratio",
    "Surrogate",
    "Symbolic",
    "Theta",
    "balls",
    "less",
    "precision",
    "rational",
]
