"""From the tables of a TOML or JSON file to clients and settings."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterable
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from surrogate.kit.errors import ProblemError, problem
from surrogate.problems import entries

if TYPE_CHECKING:
    from surrogate.clients import AnyClients

__all__ = ["check_keys", "clients", "constructors", "explore", "settings"]

# The likely cause of an error, and what to do about it
_TWO_WAYS = ("two ways of writing clients in one file", "write all clients in the same way")
_EMPTY = ("an empty file", "write [[client]], A = ..., c = ...")
_NOT_SQUARE = (
    "a Hessian that is not square, or clients of different dimensions",
    "give every client a square A of the same size",
)
_HALFWAY = ("weights filled in halfway", "add it, or take the others out (uniform weights)")
_ROWS_LOST = ("rows lost on the way", "one target a row")
_COLUMN_LOST = ("a column lost or doubled", "give all clients the same features")
_TOO_LARGE = ("a number beyond float64", "rescale it, or use --exact")

Table = dict[str, object]  # of a parsed file

_KINDS = {"A": ("A", "c", "b", "weight"), "example": ("example",), "X": ("X", "y")}
_KEYS = tuple(dict.fromkeys(key for keys in _KINDS.values() for key in keys))
_RUN = ("gamma", "steps", "theta", "method", "eta", "set")


def check_keys(given: Iterable[str], known: Iterable[str], where: str) -> None:
    """Refuse unknown keys, with the nearest known ones."""
    known = list(known)
    for key in given:
        if key not in known:
            folded = {name.lower(): repr(name) for name in known}
            near = [folded[name] for name in difflib.get_close_matches(key.lower(), folded, n=2, cutoff=0.5)]
            cause = f"a slip for {' or '.join(near)}" if near else "a key of another format"
            expected = f"one of {', '.join(known)}"
            raise problem(f"{where}the key {key!r}", "unknown", expected, cause, "rename it or take it out")


def constructors(exact: bool) -> type[AnyClients]:
    """The class that builds clients: rationals stay exact, or are rounded once."""
    if exact:
        from surrogate.exact import Quadratics as Exact

        return Exact
    from surrogate.quadratics import Quadratics

    return Quadratics


def settings(run: object) -> dict[str, Any]:
    """The [run] table: numbers as fractions, the rest as it is."""
    if not isinstance(run, dict):
        raise problem("run", repr(run), "a table", "a value where a table belongs", "write [run] and its keys below")
    check_keys(run, _RUN, "run: ")
    found = dict(run)
    for key in ("gamma", "eta"):
        if key in run:
            found[key] = entries.numbers(run[key], f"run.{key}")
    if isinstance(run.get("theta"), list):
        found["theta"] = entries.vector(run["theta"], "run.theta")
    for key in ("method", "theta"):
        if key in run and not isinstance(run[key], (str, list) if key == "theta" else str):
            raise problem(f"run.{key}", repr(run[key]), "a name", "a number where a name belongs", "put it in quotes")
    if "steps" in run:
        found["steps"] = _steps(run["steps"])
    if not isinstance(run.get("set", {}), dict):
        raise problem("run.set", repr(run["set"]), "a table", "a single value", 'write set = { beta = "9/10" }')
    return found


def explore(table: object) -> Table:
    """The [explore] table, which only ``surrogate explore`` reads and checks."""
    if not isinstance(table, dict):
        raise problem("explore", repr(table), "a table", "a value where a table belongs", "write [explore]")
    return dict(table)


def _steps(value: object) -> object:
    counts = value if isinstance(value, list) else [value]
    for j, k in enumerate(counts):
        if isinstance(k, bool) or not isinstance(k, int) or k < 1:
            where = f"run.steps[{j}]" if isinstance(value, list) else "run.steps"
            raise problem(where, repr(k), "a whole number >= 1", "a rate in the place of a count", "write steps = 10")
    return value


def clients(table: Table, exact: bool) -> AnyClients:
    """The clients of a parsed file."""
    check_keys(table, ("client", "run", "explore"), "")
    given = _listed(table.get("client"))
    kinds = [_kind(client, f"client {i}: ") for i, client in enumerate(given)]
    for i, kind in enumerate(kinds):
        if kind != kinds[0]:
            raise problem(
                f"client {i}", f"given by {_described(kind)}", f"{_described(kinds[0])}, as client 0", *_TWO_WAYS
            )
    build: dict[str, Callable[[list[Table], bool], AnyClients]] = {"A": _plain, "example": _examples, "X": _rows}
    return build[kinds[0]](given, exact)


def _listed(given: object) -> list[Table]:
    if given is None or given == []:
        raise problem("the file", "without clients", "at least one [[client]]", *_EMPTY)
    if isinstance(given, dict):
        raise problem("client", "a single table", "a list of tables", "[client] in single brackets", "write [[client]]")
    if not isinstance(given, list) or not all(isinstance(client, dict) for client in given):
        raise problem("client", repr(given)[:60], "a list of tables", "values instead of tables", "write [[client]]")
    return given


def _kind(client: Table, where: str) -> str:
    check_keys(client, _KEYS, where)
    kind = "example" if "example" in client else "X" if "X" in client or "y" in client else "A"
    for key in client:
        if key not in _KINDS[kind]:
            raise problem(
                f"{where}the key {key!r}",
                f"given beside {_described(kind)}",
                f"no other keys than {', '.join(_KINDS[kind])}",
                "clients that keep their data weigh the same and need no A, b or c"
                if kind != "A"
                else "two ways of writing a client at once",
                "take it out",
            )
    return kind


def _described(kind: str) -> str:
    return {"A": "A with c or b", "example": "examples", "X": "X and y"}[kind]


def _needed(client: Table, key: str, where: str) -> object:
    if key not in client:
        raise problem(f"{where}{key}", "missing", "a value", "a client not finished yet", f"add {key} = ...")
    return client[key]


def _plain(given: list[Table], exact: bool) -> AnyClients:
    d, A, linear, centres = None, [], [], []
    for i, client in enumerate(given):
        where = f"client {i}: "
        A.append(entries.matrix(_needed(client, "A", where), f"{where}A"))
        if ("b" in client) == ("c" in client):
            raise problem(
                f"{where}c and b",
                "both given" if "b" in client else "both missing",
                "exactly one of the two",
                "two ways of saying where the client wants to go" if "b" in client else "a client not finished yet",
                "write c = ... (its minimizer), or b = ... for a gradient A x - b",
            )
        key = "c" if "c" in client else "b"
        v = entries.vector(client[key], f"{where}{key}")
        d = len(A[0]) if d is None else d
        _sizes(A[-1], v, d, where, key)
        centres.append(v if key == "c" else None)
        linear.append(v if key == "b" else [_dot(row, v) for row in A[-1]])
    weights, build = _weights(given), constructors(exact)
    if any(centre is None for centre in centres):
        return build.from_linear(_numbers(A, exact), _numbers(linear, exact), _numbers(weights, exact))
    return build(_numbers(A, exact), _numbers(centres, exact), _numbers(weights, exact))


def _dot(row: list[Fraction], v: list[Fraction]) -> Fraction:
    return sum((a * b for a, b in zip(row, v, strict=False)), Fraction(0))


def _sizes(A: list[list[Fraction]], v: list[Fraction], d: int, where: str, key: str) -> None:
    if (len(A), len(A[0])) != (d, d):
        raise problem(f"{where}A", f"{len(A)} x {len(A[0])}", f"{d} x {d}", *_NOT_SQUARE)
    if len(v) != d:
        raise problem(
            f"{where}{key}", f"of length {len(v)}", f"length {d}, to go with A", "a number lost or doubled", "mend it"
        )


def _weights(given: list[Table]) -> list[Fraction] | None:
    have = [i for i, client in enumerate(given) if "weight" in client]
    if not have:
        return None
    missing = [i for i in range(len(given)) if i not in have]
    if missing:
        raise problem(
            f"client {missing[0]}: weight",
            f"missing, while client {have[0]} has one",
            "a weight on every client, or on none",
            *_HALFWAY,
        )
    return [entries.number(client["weight"], f"client {i}: weight") for i, client in enumerate(given)]


def _examples(given: list[Table], exact: bool) -> AnyClients:
    A, c, owner, d = [], [], [], None
    for i, client in enumerate(given):
        listed = client["example"]
        if not isinstance(listed, list) or not listed or not all(isinstance(z, dict) for z in listed):
            raise problem(f"client {i}: example", repr(listed)[:60], "tables", "single brackets", "[[client.example]]")
        for k, example in enumerate(listed):
            where = f"client {i}: example {k}: "
            check_keys(example, ("A", "c"), where)
            A.append(entries.matrix(_needed(example, "A", where), f"{where}A"))
            c.append(entries.vector(_needed(example, "c", where), f"{where}c"))
            d = len(A[0]) if d is None else d
            _sizes(A[-1], c[-1], d, where, "c")
            owner.append(i)
    try:
        return constructors(exact).from_examples(_numbers(A, exact), _numbers(c, exact), owner)
    except ProblemError as error:
        raise ProblemError(_owned(str(error), "A_z", owner)) from None


def _owned(message: str, name: str, owner: list[int]) -> str:
    """Say whose example ``A_z[5]`` is."""
    for z, i in enumerate(owner):
        message = message.replace(f"{name}[{z}]", f"client {i}: example {z - owner.index(i)}: A")
    return message


def _rows(given: list[Table], exact: bool) -> AnyClients:
    X: list[list[Fraction]] = []
    y: list[Fraction] = []
    owner: list[int] = []
    for i, client in enumerate(given):
        where = f"client {i}: "
        rows = entries.matrix(_needed(client, "X", where), f"{where}X")
        targets = entries.vector(_needed(client, "y", where), f"{where}y")
        if len(rows) != len(targets):
            raise problem(f"{where}y", f"of length {len(targets)}", f"length {len(rows)}", *_ROWS_LOST)
        if X and len(rows[0]) != len(X[0]):
            raise problem(
                f"{where}X", f"with rows of {len(rows[0])} numbers", f"{len(X[0])}, as client 0", *_COLUMN_LOST
            )
        X += rows
        y += targets
        owner += [i] * len(rows)
    return constructors(exact).least_squares(_numbers(X, exact), _numbers(y, exact), owner)


def _numbers(value: Any, exact: bool) -> object:
    """Nested lists of fractions as they are, or as floats."""
    if value is None or exact:
        return value
    if isinstance(value, list):
        return [_numbers(v, exact) for v in value]
    try:
        return float(value)
    except OverflowError:
        raise problem("a number", str(value)[:40] + "...", "at most 1.8e308", *_TOO_LARGE) from None
