"""The one message for a file that is not what its format says."""

from __future__ import annotations

import contextlib
import zlib
from collections.abc import Iterator

from surrogate.kit.errors import ProblemError, problem

__all__ = ["broken", "reading"]


def broken(file: object, got: object, expected: str) -> ProblemError:
    """The error for a damaged file, to be raised."""
    cause = "a truncated or damaged file, or one of another data set"
    return problem(str(file), got, expected, cause, "copy or fetch this file again")


@contextlib.contextmanager
def reading(file: object, expected: str) -> Iterator[None]:
    """Name the file in whatever goes wrong while it is read and taken apart."""
    try:
        yield
    except ProblemError:
        raise
    except (OSError, EOFError, KeyError, ValueError, TypeError, IndexError, zlib.error) as error:
        said = f"missing {error}" if isinstance(error, KeyError) else str(error) or type(error).__name__
        raise broken(file, f"unreadable ({said})", expected) from error
