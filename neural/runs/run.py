"""A run: train, write rows and checkpoints, take up where an earlier process stopped.

FOLDER/manifest.json      configuration, key, engine, status
FOLDER/rows.parquet       a row a round, up to the last checkpoint
FOLDER/checkpoint-N.pt    all state after N rounds and the rows so far; the last two are kept
"""

from __future__ import annotations

import platform
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch

from neural import engine as engines
from neural.engine.draws import Draws
from neural.engine.loop import Position, diverged, train
from neural.engine.recipe import Recipe
from neural.engine.schedules import schedule
from neural.engine.workers import cores
from neural.runs import files, plugins, storage
from neural.runs.config import Config, made
from neural.runs.files import Damaged
from neural.runs.key import folder_name, key, sources
from neural.tasks import task as tasks
from surrogate.errors import problem

__all__ = ["RunResult", "run"]

Say = Callable[[str], None]


@dataclass(frozen=True)
class RunResult:
    """``rows``: one a round, the start first; ``state``: the server's. ``manifest["status"]``: "done" or "diverged"."""

    rows: list[dict[str, Any]]
    manifest: dict[str, Any]
    state: dict[str, Any]
    folder: Path


def run(
    config: Config | Mapping[str, Any],
    out: str | Path = "out/runs",
    say: Say = lambda line: None,
    each: Callable[[dict[str, Any]], None] = lambda row: None,
) -> RunResult:
    """Train what ``config`` says in its own folder under ``out``, from where an earlier process left it.

    ``say`` hears what was found damaged or resumed, ``each`` every new row.
    """
    config = config if isinstance(config, Config) else Config.of(config)
    folder = Path(out) / folder_name(config)
    with files.lock(folder / "lock", f"the run {folder.name}"):
        files.tidy(folder)
        threads = torch.get_num_threads()
        try:
            return _Session(config, folder, say, each).go()
        finally:
            torch.set_num_threads(threads)


class _Session:
    def __init__(self, config: Config, folder: Path, say: Say, each: Callable[[dict[str, Any]], None]) -> None:
        self.config, self.folder, self.say, self.each = config, folder, say, each
        self.device = engines.device_of(config.device)
        self.saved = self._newest()
        self._check_files()
        self.task = tasks.build(config.task, config.scale, config.task_seed, **config.options)
        self.execution = self._execution()
        self.rows: list[dict[str, Any]] = list(self.saved["rows"]) if self.saved else []
        self.position: Position | None = None
        if self.saved:
            self.position = Position(self.saved["rounds"], self.saved["state"], self.saved["own"])

    def go(self) -> RunResult:
        status = self.saved["status"] if self.saved else "running"
        if self.position is None or (status != "diverged" and self.position.rounds < self.config.rounds):
            status = self._train()
        elif self.position.rounds > self.config.rounds:
            self.say(f"{self.folder.name} has {self.position.rounds} rounds already, more than {self.config.rounds}")
        assert self.position is not None
        self._save(status)
        return RunResult(self.rows, self._manifest(status), self.position.state, self.folder)

    def _train(self) -> str:
        config, chosen = self.config, self.execution
        settings = config.engine_settings(workers=chosen["workers"], threads=chosen["threads"])
        torch.set_num_threads(chosen["threads"])
        recipe = self._recipe(settings)
        draws = Draws(self.task, settings, recipe.full_batch_from)
        engine = engines.build(chosen["engine"], self.task, settings, self.device, draws, recipe.maker)
        if self.position is not None:
            self.say(f"resumed after round {self.position.rounds}")
        try:
            for report in train(
                self.task, recipe, settings, config.rounds, engine=engine, device=self.device,
                start=self.position, draws=draws,
            ):  # fmt: skip
                self.position = report.position
                row = {"round": report.position.rounds, **report.read(), "seconds": report.seconds}
                self.rows.append(row)
                self.each(row)
                if self._lost(row):
                    return "diverged"
                if row["round"] % config.checkpoint_every == 0 and row["round"] < config.rounds:
                    self._save("running")
        except KeyboardInterrupt:
            if self.position is not None:
                self._save("running")
            raise
        finally:
            engine.close()
        return "done"

    def _lost(self, row: Mapping[str, Any]) -> bool:
        """Not finite, or a loss a million times the first."""
        if not abs(row.get("update_norm", 0.0)) < float("inf"):
            return True
        first = {name: next((r[name] for r in self.rows if name in r), 0.0) for name in ("loss", "loss_before")}
        return any(name in row and diverged(row[name], first[name]) for name in first)

    def _recipe(self, settings: Any) -> Recipe:
        config = self.config
        given = {name: made(name, value) for name, value in config.settings.items()}
        gamma, eta = schedule(config.gamma_schedule), schedule(config.eta_schedule)
        maker = plugins.build if plugins.file_of(config.method) else Recipe.maker
        name = plugins.absolute(config.method)
        if not config.epochs:
            return Recipe(name, given, gamma, eta, config.full_batch_from, maker)
        batch = self.task.batch if settings.batch is None else settings.batch
        plain = Recipe(plugins.load(config.method), given).for_epochs(config.epochs, self.task.data.sizes, batch)
        return Recipe(name, plain.settings, gamma, eta, config.full_batch_from, maker)

    def _execution(self) -> dict[str, Any]:
        """Engine, workers and threads: the recorded ones when resumed, for only these give the same bits."""
        given = self.config.engine_settings()
        asked = {"engine": self.config.engine, "workers": given.workers, "threads": given.threads}
        old = self.saved["execution"] if self.saved else None
        if old:
            for name, value in asked.items():
                if value not in (None, "auto", old[name]):
                    raise problem(
                        f"{name} of the run {self.folder.name}", value, f"{old[name]}, with which it was begun",
                        "a run resumed in another way, which would not end bit-equal",
                        f"leave {name} out, or pass another --out to begin anew",
                    )  # fmt: skip
            return {name: old[name] for name in asked}
        chosen = asked["engine"]
        if chosen == "auto":
            chosen = engines.choose(self.task, given, self.device)
        workers = (given.workers or cores()) if chosen == "workers" else 1
        threads = given.threads or (max(1, cores() // workers) if chosen == "workers" else torch.get_num_threads())
        return {"engine": chosen, "workers": workers, "threads": threads}

    def _newest(self) -> dict[str, Any] | None:
        """The newest whole checkpoint; damaged ones are named and put aside; refused when all of them are."""
        found = sorted(self.folder.glob("checkpoint-*.pt"), reverse=True)
        for path in found:
            try:
                return storage.read_checkpoint(path, self.device)
            except Damaged as damage:
                self.say(f"damaged: {damage}; trying the one before")
        if found:
            raise problem(
                f"the checkpoints of {self.folder}", "all damaged", "one that is whole", "a failing disk",
                f"run `rm {self.folder}/checkpoint-*.pt` to run it from the start, or restore them",
            )  # fmt: skip
        return None

    def _check_files(self) -> None:
        """Rows and manifest can be made again from a checkpoint: damage is named, the file kept aside."""
        for name, read in (("rows.parquet", storage.read_rows), ("manifest.json", storage.read_manifest)):
            path = self.folder / name
            if path.exists():
                try:
                    read(path)
                except Damaged as damage:
                    self.say(f"damaged: {damage}; kept as {files.aside(path).name}, made again from the checkpoint")

    def _save(self, status: str) -> None:
        """The checkpoint first: it holds all that the other two are made from."""
        assert self.position is not None
        rounds = self.position.rounds
        storage.write_checkpoint(
            self.folder / f"checkpoint-{rounds:08d}.pt",
            {"rounds": rounds, "state": self.position.state, "own": self.position.own, "rows": self.rows,
             "status": status, "execution": self.execution},
        )  # fmt: skip
        storage.write_rows(self.folder / "rows.parquet", self.rows)
        storage.write_manifest(self.folder / "manifest.json", self._manifest(status))
        for old in sorted(self.folder.glob("checkpoint-*.pt"))[:-2]:
            old.unlink()

    def _manifest(self, status: str) -> dict[str, Any]:
        assert self.position is not None
        return {
            "key": key(self.config), "config": self.config.table(), "sources": sources(self.config), "status": status,
            "rounds": self.position.rounds, "data": self.task.data.source, "device": str(self.device),
            "torch": torch.__version__, "python": platform.python_version(), **self.execution,
        }  # fmt: skip
