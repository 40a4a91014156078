"""The one executor: worker processes behind the standard library's `concurrent.futures.Executor`.

`Local` are processes on this machine, `surrogate.kit.ray_executor.Ray` tasks on a cluster. A job is a function with its
arguments, all of which can be pickled. A long job asks `stopping` now and then, saves what it has when that is true,
and raises KeyboardInterrupt; `device` says what it may compute on.
"""

from __future__ import annotations

import atexit
import contextlib
import multiprocessing
import os
import pickle
import signal
import threading
import time
import traceback
from abc import abstractmethod
from collections.abc import Callable, Sequence
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from multiprocessing import resource_tracker
from multiprocessing.connection import Connection
from typing import Any, ParamSpec, TypeVar

from surrogate.kit.errors import problem
from surrogate.kit.spawn import spawn_without_main

__all__ = [
    "GRACE", "RETRIES", "Local", "Stoppable", "Stopped", "WorkerDied", "cores", "device", "packed", "perform",
    "stopping", "unpacked",
]  # fmt: skip

GRACE = 30.0  # seconds for a job to save itself once it is to stop
MOST = 8  # worker processes that are begun unasked
NICE = 5  # of worker processes, so that a desktop stays usable
RETRIES = 3  # of a job whose process died
_ONE_THREAD = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")

P = ParamSpec("P")
T = TypeVar("T")


class Stopped(Exception):
    """A job that did not end: time was up, or the executor was stopped."""


class WorkerDied(RuntimeError):
    """The process of a job ended without an answer, and so did those of its retries."""


class _Now:
    """What `stopping` and `device` answer in this process."""

    end: float | None = None
    device: str | None = None
    stopped: Callable[[], bool] = staticmethod(lambda: False)


def stopping() -> bool:
    """In a job: whether to save what there is and leave, since time is up, or the executor stopped or gone."""
    return (_Now.end is not None and time.time() >= _Now.end) or _Now.stopped()


def device() -> str | None:
    """In a job: the device that was dealt to its process; None where there is nothing to deal out."""
    return _Now.device


def cores() -> int:
    """How many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class Stoppable(Executor):
    """An executor that can be stopped: leaving its ``with`` block by an exception, Ctrl-C say, stops it.

    ``size``: how many jobs run at a time.
    """

    size: int

    @abstractmethod
    def stop(self) -> None:
        """Cancel what waits, and end what runs; jobs that ask `stopping` have time to save themselves."""

    def __exit__(self, kind: type[BaseException] | None, *rest: object) -> None:
        if kind is not None:
            self.stop()
        self.shutdown()


class Local(ThreadPoolExecutor, Stoppable):
    """Spawned processes, started when needed, of one BLAS and OpenMP thread each; Ctrl-C is left to their parent.

    ``workers``: jobs at a time; default one a device, or else one a core, at most ``MOST``. They run at a lower
    priority, ``NICE`` below this process. ``devices``: dealt out in turn, one a worker.
    ``end``: the time (of time.time) at which no job begins any more, and `stopping` becomes true. ``retries``: of a
    job whose process died. ``grace``: seconds that jobs have to save themselves when the executor is stopped.
    """

    def __init__(
        self,
        workers: int | None = None,
        *,
        devices: Sequence[str] = (),
        end: float | None = None,
        retries: int = RETRIES,
        grace: float = GRACE,
    ) -> None:
        self.check(workers)
        self.size = workers or len(devices) or min(cores(), MOST)
        self.devices, self.end, self.retries, self.grace = devices, end, retries, grace
        self._workers: list[_Worker] = []
        self._mine = threading.local()
        self._starting, self._stopped = threading.Lock(), False
        super().__init__(self.size, "worker", initializer=_leave_interrupts)

    @staticmethod
    def check(workers: int | None = None) -> None:
        """Refuse a number of workers that cannot be."""
        if workers is not None and workers < 1:
            raise problem("--processes", workers, "a whole number >= 1", "a slip", "pass --processes 2")

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        """A future of ``fn(*args, **kwargs)``; its exception is the job's, `Stopped` or `WorkerDied`."""
        return super().submit(self._run, fn, args, kwargs)

    def _run(self, fn: Callable[..., T], args: tuple[object, ...], kwargs: dict[str, object]) -> T:
        """In a thread of its own for each process: pass the job on, and wait for the answer."""
        for _ in range(self.retries + 1):
            worker = self._worker()
            work = packed(fn, args, kwargs, self.end, worker.device)
            try:
                answer = worker.ask(work)
            except (EOFError, OSError):
                worker.end()
                continue
            value: T = unpacked(answer)
            return value
        raise WorkerDied(f"its process died (exit code {worker.process.exitcode})")

    def _worker(self) -> _Worker:
        worker: _Worker | None = getattr(self._mine, "worker", None)
        with self._starting:
            if self._stopped:
                raise Stopped("the executor was stopped")
            if worker is None or not worker.process.is_alive():
                place = len(self._workers) if worker is None else self._workers.index(worker)
                device = self.devices[place % len(self.devices)] if self.devices else None
                worker = self._mine.worker = _Worker(device, self.grace)
                self._workers[place : place + 1] = [worker]
        return worker

    def stop(self) -> None:
        """Cancel what waits; jobs have ``grace`` seconds to save themselves, then their processes are killed."""
        with self._starting:
            self._stopped = True
        super().shutdown(wait=False, cancel_futures=True)
        until = time.monotonic() + self.grace
        try:
            for worker in self._workers:
                worker.send(b"")
            for worker in self._workers:
                worker.process.join(max(0.0, until - time.monotonic()))
        finally:
            for worker in self._workers:
                worker.process.kill()

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """As the standard library says; the processes end with the last job."""
        super().shutdown(wait, cancel_futures=cancel_futures)
        for worker in self._workers if wait else ():
            worker.end()


class _Worker:
    """A process, and the pipe to it: a job's bytes in, an answer's out; no bytes, or the end of the pipe: leave."""

    def __init__(self, device: str | None, grace: float) -> None:
        context = multiprocessing.get_context("spawn")
        self.device = device
        self.pipe, theirs = context.Pipe()
        self.process = context.Process(target=_serve, args=(theirs, grace))
        spawn_without_main(self.process)
        theirs.close()
        self._sending = threading.Lock()
        atexit.register(self.end)

    def send(self, work: bytes) -> None:
        with self._sending, contextlib.suppress(OSError):  # `ask` notices where it has died
            self.pipe.send_bytes(work)

    def ask(self, work: bytes) -> bytes:
        self.send(work)
        return self.pipe.recv_bytes()

    def end(self) -> None:
        """Let it leave, and wait for that."""
        atexit.unregister(self.end)
        self.send(b"")
        self.process.join()
        self.pipe.close()


def _leave_interrupts() -> None:
    """In a thread: leave Ctrl-C to the main thread; processes that are started here inherit this."""
    resource_tracker.ensure_running()  # which would unblock it with the first process
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})


def _serve(pipe: Connection, grace: float) -> None:
    """A worker's life: one job after the other."""
    os.environ.update(dict.fromkeys(_ONE_THREAD, "1"))  # before the first job imports anything that reads them
    if hasattr(os, "nice"):
        os.nice(NICE)
    threading.Thread(target=_orphaned, args=(grace,), daemon=True).start()
    _Now.stopped = pipe.poll  # nothing is sent during a job, but that it is to stop
    with contextlib.suppress(EOFError, OSError):
        while work := pipe.recv_bytes():
            pipe.send_bytes(perform(work))


def _orphaned(grace: float) -> None:
    """End this process some time after its parent, whatever it does."""
    parent = multiprocessing.parent_process()
    assert parent is not None
    parent.join()
    time.sleep(grace)
    os._exit(1)


def packed(
    fn: Callable[..., object], args: tuple[object, ...], kwargs: dict[str, object], end: float | None, dealt: str | None
) -> bytes:
    """A job as `perform` takes it. ``dealt``: the device that it may use."""
    return pickle.dumps((fn, args, kwargs, end, dealt))


def perform(work: bytes) -> bytes:
    """In a worker: the job, and its answer or exception."""
    try:
        fn, args, kwargs, _Now.end, _Now.device = pickle.loads(work)
        if stopping():
            raise Stopped("time was up")
        return pickle.dumps((True, fn(*args, **kwargs)))
    except KeyboardInterrupt:
        return pickle.dumps((False, Stopped("stopped on the way")))
    except Exception as error:
        return pickle.dumps((False, _portable(error)))
    finally:
        _Now.end = _Now.device = None


def unpacked(answer: bytes) -> Any:
    """What the job returned; or its exception is raised here."""
    fine, value = pickle.loads(answer)
    if fine:
        return value
    raise value


def _portable(error: Exception) -> Exception:
    """The exception, or where pickle loses it one with its words; a note says where in the worker it was raised."""
    where = "in a worker process:\n" + "".join(traceback.format_exception(error)).rstrip()
    try:
        pickle.loads(pickle.dumps(error))
    except Exception:
        error = RuntimeError(f"{type(error).__name__}: {error}")
    error.add_note(where)
    return error
