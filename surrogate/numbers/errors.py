"""What cannot be done with a number, said in words."""

from __future__ import annotations

from surrogate._types import Numbers
from surrogate.kit.errors import ProblemError, problem

__all__ = ["no_function", "no_square", "not_a_number", "singular", "too_large"]


def shown(x: object) -> str:
    """A number as text, unless it is long."""
    text = str(x)
    return text if len(text) < 40 else "a number with many digits"


def no_square(q: object) -> ProblemError:
    """sqrt(q) was wanted as a rational."""
    return problem(
        "a square root",
        f"sqrt({shown(q)})",
        "the square of a rational",
        "an adaptive method run in exact rationals, or a negative number",
        "run it in balls (ops=BALLS), or freeze its preconditioners",
    )


def negative(x: object) -> ProblemError:
    """sqrt(x) of x < 0."""
    return problem(
        "a square root",
        f"sqrt({shown(x)})",
        "of a number >= 0",
        "a sign slip, or a bound outside of its hypotheses",
        "check the signs, and that gamma L < 1 where a bound asks for it",
    )


def no_function(name: str, kind: str) -> ProblemError:
    """A function that this kind of number does not have."""
    return problem(
        f"{name} of {kind}",
        "not a number of this kind",
        "a kind of number that has it",
        "a formula with irrational parts, or with cases, run on numbers that have none",
        "run it on floats or on balls",
    )


def singular(A: Numbers) -> ProblemError:
    """A^-1 of a singular matrix."""
    return problem(
        f"a matrix {'x'.join(map(str, A.shape))}",
        "singular",
        "an invertible matrix",
        "clients whose average has no curvature in some direction",
        "add curvature, or drop the direction",
    )


def too_large(d: int) -> ProblemError:
    """No closed form for this dimension."""
    return problem(
        "the dimension of an exact instance",
        d,
        "1 or 2 (closed-form eigenvalues and solves)",
        "a counterexample that was not shrunk",
        "look for one in d = 2 or smaller",
    )


def not_a_number(value: object, name: str, kind: str) -> ProblemError:
    """``value`` is no number of this kind."""
    return problem(
        name,
        repr(value),
        f"a rational like those of the clients ({kind}), a number, or a string like '1/3'",
        "a symbol, or a number that is not finite",
        "correct it",
    )
