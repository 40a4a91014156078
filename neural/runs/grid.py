"""The runs of a sweep: what its file holds, with every point of its grid.

    [grid]                            every combination of
    seed = [0, 1]
    gamma = [0.1, 0.01]
    [[grid.method]]                   methods, each with settings of its own: lists, again in every combination,
    name = "fedavg"                   or a single value
    eta = [1.0, 0.5]
    [[grid.method]]
    name = "fedadam"
    eta = [0.01, 0.001]
    eps = 1e-3

``method = ["fedavg", "reptile"]`` where there is nothing to add; ``task`` may be either, too. ``[[grid]]``, repeated,
is several grids, one after the other. A setting that is a list itself stands in a list: ``theta = [[1, 1], [0, 1]]``.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from neural.runs import plugins
from neural.runs.config import Config, flat
from neural.runs.key import folder_name
from neural.tasks import task as tasks
from surrogate import methods
from surrogate.kit.errors import problem

__all__ = ["Trial", "expand"]

_HOMES = ("method", "task")


@dataclass(frozen=True)
class Trial:
    """One run of a sweep. ``point``: where it is in the grid, by the column that it has in tables."""

    config: Config
    point: Mapping[str, Any]
    folder: str


def expand(given: Mapping[str, Any]) -> list[Trial]:
    """The runs, in the order of the grid; every one is checked before any starts."""
    table = dict(given)
    grid = table.pop("grid", None)
    common = flat(table)
    found: dict[str, Trial] = {}
    points = _points(grid)
    names = _columns(points)
    for point in points:
        config = Config.of({**{k: v for k, v in common.items() if not _same(k, point)}, **point})
        trial = Trial(config, {names[key]: value for key, value in point.items()}, folder_name(config))
        if trial.folder in found:
            raise problem(
                "the grid", f"{point} and {dict(found[trial.folder].point)}, which are one run", "each run once",
                "blocks that overlap, or a key that does not change what is computed (rounds, device, engine ...)",
                "drop one of the two",
            )  # fmt: skip
        found[trial.folder] = trial
    return list(found.values())


def _points(grid: Any) -> list[dict[str, Any]]:
    if isinstance(grid, list) and grid:
        return [point for block in grid for point in _points(block)]
    if not isinstance(grid, Mapping) or not grid:
        raise _bad("[grid]", grid)
    return _product(_choices(key, value) for key, value in grid.items())


def _choices(key: str, value: Any) -> list[dict[str, Any]]:
    """The entries of one list; tables among methods and tasks stand for all their combinations."""
    if not isinstance(value, list) or not value:
        raise _bad(f"{key} in the grid", value)
    blocks = [_block(key, v) if key in _HOMES and isinstance(v, Mapping) else [{key: v}] for v in value]
    return [point for block in blocks for point in block]


def _block(home: str, table: Mapping[str, Any]) -> list[dict[str, Any]]:
    name = table.get("name")
    if not isinstance(name, str):
        raise problem(
            f"name in [[grid.{home}]]", repr(name), f"that of a {home}", "a key left out", 'write name = "..."'
        )
    if home == "method":
        known: Iterable[str] = methods.describe(plugins.load(name)).settings
    else:
        known = tasks.describe(plugins.load_task(name))[0]
    inner = {f"{home}.{key}" if key in known else key: value for key, value in table.items() if key != "name"}
    lists = {key: value if isinstance(value, list) else [value] for key, value in inner.items()}
    return [{home: name, **point} for point in _product(_choices(key, value) for key, value in lists.items())]


def _product(choices: Iterable[list[dict[str, Any]]]) -> list[dict[str, Any]]:
    points = []
    for parts in itertools.product(*choices):
        point: dict[str, Any] = {}
        for part in parts:
            for key in part:
                if _same(key, point):
                    raise problem(
                        f"{_bare(key)} in the grid", "given twice for one run", "once",
                        "a list for all beside one in a block",
                        "give it in every block, or in none",
                    )  # fmt: skip
            point |= part
        points.append(point)
    return points


def _same(key: str, point: Iterable[str]) -> bool:
    """Whether the point has that key, spelled with or without the table that it belongs to."""
    return any(key == other or (_bare(key) == _bare(other) and not ("." in key and "." in other)) for other in point)


def _columns(points: Iterable[Mapping[str, Any]]) -> dict[str, str]:
    """The column of each key: without its table, but where two tables have that name (task.alpha, method.alpha)."""
    keys = dict.fromkeys(key for point in points for key in point)
    tables = Counter(_bare(key) for key in keys if "." in key)
    return {key: key if "." in key and tables[_bare(key)] > 1 else _bare(key) for key in keys}


def _bare(key: str) -> str:
    return key.rpartition(".")[2]


def _bad(what: str, got: Any) -> Exception:
    return problem(what, repr(got), "lists, none empty", "a sweep without a grid", "write gamma = [0.1, 0.01]")
