"""A small gallery of made-up figures, in a package of its own, so that tests may break it."""

from __future__ import annotations

import itertools
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from figures import cli, queue
from figures.figure import Figure
from figures.registry import discover
from figures.training import Run
from surrogate.kit.executor import Stoppable
from tests.helpers.figures import trained

SOURCE = '''
from typing import Any

import numpy as np

from figures.figure import Figure, no_runs

CLAIMS = {{"up": "the line goes up", "steep": "it is steep"}}
SLOPE = {slope}


def runs(scale: str) -> list[Any]:
    return []


def table(scale: str, results: Any = ()) -> dict[str, Any]:
    """What is drawn."""
    x = np.arange(4.0)
    return {{"x": x, "y": SLOPE * x}}


def findings(rows: Any) -> list[Any]:
    from figures.findings import judge

    rise = rows["y"][-1].as_py() - rows["y"][0].as_py()
    return [
        judge(CLAIMS["up"], "rise > 0", rise > 0, {{"rise": rise}}),
        judge(CLAIMS["steep"], "rise > 100", rise > 100, {{"rise": rise}}),
    ]


def draw(rows: Any) -> Any:
    from matplotlib import pyplot

    figure, ax = pyplot.subplots(figsize=(2, 2))
    ax.plot(rows["x"], rows["y"])
    return figure


FIGURE = Figure(
    module=__name__,
    id="{id}",
    title="A line, and <nothing> else",
    alt='A straight line through 0 & 3, "the" line.',
    claims=CLAIMS,
    runs={runs},
    table=table,
    findings=findings,
    draw=draw,
)
'''

NUMBERS = itertools.count()


@dataclass
class Fakes:
    """A folder of figures, written as source."""

    folder: Path

    def write(self, name: str = "outsized/figure_1", id: str = "T.F1", slope: float = 1.0, exact: bool = True) -> Path:
        path = self.folder / f"{name}.py"
        path.parent.mkdir(exist_ok=True)
        path.write_text(SOURCE.format(id=id, slope=slope, runs="no_runs" if exact else "runs"), encoding="utf-8")
        return path

    def entries(self) -> list[Figure]:
        return discover(self.folder, self.folder.name)

    def entry(self) -> Figure:
        return self.entries()[0]

    def again(self, figure: Figure) -> Figure:
        """A figure whose file was edited."""
        return next(entry for entry in self.entries() if entry.path == figure.path)

    def change(self, old: str, new: str, name: str = "outsized/figure_1") -> None:
        """Edit a figure and forget the module that was loaded from it."""
        path = self.folder / f"{name}.py"
        text = path.read_text(encoding="utf-8")
        assert old in text
        path.write_text(text.replace(old, new), encoding="utf-8")
        sys.modules.pop(f"{self.folder.name}.{name.replace('/', '.')}", None)


@pytest.fixture
def fakes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Fakes]:
    """An empty gallery, importable."""
    name = f"made_up_figures_{next(NUMBERS)}"
    (tmp_path / name).mkdir()
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setattr(sys, "dont_write_bytecode", True)  # an edit within the same second must be seen
    yield Fakes(tmp_path / name)
    for module in [module for module in sys.modules if module.startswith(name)]:
        del sys.modules[module]


@pytest.fixture
def write(fakes: Fakes) -> Callable[..., Figure]:
    """Add a figure that trains."""

    def add(
        name: str = "figure_1",
        rates: tuple[float, ...] = (0.1, 0.2),
        flagship: bool = True,
        paper: str = "outsized",
        picks: bool = False,
    ) -> Figure:
        path = fakes.folder / paper / f"{name}.py"
        path.parent.mkdir(exist_ok=True)
        then = "picks" if picks else "no_more"
        source = trained.SOURCE.format(id=f"T.{name}", rates=rates, flagship=flagship, then=then)
        path.write_text(source, encoding="utf-8")
        return next(entry for entry in fakes.entries() if entry.path == path)

    return add


class Inline(Stoppable):
    """An executor that works in this process, on each job when it is given."""

    size = 1

    def __init__(self, done: list[Run]) -> None:
        self.done = done

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        future: Future[Any] = Future()
        try:
            future.set_result(fn(*args, **kwargs))
            self.done.append(Run.of(args[0], args[0]["scale"]))
        except Exception as error:
            future.set_exception(error)
        return future

    def stop(self) -> None:
        """Nothing runs."""


@pytest.fixture
def trainings(monkeypatch: pytest.MonkeyPatch) -> list[Run]:
    """The runs that were trained, in this process, each when it is begun, and two of them ahead of a figure."""
    done: list[Run] = []
    monkeypatch.setattr(queue, "local", lambda **options: Inline(done))
    monkeypatch.setattr(cli, "_engine", lambda args: queue.local)
    monkeypatch.setattr(queue, "AHEAD", 2)
    return done
