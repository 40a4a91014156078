"""Reading and writing a state as a problem file of ``surrogate toy``, with an additional [explore] table."""

from __future__ import annotations

import tempfile
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np

from figures.explorer import menu, motion
from figures.explorer.population import Population
from figures.explorer.state import State
from surrogate import problems
from surrogate.kit.errors import ProblemError, problem
from surrogate.problems import Problem

__all__ = ["as_toml", "from_bytes", "load"]

_MOST_FROZEN = 200  # local steps whose preconditioners are written out
_SHOWN = ("start", "rounds", "per_round", "sampling", "batch")  # what [explore] may hold, beside rate


def load(file_or_preset: str | Path) -> State:
    """The state in a file (TOML, JSON, NPZ), or a preset with the usual settings; checked as ``surrogate toy`` does.

    >>> load("plane").clients.n
    3
    """
    if str(file_or_preset) in problems.PRESETS:
        return State.of({"problem": {"preset": str(file_or_preset)}})
    return _state(problems.load(Path(file_or_preset)))


def from_bytes(name: str, content: bytes) -> State:
    """The state in an uploaded file of this name."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / Path(name).name
        path.write_bytes(content)
        try:
            return load(path)
        except ProblemError as error:
            raise ProblemError(str(error).replace(f"{folder}/", "")) from None


def as_toml(s: State) -> str:
    """The state as a problem file: clients, [run] for ``surrogate toy``, [explore] for what only the explorer shows."""
    from surrogate.reports import resolve

    described = Problem(s.clients, _run(s), "the explorer", _explore(s))
    with tempfile.TemporaryDirectory() as folder:
        path = problems.save(described, Path(folder) / "problem.toml")
        resolve({}, problems.load(path))  # what we write, `toy` reads
        return path.read_text(encoding="utf-8")


def _run(s: State) -> dict[str, Any]:
    """The [run] table."""
    if s.correction != "none" and s.steps > _MOST_FROZEN:
        raise problem(
            "steps",
            s.steps,
            f"at most {_MOST_FROZEN} to write a correction as a file",
            "a file names corrected clients by the preconditioner of every local step",
            "take fewer steps, or copy the link or the Python snippet",
        )
    name, settings = s.asked
    options = dict(settings)
    run: dict[str, Any] = {"method": name}
    for key in ("gamma", "steps"):
        if key in options:
            run[key] = options.pop(key)
    if options.pop("theta", None) is not None:
        run["theta"] = list(s.theta) if isinstance(s.theta, tuple) else s.theta
        run |= {} if isinstance(s.theta, tuple) else {"steps": s.steps}
    if "eta" in s.choice.takes:
        run["eta"] = motion.rate(s)[0]
    return run | ({"set": options} if options else {})


def _explore(s: State) -> dict[str, Any]:
    """The [explore] table: what is not usual."""
    usual = State()
    table = {key: getattr(s, key) for key in _SHOWN if getattr(s, key) != getattr(usual, key)}
    rate = {None: "plain", "best": "best"}.get(s.eta)  # type: ignore[arg-type]
    return table | ({"rate": rate} if rate else {})


def _state(read: Problem) -> State:
    """The state that a file describes."""
    plain: dict[str, Any] = {"problem": Population.from_clients(read.clients).plain()}
    run = dict(read.settings)
    plain |= {key: _number(run[key], key) for key in ("gamma", "steps", "eta") if key in run}
    plain |= {"method": run["method"]} if "method" in run else {}
    plain |= _theta(run)
    plain |= _further(dict(run.get("set", {})), plain, read.clients)
    return State.of(plain | _view(read.explore))


def _theta(run: dict[str, Any]) -> dict[str, Any]:
    if "theta" not in run:
        return {}
    return {"theta": run["theta"] if isinstance(run["theta"], str) else [float(t) for t in run["theta"]]}


def _number(value: Any, key: str) -> Any:
    if isinstance(value, list):
        raise problem(
            f"{key} in the file",
            f"{len(value)} numbers, one a client",
            "one number for all clients",
            "a file written for `surrogate toy`, which takes one a client",
            "give one number; the sliders move all clients together",
        )
    return value if key == "steps" else float(value)


def _further(table: dict[str, Any], plain: dict[str, Any], clients: Any) -> dict[str, Any]:
    """The table ``set``: numbers, and preconditioners."""
    if plain.get("method") == "local-adagrad" and "frozen" in table:
        return _frozen(table)
    extra = {"P": _diagonals(table.pop("P"), clients)} if "P" in table else {}
    for key, value in table.items():
        if isinstance(value, (list, dict, bool)) or value is None:
            raise problem(f"set.{key}", repr(value)[:60], "a number", "a setting without a slider", "take it out")
    numbers = {key: float(Fraction(value)) if not isinstance(value, int) else value for key, value in table.items()}
    return extra | ({"settings": numbers} if numbers else {})


def _frozen(table: dict[str, Any]) -> dict[str, Any]:
    """Corrected clients, as `as_toml` writes them: the same preconditioner in every local step."""
    frozen = np.array(table["frozen"], dtype=float)
    if frozen.ndim != 3 or (frozen != frozen[:, :1]).any() or set(table) - {"frozen", "correction", "beta1"}:
        raise problem(
            "set.frozen",
            f"of shape {frozen.shape}",
            "(clients, steps, d), the same in every step, with beta1 and correction alone",
            "preconditioners that change from step to step",
            "use `surrogate toy`; the explorer has one a client",
        )
    return {"method": menu.PRECONDITIONED, "P": frozen[:, 0].tolist(), "correction": table.get("correction", "none")}


def _diagonals(P: Any, clients: Any) -> list[list[float]]:
    """Diagonals (n, d) of one matrix, or of one a client."""
    stack = np.array(P, dtype=float)
    stack = np.broadcast_to(stack, clients.A.shape) if stack.ndim == 2 else stack
    if stack.shape != clients.A.shape or (stack != stack * np.eye(clients.d)).any():
        raise problem(
            "set.P",
            f"of shape {stack.shape}",
            f"diagonal matrices, one or {clients.n} of size {clients.d}",
            "entries off the diagonal, which have no slider",
            "use `surrogate toy`, or diagonal preconditioners",
        )
    diagonals: list[list[float]] = np.einsum("ijj->ij", stack).tolist()
    return diagonals


def _view(table: dict[str, Any]) -> dict[str, Any]:
    known = (*_SHOWN, "rate")
    for key in table:
        if key not in known:
            raise problem(f"explore.{key}", "unknown", f"one of {', '.join(known)}", "a slip", "drop or correct it")
    view = {key: table[key] for key in _SHOWN if key in table}
    if "start" in view:
        start = view["start"] if isinstance(view["start"], list) else [view["start"]]
        view["start"] = [float(Fraction(x)) for x in start]
    if "rate" in table:
        if table["rate"] not in ("plain", "best"):
            raise problem("explore.rate", repr(table["rate"]), '"plain" or "best"', "a slip", "correct it")
        view["eta"] = None if table["rate"] == "plain" else "best"
    return view
