"""A problem: clients, settings to run them with, and where they come from."""

from __future__ import annotations

import difflib
import json
import re
import tomllib
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from surrogate.kit.errors import ProblemError, problem
from surrogate.problems import entries, tables

if TYPE_CHECKING:
    from surrogate.clients import AnyClients

__all__ = ["PRESETS", "SUFFIXES", "TOML_EXAMPLE", "Problem", "load"]

PRESETS = {
    "two-clients": "the two clients of OLR section 4 (one dimension)",
    "density": "the clients of OLR Figure 1, spread over [1/2, 2] (one dimension)",
    "plane": "three clients in the plane, each flat along another direction",
}
SUFFIXES = (".toml", ".json", ".npz")

TOML_EXAMPLE = """\
[[client]]
A = [[1, 0], [0, "1/2"]]    # Hessian
c = ["1/3", 0]              # minimizer (or b = [...], for the gradient A x - b)

[[client]]
A = [[2, 0.5], [0.5, 1]]
c = [1, -1]

[run]                       # optional: defaults for the command line
gamma = "1/4"
steps = 5
"""


@dataclass(frozen=True)
class Problem:
    """A problem to run methods on, as `load` reads it.

    ``clients``: a ``Quadratics``, float64 or exact; ``settings``: those of the file's [run] table; ``source``: the name
    that reports print; ``explore``: the table of that name as it is, which only ``surrogate explore`` reads.
    """

    clients: AnyClients
    settings: dict[str, Any] = field(default_factory=dict)
    source: str = "clients from Python"
    explore: dict[str, object] = field(default_factory=dict)


def load(path_or_preset: str | Path, exact: bool = False) -> Problem:
    """Read a problem: clients and settings from a file, or a preset.

    ``path_or_preset``: a .toml, .json or .npz file, or one of two-clients, density, plane. ``exact``: every number as
    the rational that was written, in a ``surrogate.exact.Quadratics``.

    >>> load("two-clients").clients.minimizer.round(6).tolist()
    [0.666667]
    """
    if isinstance(path_or_preset, str) and path_or_preset in PRESETS:
        clients = _preset(path_or_preset, exact)
        return Problem(clients, {}, f"preset {path_or_preset}{_reach(path_or_preset, clients.n, exact)}")
    path = Path(path_or_preset)
    _check_file(path, str(path_or_preset))
    try:
        return _read(path, exact)
    except ProblemError as error:
        raise ProblemError(f"{path}: {_named(str(error))}") from None


def _preset(name: str, exact: bool) -> AnyClients:
    from surrogate import toys

    makers: dict[str, Callable[..., AnyClients]] = {
        "two-clients": toys.two_clients,
        "density": toys.density_problem,
        "plane": toys.plane,
    }
    return makers[name](exact=exact)


def _reach(name: str, n: int, exact: bool) -> str:
    """How far clients at nodes may stand for a continuum."""
    if name != "density":
        return ""
    return f" ({n} nodes stand for it, without error up to {n - 2 if exact else 2 * n - 2} local steps)"


def _read(path: Path, exact: bool) -> Problem:
    if path.suffix.lower() == ".npz":
        from surrogate.problems import archives

        return Problem(archives.read(path, exact), {}, str(path))
    table = _parsed(path)
    settings, explore = tables.settings(table.get("run", {})), tables.explore(table.get("explore", {}))
    return Problem(tables.clients(table, exact), settings, str(path), explore)


def _parsed(path: Path) -> dict[str, object]:
    """The file's table, decimals as fractions."""
    kind = path.suffix[1:].upper()
    try:
        text = path.read_text(encoding="utf-8-sig")
        if kind == "TOML":
            return tomllib.loads(text, parse_float=entries.written_float)
        table = json.loads(
            text, parse_float=entries.written_float, parse_constant=str.lower, object_pairs_hook=_without_doubles
        )
    except ProblemError:
        raise
    except (ValueError, RecursionError, OSError) as error:  # both decoders' errors are ValueErrors, and name the line
        raise problem(
            "the file",
            f"not readable as {kind}: {error or type(error).__name__}",
            f"valid {kind}",
            "a quote, comma or bracket missing at or before that place (fractions need quotes)",
            "mend that line; `surrogate toy --help` shows a small file",
        ) from None
    if not isinstance(table, dict):
        raise problem("the file", f"a {type(table).__name__}", "a table", "a bare list", '{"client": [...]}')
    return table


def _without_doubles(pairs: list[tuple[str, object]]) -> dict[str, object]:
    table: dict[str, object] = {}
    for key, value in pairs:
        if key in table:
            raise problem(f"the key {key!r}", "given twice", "each key once", "a copied line", "take one of them out")
        table[key] = value
    return table


def _check_file(path: Path, given: str) -> None:
    if path.is_dir():
        raise problem(given, "a folder", "a file or a preset", "the name of the file left out", f"{given}/FILE.toml")
    if not path.exists():
        raise _missing(path, given)
    if path.suffix.lower() not in SUFFIXES:
        raise problem(
            given,
            f"a file ending in {path.suffix!r}" if path.suffix else "a file without an ending",
            f"one of {', '.join(SUFFIXES)}",
            "another format, or a file renamed",
            "rename it after its format, or convert it",
        )


def _missing(path: Path, given: str) -> ProblemError:
    try:
        beside = [p.name for p in path.parent.iterdir() if p.suffix.lower() in SUFFIXES]
    except OSError:
        beside = []
    near = [str(path.parent / name) for name in difflib.get_close_matches(path.name, beside, n=3, cutoff=0.5)]
    near += difflib.get_close_matches(given, PRESETS, n=2, cutoff=0.5)
    return problem(
        given,
        "neither a file nor a preset",
        f"a {', '.join(SUFFIXES)} file, or one of {', '.join(PRESETS)}",
        f"a slip for {' or '.join(near)}" if near else f"another folder (looked in {path.parent.resolve()})",
        "correct the name, or write the file: `surrogate toy --help` shows a small one",
    )


def _named(message: str) -> str:
    """Name the client in errors that speak of arrays: ``A[1] is ...`` is about client 1."""
    found = re.match(r"(?:A|b|c|weights)\[(\d+)", message)
    return f"client {found[1]}: {message}" if found else message
