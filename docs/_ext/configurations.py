"""What the trained figures run at the papers' scale: read from the settings that the figures themselves use."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from .listings import grid, plain

__all__ = ["printed", "tables"]

FIRST = ("task", "method")  # a row for each of these
SEEDS = ("seed", "scale")


def tables(scale: str = "paper", up: str = "") -> str:
    """A table a figure: task and method, and every other key with all values that it takes."""
    from figures.registry import discover

    trained = [entry for entry in discover() if entry.trained]
    return "\n".join(f"## {entry.id}: {plain(entry.title)}\n\n{_table(entry.runs(scale))}" for entry in trained)


def printed(up: str = "") -> str:
    """What the papers print of their data, activations and symbols."""
    from figures.fedda import printed as fedda
    from figures.fedlada import printed as fedlada
    from figures.fedlamb import printed as fedlamb
    from figures.outsized import printed as outsized

    parts: list[tuple[str, list[str], Mapping[str, Any]]] = [
        ("OLR Table 1: data", ["data set", "clients", "examples"], outsized.DATASETS),
        ("DA Table 1: data", ["data set", "clients", "test clients", "examples", "test examples"], fedda.DATASETS),
        ("LADA Table 2: data", ["data set", "images", "test images", "pixels", "classes"], fedlada.DATASETS),
        ("LADA Table 8: smooth activations", ["name", "formula"], fedlada.ACTIVATIONS),
        ("LAMB Table 3: notation", ["symbol", "meaning"], fedlamb.NOTATION),
    ]
    return "\n".join(f"### {title}\n\n{grid(head, map(_line, rows.items()))}" for title, head, rows in parts)


def _line(row: tuple[str, Any]) -> list[str]:
    name, values = row
    cells = values if isinstance(values, tuple) else (values,)
    return [plain(name), *(f"{cell:,}" if isinstance(cell, int) else plain(cell) for cell in cells)]


def _table(runs: Iterable[Mapping[str, Any]]) -> str:
    grouped: dict[tuple[str, ...], dict[str, list[str]]] = {}
    for run in runs:
        values = grouped.setdefault(tuple(str(run[key]) for key in FIRST), {})
        for key, value in run.items():
            if key not in FIRST and (text := _text(value)) not in values.setdefault(key, []):
                values[key].append(text)
    return grid([*FIRST, "settings", "seeds"], (_row(who, values) for who, values in grouped.items()))


def _row(who: tuple[str, ...], values: dict[str, list[str]]) -> list[str]:
    given = "; ".join(f"{key} = {', '.join(found)}" for key, found in values.items() if key not in SEEDS)
    return [*(f"`{name}`" for name in who), plain(given), plain(", ".join(values.get("seed", ["0"])))]


def _text(value: Any) -> str:
    if isinstance(value, float):
        return f"{value:g}"
    return value if isinstance(value, str) else json.dumps(value, default=str)
