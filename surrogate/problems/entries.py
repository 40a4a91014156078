"""Numbers, vectors and matrices as people write them, with errors that say where they stand."""

from __future__ import annotations

import re
from fractions import Fraction

from surrogate.kit.errors import ProblemError, problem, shortened

__all__ = ["matrix", "nested", "number", "numbers", "vector", "written", "written_float"]

# The likely cause of an error, and what to do about it
_NO_NUMBER = ("a slip of the pen, or a list where one number belongs", 'write 2, 0.5, or "1/3" (fractions in quotes)')
_FLAT = ("a matrix written as one list", "write [[1, 0], [0, 2]], a list a row")
_RAGGED = ("a ragged matrix: a number lost or doubled", "give all rows the same length")

Nested = Fraction | list["Nested"]

_SHAPE = re.compile(r"\s*[-+]?[0-9_.]+(?:[eE][-+]?(?P<exponent>[0-9_]+))?\s*(?:/\s*[0-9_]+)?\s*", re.ASCII)
_LONGEST = 2000  # characters of a number
_LARGEST_EXPONENT = 400  # past float64's range; 1e999999999 would fill the memory


def written(text: str) -> Fraction:
    """The number that a text such as "1/3", "0.1", "-2" or "1e-3" stands for, exactly; ValueError if it is none."""
    found = _SHAPE.fullmatch(text) if len(text) <= _LONGEST else None
    if found is None or int(found["exponent"] or 0) > _LARGEST_EXPONENT:
        raise ValueError(text)
    return Fraction(text.replace(" ", ""))


def written_float(text: str) -> Fraction | str:
    """For the parsers of TOML and JSON: a decimal as the fraction it says; inf and nan stay, to be refused in place."""
    try:
        return written(text)
    except ValueError:
        return text if text.strip("+-") in ("inf", "nan") else f"{text} (a number too large)"


def number(value: object, where: str) -> Fraction:
    """One number: whole, decimal, or a string like "1/3"."""
    try:
        if isinstance(value, str):
            return written(value)
        if not isinstance(value, bool) and isinstance(value, (int, Fraction)):
            return Fraction(value)
    except ZeroDivisionError:
        raise problem(
            where, repr(value), "a number", "a fraction with denominator 0", 'write a fraction like "1/3"'
        ) from None
    except ValueError:
        pass
    raise problem(where, shortened(value), 'a finite number, or a string like "1/3"', *_NO_NUMBER)


def numbers(value: object, where: str) -> Fraction | list[Fraction]:
    """A number, or a list of numbers."""
    if not isinstance(value, list):
        return number(value, where)
    return [number(v, f"{where}[{j}]") for j, v in enumerate(value)]


def vector(value: object, where: str) -> list[Fraction]:
    """A list of numbers; a single number stands for a list of one."""
    if not isinstance(value, list):
        return [number(value, where)]
    if not value:
        raise _empty(where, "[1, 0]")
    return [number(v, f"{where}[{j}]") for j, v in enumerate(value)]


def matrix(value: object, where: str) -> list[list[Fraction]]:
    """A list of rows of one length; a single number stands for a 1 x 1 matrix."""
    if not isinstance(value, list):
        return [[number(value, where)]]
    if not value:
        raise _empty(where, "[[1, 0], [0, 2]]")
    if not all(isinstance(row, list) for row in value):
        raise problem(where, shortened(value), "a list of rows", *_FLAT)
    rows = [vector(row, f"{where}[{j}]") for j, row in enumerate(value)]
    for j, row in enumerate(rows):
        if len(row) != len(rows[0]):
            raise problem(f"{where}[{j}]", f"a row of {len(row)} numbers", f"{len(rows[0])}, as in row 0", *_RAGGED)
    return rows


def _empty(where: str, example: str) -> ProblemError:
    return problem(where, "an empty list", "numbers", "a value not filled in yet", f"write something like {example}")


def nested(value: object, where: str) -> Nested:
    """Numbers, or lists of lists of them, however deep."""
    if isinstance(value, list):
        return [nested(v, f"{where}[{j}]") for j, v in enumerate(value)]
    return number(value, where)
