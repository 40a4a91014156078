"""One shape for every error: the object, its value, what was expected, the likely cause, and what to do next."""

from __future__ import annotations

import difflib
from collections.abc import Iterable

__all__ = ["ProblemError", "problem", "shortened", "slip", "unknown"]


class ProblemError(ValueError):
    """Input that the mathematics cannot take. The message says which part, which value, and what to do next."""


def problem(what: str, got: object, expected: str, cause: str, fix: str) -> ProblemError:
    """The error to raise: ``raise problem("gamma", -1, "a rate >= 0", "a sign slip", "pass abs(gamma)")``.

    >>> print(problem("gamma", -1, "a rate >= 0", "a sign slip", "pass a positive rate"))
    gamma is -1, expected a rate >= 0.
      Likely cause: a sign slip.
      What to do: pass a positive rate.
    """
    end = "" if fix.endswith("?") else "."
    return ProblemError(f"{what} is {got}, expected {expected}.\n  Likely cause: {cause}.\n  What to do: {fix}{end}")


def slip(
    name: object, known: Iterable[str], otherwise: str, most: int = 3, cutoff: float = 0.5, quoted: bool = False
) -> str:
    """The likely cause of an unknown name: a slip for one of the nearest known ones, or ``otherwise``.

    >>> slip("fedavgg", ["fedavg", "scaffold"], "a method that is not here")
    'a slip for fedavg'
    """
    near = difflib.get_close_matches(str(name), list(known), n=most, cutoff=cutoff)
    return f"a slip for {' or '.join(map(repr, near) if quoted else near)}" if near else otherwise


def unknown(what: str, name: object, known: Iterable[str], otherwise: str, fix: str, got: str = "") -> ProblemError:
    """The error for a ``name`` that is not among the known ones; ``got``: what to call it, by default its ``repr``."""
    known = list(known)
    expected = f"one of {', '.join(known) or 'none: there are none'}"
    return problem(what, got or repr(name), expected, slip(name, known, otherwise), fix)


def shortened(value: object, most: int = 80) -> str:
    """``repr(value)``, cut to fewer than ``most`` characters."""
    text = repr(value)
    return text if len(text) < most else text[: most - 3] + "..."
