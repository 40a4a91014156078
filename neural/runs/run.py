"""A run: train, tell the callbacks, take up where an earlier process stopped. Its folder: see neural.runs.storage."""

from __future__ import annotations

import contextlib
import platform
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch

from neural import engine as engines
from neural.engine.draws import Draws
from neural.engine.loop import Position, train
from neural.runs import callbacks as hooks
from neural.runs import execution, files, plugins, scheduled_method
from neural.runs.callbacks import Callback
from neural.runs.config import Config
from neural.runs.contraction import contraction
from neural.runs.key import folder_name, key, sources
from neural.runs.recovery import recover
from neural.runs.target import Target
from neural.tasks import Task
from surrogate.kit.errors import problem
from surrogate.notebook import card, card_markdown

__all__ = ["RunResult", "Session", "run", "run_held"]

Say = Callable[[str], None]
_CLOCKS = ("round", "seconds")


@dataclass(frozen=True)
class RunResult:
    """``rows``: one a round, the start first; ``state``: the server's. ``manifest["status"]``: "done" or "diverged"."""

    rows: list[dict[str, Any]]
    manifest: dict[str, Any]
    state: dict[str, Any]
    folder: Path

    def rounds_to(self, target: float, measure: str = "loss") -> float:
        """The first round that measured ``target`` or better; infinite where it was not reached, or the run diverged.

        Better is less, or more where the task says so of one of its metrics.
        """
        found = Target(target, measure).rounds(self.rows, self.manifest)
        if found != found:
            measured = ", ".join(dict.fromkeys(name for row in self.rows for name in row if name not in _CLOCKS))
            raise problem("the measure", repr(measure), f"one of {measured}", "a slip", "correct it")
        return found

    def contraction(self, repeats: int = 10, clients: Sequence[int] | None = None) -> dict[int, float]:
        """h_i, by client, between where the run began and where it is now: see `neural.runs.contraction`."""
        return contraction(Config.of(self.manifest["config"]), self.state["x"], repeats, clients)

    def _facts(self) -> list[tuple[str, str]]:
        """What a notebook shows."""
        losses = [row["loss"] for row in self.rows if "loss" in row]
        fell = f"from {losses[0]:.6g} to {losses[-1]:.6g}" if losses else "not measured"
        settings = self.manifest["config"]["method"].items()
        given = ", ".join(f"{name} = {value}" for name, value in settings if name != "name")
        ended = f"{self.manifest['status']} after {self.manifest['rounds']} rounds"
        return [("ended", ended), ("loss", fell), ("settings", given), ("data", self.manifest["data"])]

    def _title(self) -> str:
        return f"{self.manifest['config']['method']['name']} on {self.manifest['config']['task']['name']}"

    def _repr_html_(self) -> str:
        return card(self._title(), self._facts())

    def _repr_markdown_(self) -> str:
        return card_markdown(self._title(), self._facts())


def run(
    config: Config | Mapping[str, Any],
    out: str | Path = "out/runs",
    say: Say = lambda line: None,
    each: Callable[[dict[str, Any]], None] = lambda row: None,
    callbacks: Sequence[Callback] = (),
    alone: bool = True,
    build: Callable[..., Task] = plugins.task,
) -> RunResult:
    """Train what ``config`` says in its own folder under ``out``, from where an earlier process left it.

    ``say`` hears what was found damaged or resumed, ``each`` every new row, ``callbacks`` more (neural/runs/callbacks),
    after those that every run has. ``alone``: the machine is this run's; False, as in sweeps: "auto" takes no
    worker processes. ``build``: makes the task, for who trains many runs of one.
    """
    config = config if isinstance(config, Config) else Config.of(config)
    folder = Path(out) / folder_name(config)
    with files.lock(folder / "lock", f"the run {folder.name}"):
        return run_held(config, folder, [hooks.Each(each), *callbacks], alone, build, say)


def run_held(
    config: Config, folder: Path, callbacks: Sequence[Callback], alone: bool, build: Callable[..., Task],
    say: Say = lambda line: None,
) -> RunResult:  # fmt: skip
    """`run` by whoever holds the folder's lock, and so can look at what is there before, or clear it up after."""
    files.tidy(folder)
    files.remove(folder / "error.txt")
    with _threads():
        return Session(config, folder, say, [*hooks.kept(), *callbacks], alone, build).go()


class Session:
    """A run in this process; callbacks see it."""

    def __init__(
        self,
        config: Config,
        folder: Path,
        say: Say,
        callbacks: Sequence[Callback] = (),
        alone: bool = True,
        build: Callable[..., Task] = plugins.task,
    ) -> None:
        self.config, self.folder, self.say, self.callbacks = config, folder, say, callbacks
        self.key, self.sources = key(config), sources(config)  # now: a file may be edited while the run goes on
        self.device = _present(engines.device_of(config.device))
        self.found = recover(folder, self.device, say)
        self.rows = self.found.rows
        self.saved = len(self.rows) - 1  # the last round that is on disk
        self.task = build(config.task, config.scale, config.task_seed, config.options)
        self.status, self.position, self.resumed = "running", None, None
        old = self.found.checkpoint
        if old:
            self.position = Position(old["rounds"], old["state"], old["own"])
            self.status, self.resumed = old["status"], old["rounds"]
            self.execution = execution.resumed(config, old["execution"], folder.name, self.over)
        else:
            self.execution = execution.begun(config, self.task, self.device, alone)

    position: Position | None
    resumed: int | None

    @property
    def over(self) -> bool:
        """Whether no round is left to train."""
        if self.position is None:
            return False
        return self.status == "diverged" or self.position.rounds >= self.config.rounds

    def stop(self, status: str) -> None:
        """End the run after this row; "diverged" for good, any other word until it is run again."""
        self.status = status

    def go(self) -> RunResult:
        """Train what is left."""
        if not self.over:
            self._train()
        elif not self.found.ended:
            self.status = self.status if self.status != "running" else "done"
            self._save()
        assert self.position is not None
        if self.position.rounds > self.config.rounds:
            self.say(f"{self.folder.name} has {self.position.rounds} rounds already, more than {self.config.rounds}")
        return RunResult(self.rows, self.manifest(), self.position.state, self.folder)

    def _train(self) -> None:
        self.status = "running"
        if self.resumed is not None:
            self.say(f"resumed after round {self.resumed}")
        with self._heard(), contextlib.closing(self._rows()) as rows:
            for row in rows:
                self._tell("row", row)
                if self.status != "running":
                    break
                if row["round"] % self.config.checkpoint_every == 0 and row["round"] < self.config.rounds:
                    self._save()
            self.status = "done" if self.status == "running" else self.status
            self._save()

    @contextlib.contextmanager
    def _heard(self) -> Iterator[None]:
        """Callbacks from `begin` to `end`, and what there is on disk when interrupted in between."""
        try:
            self._tell("begin")
            yield
        except KeyboardInterrupt:
            if self.position is not None and self.status == "running":
                self._save()
            raise
        finally:
            self._tell("end")

    def _rows(self) -> Generator[dict[str, Any]]:
        """One after the other, as the loop over rounds makes them."""
        chosen = self.execution
        settings = self.config.engine_settings(workers=chosen["workers"], threads=chosen["threads"])
        torch.set_num_threads(chosen["threads"])
        scheduled = scheduled_method.of_config(self.config, self.task, settings)
        draws = Draws(self.task, settings, scheduled.full_batch_from)
        engine = engines.build(chosen["engine"], self.task, settings, self.device, draws, scheduled.maker)
        with contextlib.closing(engine):
            for report in train(
                self.task, scheduled, settings, self.config.rounds, engine=engine, device=self.device,
                start=self.position, draws=draws,
            ):  # fmt: skip
                row = {"round": report.position.rounds, **report.read(), "seconds": report.seconds}
                self.rows.append(row)
                self.position = report.position
                yield row

    def _tell(self, moment: str, *more: Any) -> None:
        for callback in self.callbacks:
            getattr(callback, moment)(self, *more)

    def _save(self) -> None:
        assert self.position is not None
        del self.rows[self.position.rounds + 1 :]  # what an interrupt between the two left
        self._tell("save")
        self.saved = len(self.rows) - 1

    def manifest(self) -> dict[str, Any]:
        """What is run, with what, and how far it has come."""
        return {
            "key": self.key, "config": self.config.table(), "sources": self.sources,
            "status": self.status, "rounds": self.position.rounds if self.position else 0,
            "loss": next((row["loss"] for row in reversed(self.rows) if "loss" in row), None),
            "data": self.task.data.source, "better": dict(self.task.better),
            "device": str(self.device), "python": platform.python_version(), **self.execution,
        }  # fmt: skip


def _present(device: torch.device) -> torch.device:
    """The device, where this machine has it."""
    try:
        torch.empty(0, device=device)
    except (RuntimeError, AssertionError, NotImplementedError) as error:
        raise problem(
            "device", repr(str(device)), "one that this machine has", str(error).splitlines()[0],
            'pass device="auto", or a torch that is built for it',
        ) from None  # fmt: skip
    return device


@contextlib.contextmanager
def _threads() -> Iterator[None]:
    """Leave torch's number of threads as it was."""
    before = torch.get_num_threads()
    try:
        yield
    finally:
        torch.set_num_threads(before)
