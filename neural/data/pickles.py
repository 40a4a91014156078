"""Read pickles of arrays without running what they name: only numpy's arrays and what the caller lists may be built."""

from __future__ import annotations

import io
import pickle
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from surrogate.kit.errors import ProblemError, problem

__all__ = ["loads"]


def _encode(text: str, encoding: str = "utf-8") -> bytes:
    """`_codecs.encode` as Python 2's bytes need it: into latin-1 alone."""
    if encoding != "latin1":
        raise pickle.UnpicklingError(f"the encoding {encoding!r}")
    return text.encode(encoding)


def _scalar(dtype: np.dtype[Any], content: bytes) -> Any:
    return np.frombuffer(content, dtype=dtype)[0]


# numpy's own reconstructor, under the names that numpy 1 and numpy 2 give it.
_RECONSTRUCT: Callable[..., Any] = np.ndarray(0).__reduce__()[0]  # type: ignore[assignment]
_ALLOWED: dict[tuple[str, str], Any] = {
    ("numpy", "ndarray"): np.ndarray,
    ("numpy", "dtype"): np.dtype,
    ("_codecs", "encode"): _encode,
    **{(f"numpy.{core}.multiarray", "_reconstruct"): _RECONSTRUCT for core in ("core", "_core")},
    **{(f"numpy.{core}.multiarray", "scalar"): _scalar for core in ("core", "_core")},
}


class _Unpickler(pickle.Unpickler):
    def __init__(self, content: bytes, encoding: str, more: Mapping[tuple[str, str], Any]) -> None:
        super().__init__(io.BytesIO(content), encoding=encoding)
        self.allowed = _ALLOWED | dict(more)

    def find_class(self, module: str, name: str) -> Any:
        if (module, name) not in self.allowed:
            raise pickle.UnpicklingError(f"it names {module}.{name}, which no data file needs")
        return self.allowed[module, name]


def loads(
    content: bytes, what: str, encoding: str = "bytes", more: Mapping[tuple[str, str], Any] | None = None
) -> Any:  # fmt: skip
    """The object in a pickle called ``what`` in messages. ``more``: further (module, name) -> what to build instead."""
    try:
        return _Unpickler(content, encoding, more or {}).load()
    except ProblemError:
        raise
    except Exception as error:  # a damaged pickle may fail in any way
        raise problem(
            what, f"unreadable ({type(error).__name__}: {error})", "a whole pickle of numbers and arrays",
            "a truncated or damaged file, or one that is no data file", "fetch or copy it again",
        ) from error  # fmt: skip
