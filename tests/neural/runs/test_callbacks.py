"""Callbacks: when each is called, and what consoles and loggers get."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Mapping
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest
from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

import neural
from neural.runs import callbacks
from neural.runs.callbacks import Callback, Console, TensorBoard, Wandb
from neural.runs.run import Session
from surrogate.kit.errors import ProblemError

BASE: dict[str, Any] = {
    "task": "quadratic", "method": "fedavg", "gamma": 0.05, "steps": 2, "n": 3, "rounds": 12, "checkpoint_every": 5,
}  # fmt: skip


class Diary(Callback):
    """Writes down what it hears; ``stop``: ends the run after this round; ``fail``: with this error in its place."""

    def __init__(self, stop: int | None = None, fail: BaseException | None = None) -> None:
        self.heard: list[str] = []
        self.last, self.fail = stop, fail

    def begin(self, run: Session) -> None:
        self.heard.append(f"begin {run.resumed}")

    def row(self, run: Session, row: Mapping[str, Any]) -> None:
        assert run.position is not None and run.position.rounds == row["round"] and run.rows[-1] == row
        self.heard.append(str(row["round"]))
        if row["round"] == self.last:
            if self.fail is not None:
                raise self.fail
            run.stop("enough")

    def save(self, run: Session) -> None:
        self.heard.append(f"save {run.status}")

    def end(self, run: Session) -> None:
        self.heard.append("end")


def test_the_moments_of_a_run(tmp_path: Path) -> None:
    diary = Diary()
    neural.run(BASE, tmp_path, callbacks=[diary])
    rounds = [str(t) for t in range(13)]
    saved = [*rounds[:1], "save running", *rounds[1:6], "save running", *rounds[6:11], "save running", *rounds[11:]]
    assert diary.heard == ["begin None", *saved, "save done", "end"]


def test_a_callback_may_stop_a_run_which_goes_on_when_run_again(tmp_path: Path) -> None:
    diary = Diary(stop=7)
    result = neural.run(BASE, tmp_path, callbacks=[diary])
    assert (result.manifest["status"], result.manifest["rounds"], len(result.rows)) == ("enough", 7, 8)
    assert diary.heard[-3:] == ["7", "save enough", "end"]
    diary = Diary()
    assert neural.run(BASE, tmp_path, callbacks=[diary]).manifest["status"] == "done"
    assert diary.heard[:2] == ["begin 7", "8"]


@pytest.mark.parametrize("error, kept", [(KeyboardInterrupt(), 8), (ZeroDivisionError("mine"), 5)])
def test_an_interrupt_keeps_all_and_an_error_what_was_saved(tmp_path: Path, error: BaseException, kept: int) -> None:
    diary = Diary(stop=8, fail=error)
    with pytest.raises(type(error)):
        neural.run(BASE, tmp_path, callbacks=[diary])
    assert diary.heard[-1] == "end"
    again = Diary()
    neural.run(BASE, tmp_path, callbacks=[again])
    assert again.heard[0] == f"begin {kept}"


def test_a_run_that_is_over_calls_nothing(tmp_path: Path) -> None:
    neural.run(BASE, tmp_path)
    diary = Diary()
    neural.run(BASE, tmp_path, callbacks=[diary])
    assert diary.heard == []


class Terminal(io.StringIO):
    """Says that it is one."""

    def isatty(self) -> bool:
        return True


def test_the_console_is_a_bar_on_a_terminal_and_lines_elsewhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("shutil.get_terminal_size", lambda: os.terminal_size((60, 24)))
    lines, screen = io.StringIO(), Terminal()
    neural.run(BASE, tmp_path, callbacks=[Console(lines), Console(screen)])
    shown = lines.getvalue().splitlines()
    assert [line.split()[1] for line in shown] == [str(t) for t in range(13)]
    assert "loss" in shown[0] and "seconds" not in shown[0]
    frames = screen.getvalue().split("\r")[1:]
    assert len(frames) == 13 and frames[-1].startswith(f"[{'#' * 24}] 12/12  ") and frames[-1].endswith("\n")
    assert max(len(frame) for frame in frames[:-1]) == 59  # no line wraps
    assert frames[6].startswith(f"[{'#' * 12}{' ' * 12}] 6/12")


def test_the_console_tells_where_a_long_run_ended(tmp_path: Path) -> None:
    lines = io.StringIO()
    result = neural.run({**BASE, "gamma": 60.0, "rounds": 400}, tmp_path, callbacks=[Console(lines)])
    assert result.manifest["status"] == "diverged"
    shown = [int(line.split()[1]) for line in lines.getvalue().splitlines()]
    assert shown == [0, result.manifest["rounds"]]


def test_tensorboard_holds_each_round_once_even_after_a_crash(tmp_path: Path) -> None:
    with pytest.raises(ZeroDivisionError):
        neural.run(BASE, tmp_path, callbacks=[TensorBoard(), Diary(stop=8, fail=ZeroDivisionError())])
    result = neural.run(BASE, tmp_path, callbacks=[TensorBoard()])
    events = EventAccumulator(str(result.folder / "tensorboard"))
    events.Reload()
    read = {event.step: event.value for event in events.Scalars("loss")}
    assert [event.step for event in events.Scalars("loss")] == list(range(13))
    assert read == {row["round"]: pytest.approx(row["loss"], rel=1e-6) for row in result.rows}
    assert set(events.Tags()["scalars"]) == {name for row in result.rows for name in row if name != "round"}


def stub(monkeypatch: pytest.MonkeyPatch) -> SimpleNamespace:
    """A module wandb that writes down its calls; the real one, 0.31.0, was tried by hand with the same calls."""
    heard = SimpleNamespace(init=[], log=[], finish=[])
    log = SimpleNamespace(
        log=lambda row, step: heard.log.append((step, row)), finish=lambda exit_code: heard.finish.append(exit_code)
    )
    module = ModuleType("wandb")
    module.init = lambda **given: heard.init.append(given) or log  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "wandb", module)
    return heard


def test_wandb_hears_every_row_offline(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    heard = stub(monkeypatch)
    result = neural.run(BASE, tmp_path, callbacks=[Wandb("mine")])
    (given,) = heard.init
    assert (given["mode"], given["project"], given["dir"]) == ("offline", "mine", str(result.folder))
    assert result.folder.name.endswith(given["id"]) and given["config"] == result.manifest["config"]
    assert heard.log == [(row["round"], {k: v for k, v in row.items() if k != "round"}) for row in result.rows]
    assert heard.finish == [0]
    with pytest.raises(ZeroDivisionError):
        neural.run({**BASE, "seed": 1}, tmp_path, callbacks=[Wandb(), Diary(stop=3, fail=ZeroDivisionError())])
    assert heard.finish == [0, 1]


@pytest.mark.parametrize("name", ["tensorboard", "wandb"])
def test_an_extra_that_is_not_installed_is_named(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(ProblemError, match=rf"pip install 'quadratic-surrogates\[{name}\]'"):
        callbacks.logs([name])


def test_logs_by_name() -> None:
    assert [type(log) for log in callbacks.logs(["tensorboard", "tensorboard"])] == [TensorBoard]
    with pytest.raises(ProblemError, match="one of tensorboard, wandb"):
        callbacks.logs(["tensorbord"])
