"""A sweep on a Ray cluster: one task a run. Needs the extra ``ray``, and a folder that every node sees as its own.

The runs are those of a local sweep, in the same folders, with the same locks: a run on a node that is lost is tried
again elsewhere, and goes on from its last checkpoint. Nothing is reported to anyone.
"""

from __future__ import annotations

import contextlib
import os
import sys
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from neural.runs import files, plugins
from neural.runs.attempt import attempt
from neural.runs.extras import extra
from neural.runs.grid import Trial
from surrogate.kit.errors import ProblemError, problem

__all__ = ["Ray"]


class Ray:
    """``address``: of a running cluster ("auto" finds one on this machine); None: one of this machine alone.

    ``gpus``: of one run, also a fraction: 0.25 puts four runs on a GPU; 0: on CPUs. ``retries``: of a run whose node
    or process is lost.
    """

    def __init__(
        self, trials: Sequence[Trial], out: Path, address: str | None = None, gpus: float = 0.0, retries: int = 3
    ) -> None:
        if not 0 <= gpus < float("inf") or (gpus > 1 and gpus != int(gpus)):
            raise problem("--gpus", gpus, "0, a fraction of 1, or a whole number", "a slip", "pass --gpus 0.5")
        if retries < 0:
            raise problem("--retries", retries, "a whole number >= 0", "a sign slip", "pass --retries 3")
        os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
        os.environ.setdefault("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")  # silences a warning about a change to come
        self.ray = extra("ray", "the engine ray")
        self.trials, self.out, self.address, self.gpus, self.retries = trials, out, address, gpus, retries
        self.open: dict[Any, Trial] = {}

    def __enter__(self) -> Ray:
        ray = self.ray
        paths = os.pathsep.join(dict.fromkeys(path or os.getcwd() for path in sys.path))
        started = {} if self.address else {"include_dashboard": False}
        environment = {"env_vars": {"OMP_NUM_THREADS": "1", "PYTHONPATH": paths}}
        ray.init(
            address=self.address or "local",
            log_to_driver=False,
            logging_level="ERROR",
            runtime_env=environment,
            **started,
        )
        there = max(node["Resources"].get("GPU", 0.0) for node in ray.nodes() if node["Alive"])
        if self.gpus > there:
            ray.shutdown()
            raise problem(
                "--gpus", self.gpus, f"at most {there:g}, the most that a node of the cluster has",
                "nodes that are not up yet",
                "wait for them, or pass --gpus 0",
            )  # fmt: skip
        task = ray.remote(num_cpus=1, num_gpus=self.gpus, max_retries=self.retries)(_played)
        self.open = {task.remote(self._placed(trial), str(self.out)): trial for trial in self.trials}
        return self

    def _placed(self, trial: Trial) -> Trial:
        """With whole paths, as other processes start elsewhere; on the CPU where no GPU is reserved."""
        config = trial.config.replace(
            method=plugins.absolute(trial.config.method), task=plugins.absolute(trial.config.task)
        )
        if not self.gpus and config.device == "auto":
            config = config.replace(device="cpu")
        return replace(trial, config=config)

    def busy(self) -> bool:
        """Whether runs are open; those given up are noted as failed."""
        ready, _ = self.ray.wait(list(self.open), num_returns=len(self.open), timeout=0) if self.open else ([], [])
        for done in ready:
            trial = self.open.pop(done)
            try:
                self.ray.get(done)
            except self.ray.exceptions.RayError as error:
                with contextlib.suppress(ProblemError):
                    files.replace(self.out / trial.folder / "error.txt", f"{type(error).__name__}: {error}\n".encode())
        return bool(self.open)

    def __exit__(self, *error: Any) -> None:
        for task in self.open:
            self.ray.cancel(task, force=True)  # what they had saved is taken up by the next sweep
        self.ray.shutdown()


def _played(trial: Trial, out: str) -> None:
    """On a node: wait for whoever holds the run, the remains of a lost node say."""
    import torch

    torch.set_num_threads(1)
    while not attempt(trial, Path(out)):
        time.sleep(0.2)
