"""The executor on a Ray cluster: one task a job. Needs the extra ``ray``; nothing is reported to anyone.

Nodes see the same files under the same names: a job writes where the next one, or its own second try on another node,
reads.
"""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Callable
from concurrent import futures
from concurrent.futures import Future
from typing import Any, TypeVar

from surrogate.kit.errors import problem
from surrogate.kit.executor import GRACE, RETRIES, Stoppable, Stopped, WorkerDied, packed, perform, unpacked
from surrogate.kit.extras import extra

__all__ = ["Ray"]

T = TypeVar("T")


class Ray(Stoppable):
    """``address``: of a running cluster ("auto" finds one on this machine); None: one of this machine alone.

    ``gpus``: of one job, also a fraction: 0.25 puts four jobs on a GPU; 0: on CPUs. ``retries``: of a job whose node or
    process is lost. ``end``, ``grace``: as in `surrogate.kit.executor.Local`; clocks of all nodes agree.
    """

    def __init__(
        self,
        address: str | None = None,
        gpus: float = 0.0,
        *,
        end: float | None = None,
        retries: int = RETRIES,
        grace: float = GRACE,
    ) -> None:
        self.check(gpus=gpus, retries=retries)
        os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
        os.environ.setdefault("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")  # silences a warning about a change to come
        self.ray = extra("ray", "the engine ray")
        self.device, self.end, self.grace = None if gpus else "cpu", end, grace
        self._tasks: dict[Future[Any], Any] = {}
        self._connect(address)
        self.size = self._room(gpus)
        self._task = self.ray.remote(num_cpus=1, num_gpus=gpus, max_retries=retries)(perform)

    @staticmethod
    def check(address: str | None = None, gpus: float = 0.0, retries: int = RETRIES) -> None:
        """Refuse options that no cluster can meet."""
        if not 0 <= gpus < float("inf") or (gpus > 1 and gpus != int(gpus)):
            raise problem("--gpus", gpus, "0, a fraction of 1, or a whole number", "a slip", "pass --gpus 0.5")
        if retries < 0:
            raise problem("--retries", retries, "a whole number >= 0", "a sign slip", "pass --retries 3")

    def _connect(self, address: str | None) -> None:
        paths = os.pathsep.join(dict.fromkeys(path or os.getcwd() for path in sys.path))
        started = {} if address else {"include_dashboard": False}
        environment = {"env_vars": {"OMP_NUM_THREADS": "1", "PYTHONPATH": paths}}
        self.ray.init(
            address=address or "local", log_to_driver=False, logging_level="ERROR", runtime_env=environment, **started
        )

    def _room(self, gpus: float) -> int:
        """How many jobs the cluster runs at a time; refused where no node has the GPUs of one."""
        nodes = [node["Resources"] for node in self.ray.nodes() if node["Alive"]]
        most = max(node.get("GPU", 0.0) for node in nodes)
        if gpus > most:
            self.ray.shutdown()
            raise problem(
                "--gpus", gpus, f"at most {most:g}, the most that a node of the cluster has",
                "nodes that are not up yet",
                "wait for them, or pass --gpus 0",
            )  # fmt: skip
        rooms = [min(node.get("CPU", 0.0), node.get("GPU", 0.0) / gpus if gpus else float("inf")) for node in nodes]
        return max(1, int(sum(rooms)))

    def submit(self, fn: Callable[..., T], /, *args: Any, **kwargs: Any) -> Future[T]:
        """A future of ``fn(*args, **kwargs)``; its exception is the job's, `Stopped` or `WorkerDied`."""
        future: Future[T] = Future()
        future.set_running_or_notify_cancel()
        self._tasks[future] = task = self._task.remote(packed(fn, args, kwargs, self.end, self.device))
        task.future().add_done_callback(lambda answer: self._answered(future, answer))
        return future

    def _answered(self, future: Future[Any], answer: Future[bytes]) -> None:
        if self._tasks.pop(future, None) is None:
            return  # `stop` waits for it no more
        try:
            work = answer.result()
        except Exception as error:  # Ray's own: a node that was lost, a task that was cancelled
            future.set_exception(WorkerDied(f"{type(error).__name__}: {error}"))
            return
        try:
            future.set_result(unpacked(work))
        except Exception as error:
            future.set_exception(error)

    def stop(self) -> None:
        """Cancel all tasks; those that run have ``grace`` seconds to save themselves."""
        tasks = dict(self._tasks)
        for task in tasks.values():
            self.ray.cancel(task, force=False)  # KeyboardInterrupt, where it runs
        with contextlib.suppress(KeyboardInterrupt):
            futures.wait(tasks, self.grace)
        self.ray.shutdown()
        for future in tasks:
            if self._tasks.pop(future, None) is not None:  # else it was answered
                future.set_exception(Stopped("it did not save itself in time"))

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """As the standard library says; a cluster that was started here ends."""
        if cancel_futures:
            self.stop()
        elif wait:
            futures.wait([*self._tasks])
        if wait or cancel_futures:
            self.ray.shutdown()
