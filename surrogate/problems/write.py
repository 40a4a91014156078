"""Write a problem to a file that ``load`` reads back as the same problem."""

from __future__ import annotations

import json
from collections.abc import Iterator
from fractions import Fraction
from numbers import Rational
from pathlib import Path
from typing import TYPE_CHECKING, Any

from surrogate.kit.errors import problem
from surrogate.kit.files import whole
from surrogate.problems.model import SUFFIXES, Problem

if TYPE_CHECKING:
    from surrogate._types import Json, Numbers
    from surrogate.clients import AnyClients

__all__ = ["save"]

Table = dict[str, Any]  # of a file to be

# The likely cause of an error, and what to do about it
_MORE_THAN_CLIENTS = ("a [run] or [explore] table", "save as TOML or JSON instead")


def save(problem_: Problem, path: str | Path) -> Path:
    """Write ``problem_`` to ``path`` (.toml, .json or .npz), whole or not at all; returns the path.

    Rationals are written as whole numbers or strings like "1/3", floats with all their digits.

    >>> import tempfile; from surrogate import problems
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     again = problems.load(save(problems.load("plane", exact=True), folder + "/plane.toml"), exact=True)
    >>> again.clients.minimizer[0] == problems.load("plane", exact=True).clients.minimizer[0]
    True
    """
    path = Path(path)
    arrays = _arrays(problem_.clients)
    suffix = path.suffix.lower()
    if suffix == ".npz":
        extra = [*problem_.settings, *problem_.explore]
        if extra:
            raise problem("settings", ", ".join(extra), "none in an NPZ", *_MORE_THAN_CLIENTS)
        _write_npz(path, arrays)
    elif suffix in SUFFIXES:
        further = {"run": _plain(problem_.settings), "explore": _plain(problem_.explore)}
        table = {"client": _tables(arrays)} | {key: value for key, value in further.items() if value}
        text = "\n".join(_toml(table)) if suffix == ".toml" else json.dumps(table, indent=2)
        with whole(path) as partial:
            partial.write_text(text + "\n", encoding="utf-8")
    else:
        raise problem("path", str(path), f"a name ending in {', '.join(SUFFIXES)}", "no format named", "add .toml")
    return path


def _write_npz(path: Path, arrays: dict[str, Numbers]) -> None:
    """Arrays of rationals as strings like "1/3"."""
    import numpy as np

    kept: dict[str, Any] = {name: a.astype(str) if a.dtype == object else a for name, a in arrays.items()}
    with whole(path) as partial, partial.open("wb") as stream:
        np.savez(stream, **kept)


def _arrays(clients: AnyClients) -> dict[str, Numbers]:
    """What the clients were made from."""
    if clients.examples is not None:
        return {"A_z": clients.examples.A, "c_z": clients.examples.c, "client": clients.examples.owner}
    arrays = {"A": clients.A} | ({"b": clients.b} if clients._c is None else {"c": clients.c})
    uniform = all(w == clients.weights[0] for w in clients.weights)
    return arrays if uniform else arrays | {"weights": clients.weights}


def _tables(arrays: dict[str, Numbers]) -> list[Table]:
    """One table a client."""
    if "client" in arrays:
        found: list[Table] = [{"example": []} for _ in range(int(arrays["client"].max()) + 1)]
        for A, c, i in zip(arrays["A_z"], arrays["c_z"], arrays["client"], strict=True):
            found[int(i)]["example"].append({"A": _plain(A), "c": _plain(c)})
        return found
    names = {"A": "A", "b": "b", "c": "c", "weights": "weight"}
    rows = range(len(arrays["A"]))
    return [{names[key]: _plain(values[i]) for key, values in arrays.items()} for i in rows]


def _plain(value: Any) -> Json:
    """Lists, whole numbers, floats and strings only; other fractions become strings like "1/3"."""
    if isinstance(value, dict):
        return {key: _plain(v) for key, v in value.items()}
    if hasattr(value, "tolist"):  # an array, or one of its numbers
        value = value.tolist()
    if isinstance(value, (list, tuple)):
        return [_plain(v) for v in value]
    if isinstance(value, (str, int, float)):
        return value
    exact = (
        Fraction(int(value.numerator), int(value.denominator)) if isinstance(value, Rational) else Fraction(str(value))
    )
    return int(exact) if exact.denominator == 1 else str(exact)


def _toml(table: Table, name: str = "") -> Iterator[str]:
    """Lines of TOML: values first, then tables."""
    nested = {key: v for key, v in table.items() if isinstance(v, dict) or (v and _is_tables(v))}
    for key, value in table.items():
        if key not in nested:
            yield f"{key} = {json.dumps(value)}"
    for key, value in nested.items():
        path = f"{name}{key}"
        for entry in [value] if isinstance(value, dict) else value:
            yield f"\n[{path}]" if isinstance(value, dict) else f"\n[[{path}]]"
            yield from _toml(entry, f"{path}.")


def _is_tables(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(entry, dict) for entry in value)
