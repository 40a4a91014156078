"""One shape for every error: the object, its value, what was expected, the likely cause, and what to do next."""

from __future__ import annotations

__all__ = ["ProblemError", "problem"]


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
