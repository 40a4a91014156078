"""A report as a table for people, and as JSON for programs."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Iterable

from surrogate._types import Scalar
from surrogate.reports.digits import json_ready, number, rough, vector
from surrogate.reports.facts import Report, Speed

__all__ = ["as_json", "as_text"]

_GAP = "   "
_INDENT = "  "
_WIDTH = 118
_MOST_WEIGHTS = 6
_UNKNOWN = "-"

Factors = dict[str, Scalar | None] | None  # the norm and the radius of a round


def as_json(facts: Report) -> str:
    """All facts, every entry of every vector."""
    return json.dumps(json_ready(facts), indent=2, ensure_ascii=False, allow_nan=False)


def as_text(facts: Report) -> str:
    """The table: one block a question, labels on the left."""
    blocks = [_problem(facts), _method(facts), _rest(facts), _speed(facts), _health(facts), _bounds(facts)]
    blocks += [[line for note in facts["notes"] for line in textwrap.wrap(f"note: {note}", _WIDTH)]]
    return "\n\n".join("\n".join(block) for block in blocks if block)


def _problem(facts: Report) -> list[str]:
    about = facts["problem"]
    n, d = about["clients"], about["dimension"]
    weights = about["weights"]
    rows = [
        ("weights", [_weights(weights)]),
        ("curvature of clients", [f"mu = {number(about['mu'])}", f"L = {number(about['L'])}"]),
        ("Hessians differ by", [f"sigma_A = {number(about['sigma_A'])}"]),
        ("minimizers differ by", [f"sigma_c = {_or(about['sigma_c'], 'a client has no minimizer of its own')}"]),
    ]
    plural = "clients" if n > 1 else "client"
    return [f"{about['source']}: {n} {plural} in {d} dimension{'s' if d > 1 else ''}", *_rows(rows)]


def _weights(weights: str | list[Scalar]) -> str:
    if isinstance(weights, str):
        return weights
    if len(weights) > _MOST_WEIGHTS:
        return f"from {rough(min(weights))} to {rough(max(weights))} (all in --json)"
    return ", ".join(number(w).partition(" (")[0] for w in weights)


def _or(value: Scalar | None, otherwise: str) -> str:
    return f"undefined ({otherwise})" if value is None else number(value)


def _method(facts: Report) -> list[str]:
    about = facts["method"]
    settings = [f"{key} = {value}" for key, value in about["settings"].items()]
    return [
        f"{about['name']} ({about['paper']})",
        *_rows([("settings", settings), ("rests where", [f"sum_i w_i D_i A_i (x - c_i) = 0,  {about['formula']}"])]),
    ]


def _rest(facts: Report) -> list[str]:
    """Points side by side, a coordinate a line."""
    columns = {
        "minimizer x*": vector(facts["minimizer"]),
        "resting point": vector(facts["resting_point"]),
        "displacement": vector(facts["displacement"]),
    }
    mean = facts["problem"]["mean_client_minimizer"]
    if mean is not None:
        columns["mean of client minimizers"] = vector(mean)
    if len(facts["minimizer"]) == 1:
        return ["where it rests", *_rows((name, entries) for name, entries in columns.items())]
    lines = _grid([list(columns), *map(list, zip(*columns.values(), strict=True))])
    if max(map(len, lines)) > _WIDTH:
        lines = [line for name, entries in columns.items() for line in (_INDENT + name, *_indented(entries))]
    return ["where it rests", *lines, *_rows([("distance to x*", [number(facts["distance"])])])]


def _indented(entries: list[str]) -> list[str]:
    return [2 * _INDENT + entry for entry in entries]


def _speed(facts: Report) -> list[str]:
    """What a round does to the distance to rest: the true loss beside the method."""
    condition, speed = facts["condition_number"], facts["contraction"]
    before, after = speed["before"], speed["after"]
    lines = [["", "true loss f", facts["method"]["name"]]]
    lines.append(["condition number", number(condition["before"]), number(condition["after"])])
    symmetric = facts["has_loss"]["euclidean"]
    if speed["eta"] is not None:
        label = f"at eta = {number(speed['eta']).partition(' (')[0]}"
        lines += _factors(before["at_eta"], None if after is None else after["at_eta"], label, symmetric)
    best = before["at_best_eta"], None if after is None else after["at_best_eta"]
    if best != (None, None):
        lines.append(["best server rate eta", _best(before), _best(after)])
        lines += _factors(*best, "at the best eta", symmetric)
    return ["how fast (each round multiplies the distance to rest by the contraction)", *_grid(lines)]


def _factors(before: Factors, after: Factors, label: str, symmetric: bool) -> list[list[str]]:
    """The contraction of the true loss and of the method; that of the worst round, too, where the two differ."""
    if before is None and after is None:
        return []
    lines = [[f"contraction {label}", _part(before, "radius"), _part(after, "radius")]]
    if not symmetric and after is not None and after["norm"] is not None:
        lines.append([f"  at worst in one round {label}", _part(before, "norm"), _part(after, "norm")])
    return lines


def _best(side: Speed | None) -> str:
    if side is None or side["best_eta"] is None:
        return "no rate contracts" if side is not None and side["contracts"] is False else _UNKNOWN
    return number(side["best_eta"])


def _part(values: Factors, key: str) -> str:
    return _UNKNOWN if values is None or values[key] is None else number(values[key])


def _health(facts: Report) -> list[str]:
    bad = ", ".join(map(str, facts["ill_behaved"]))
    loss = facts["has_loss"]
    if loss["euclidean"] and facts["condition_number"]["after"] is None:
        descends = "a quadratic without a minimum (its Jacobian is symmetric, but not positive)"
    elif loss["euclidean"]:
        descends = "a loss (its Jacobian is symmetric)"
    elif loss["any"]:
        descends = "a loss in another metric only (its Jacobian is not symmetric, but has a real eigenbasis)"
    else:
        descends = "no loss in any metric, only a resting point"
    rows = [
        ("the method descends", [descends]),
        ("ill-behaved clients", [f"{bad} (pushed away from their own minimizers)" if bad else "none"]),
    ]
    return ["what it is", *_rows(rows)]


def _bounds(facts: Report) -> list[str]:
    if not facts["bounds"]:
        return []
    grid = [["", "bound", "truth / bound", "verdict on the theorem"]]
    silent = []
    for row in facts["bounds"]:
        if row["says_nothing_because"]:
            silent.append((row["name"], [f"says nothing here: {row['says_nothing_because']}"]))
        else:
            grid.append([row["name"], number(row["bound"]), _or_dash(row["truth_over_bound"]), row["verdict"]])
    lines = _grid(grid) if len(grid) > 1 else []
    return [f"bounds on the displacement, which is {number(facts['distance'])}", *lines, *_rows(silent)]


def _or_dash(value: Scalar | None) -> str:
    return "0 / 0" if value is None else number(value)


def _rows(rows: Iterable[tuple[str, list[str]]]) -> list[str]:
    """Label, then values."""
    listed = [(label, values) for label, values in rows if values]
    width = max((len(label) for label, _ in listed), default=0)
    return [line for label, values in listed for line in _wrapped(f"{label:<{width}}{_GAP}", f",{_GAP}".join(values))]


def _wrapped(head: str, text: str) -> list[str]:
    """One row, its text going on below where it began."""
    return textwrap.wrap(
        text,
        _WIDTH,
        initial_indent=_INDENT + head,
        subsequent_indent=_INDENT + " " * len(head),
        drop_whitespace=True,
        break_long_words=False,
        break_on_hyphens=False,
    )


def _grid(lines: list[list[str]]) -> list[str]:
    """Columns aligned on the left."""
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    return [
        (_INDENT + _GAP.join(f"{cell:<{width}}" for cell, width in zip(line, widths, strict=True))).rstrip()
        for line in lines
    ]
