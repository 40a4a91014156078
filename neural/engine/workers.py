"""Clients in worker processes that live as long as the engine; data and vectors are in memory that all of them see."""

from __future__ import annotations

import shutil
import signal
import traceback
from collections.abc import Callable, Mapping, Sequence
from multiprocessing.connection import Connection
from pathlib import Path
from pickle import PicklingError
from typing import Any, cast

import torch
import torch.multiprocessing
from torch import Tensor

from neural.engine.draws import Draws, Visit
from neural.engine.fast_sequential import FastSequential
from neural.engine.mailbox import Mailbox
from neural.engine.mean import mean
from neural.engine.settings import Settings
from neural.ops import TORCH
from neural.tasks.task import Task
from surrogate import methods
from surrogate.kit.errors import ProblemError, problem
from surrogate.kit.executor import cores
from surrogate.kit.spawn import spawn_without_main
from surrogate.methods import Message, Method, State

__all__ = ["Workers", "dealt", "room_for"]

_SHARED_MEMORY = Path("/dev/shm")


def room_for(task: Task) -> bool:
    """Whether the task's data fits into shared memory, which containers often keep small."""
    parts = (task.data.x, task.data.y, task.data.test_x, task.data.test_y)
    needed = sum(part.numel() * part.element_size() for part in parts if not part.is_shared())
    return not _SHARED_MEMORY.is_dir() or needed * 1.1 < shutil.disk_usage(_SHARED_MEMORY).free


def dealt(method: Method, drawn: Sequence[Visit], hands: int) -> list[list[Visit]]:
    """The drawn clients by worker: the longest work first, each to the worker with the least so far."""
    steps = method.settings.get("steps")
    cost = {v: steps[v.client] if isinstance(steps, (list, tuple)) else 1 for v in drawn}
    load = [0] * hands
    piles: list[list[Visit]] = [[] for _ in range(hands)]
    for visit in sorted(drawn, key=lambda v: -cost[v]):  # stable: ties stay in the order of the draw
        least = load.index(min(load))
        load[least] += cost[visit]
        piles[least].append(visit)
    return piles


class Workers(FastSequential):
    """An engine ``kind`` in each process, and each trains its share of the drawn clients.

    Which client goes where depends on the draw alone, and so does the order in which answers are added up: the same
    number of workers and threads gives the same bits. Processes are spawned, not forked, and end with this one.
    """

    name = "workers"

    def __init__(
        self,
        task: Task,
        settings: Settings,
        device: torch.device,
        draws: Draws,
        maker: Callable[..., Method] = methods.build,
        kind: type[FastSequential] = FastSequential,
    ) -> None:
        _check(task, device)
        super().__init__(task, settings, device, draws)
        count = settings.workers or cores()
        threads = settings.threads or max(1, cores() // count)
        self.box, self.answers = Mailbox(), [Mailbox() for _ in range(count)]
        self._sent: Method | None = None
        context = torch.multiprocessing.get_context("spawn")
        self.pipes: list[Connection] = []
        self.processes: list[Any] = []
        for _ in range(count):
            mine, theirs = context.Pipe()
            sent = (theirs, task, settings, draws, threads, maker, kind)
            process = context.Process(target=_serve, args=sent, daemon=True)
            try:
                spawn_without_main(process)
            except (AttributeError, TypeError, OSError, PicklingError) as error:  # what pickle cannot take
                self.close()
                raise _not_portable(task, error) from error
            theirs.close()
            self.pipes.append(mine)
            self.processes.append(process)

    def survey(self, method: Method, state: State, drawn: Sequence[Visit], t: int) -> Message:
        """The mean of what the method wants to know at x before local work starts."""
        if method.survey is None:
            return {}
        return self._ask("survey", method, state, {}, drawn, t)[0]

    def local(
        self, method: Method, shared: State, own: Mapping[int, State], drawn: Sequence[Visit], t: int
    ) -> tuple[Message, dict[int, State]]:
        """Local work, shared out."""
        return self._ask(
            "local", method, shared, {v.client: own[v.client] for v in drawn if own.get(v.client)}, drawn, t
        )

    def loss(self, x: Tensor, drawn: Sequence[Visit], t: int) -> Tensor:
        """The mean loss of the drawn clients at x, (1,)."""
        loss: Any = self._ask("loss", None, {"x": x}, {}, drawn, t)[0]["loss"]
        return cast(Tensor, loss)

    def _ask(
        self, what: str, method: Method | None, state: State, own: Mapping[int, State], drawn: Sequence[Visit], t: int
    ) -> tuple[Message, dict[int, State]]:
        """Every worker's answer for its share of the clients, added up in the order of the workers."""
        letter = self.box.write((state, dict(own)))
        method_sent = None
        if method is not None and method is not self._sent:
            method_sent, self._sent = (method.name, dict(method.settings)), method
        piles = dealt(method or self._sent or _IDLE, drawn, len(self.pipes))
        for worker, pile in enumerate(piles):
            self._send(worker, (what, method_sent, letter, pile, t))
        answers: list[tuple[float, Message]] = []
        memories: list[dict[int, State]] = []
        for worker, pile in enumerate(piles):
            answer = self._receive(worker)
            memories.append(answer[1] if pile else {})
            answers += [(sum(v.share for v in pile), answer[0])] if pile else []
        last = {visit: worker for worker, pile in enumerate(piles) for visit in pile}
        holder = {v.client: last[v] for v in drawn}  # of a client drawn twice, the later state
        kept = {i: _copied(memories[worker][i]) for i, worker in holder.items() if i in memories[worker]}
        return mean(answers), kept

    def _send(self, worker: int, request: Any) -> None:
        try:
            self.pipes[worker].send(request)
        except (BrokenPipeError, ConnectionResetError):
            raise self._lost(worker) from None
        except (AttributeError, TypeError) as error:
            raise _not_portable(self.objective.task, error) from error

    def _receive(self, worker: int) -> Any:
        try:
            kind, content = self.pipes[worker].recv()
        except (EOFError, ConnectionResetError):
            raise self._lost(worker) from None
        if kind == "problem":
            raise content
        if kind == "error":
            raise RuntimeError(f"worker {worker} failed:\n{content}")
        return self.answers[worker].read(content)

    def _lost(self, worker: int) -> ProblemError:
        process = self.processes[worker]
        process.join(timeout=5)
        code = process.exitcode
        self.close()
        return problem(
            f"worker {worker} of {len(self.processes)}",
            f"gone (exit code {code})",
            "a process that answers",
            "memory that ran out, or a kill" if code and code < 0 else "a script without `if __name__ == '__main__':`",
            'take fewer workers, or engine="inplace"',
        )

    def close(self) -> None:
        """End the processes."""
        for pipe in self.pipes:
            pipe.close()  # they leave at the end of the pipe
        for process in self.processes:
            process.join(timeout=5)
            if process.is_alive():
                process.kill()
                process.join()
        self.pipes.clear()


_IDLE = methods.build("minibatch-sgd", ops=TORCH, eta=0)


def _copied(tree: Any) -> Any:
    """The tree out of the shared memory."""
    if torch.is_tensor(tree):
        return tree.clone()
    if isinstance(tree, dict):
        return {key: _copied(value) for key, value in tree.items()}
    return tuple(map(_copied, tree)) if isinstance(tree, tuple) else tree


def _check(task: Task, device: torch.device) -> None:
    if device.type != "cpu":
        raise problem(
            "the engine 'workers'",
            f"on {device}",
            "the CPU",
            "processes that would fight for one device",
            'take engine="batched" or "auto"',
        )
    if not room_for(task):
        raise problem(
            f"the data of {task.name}",
            f"larger than the free space of {_SHARED_MEMORY}",
            "room for one copy there",
            "a container with a small shared memory (docker: --shm-size)",
            'give it more, or take engine="inplace"',
        )


def _not_portable(task: Task, error: Exception) -> ProblemError:
    return problem(
        f"the task {task.name}, or its method's settings",
        f"not to be sent to another process ({error})",
        "functions of modules, or functools.partial of them",
        "a lambda, or a function inside a function",
        'define it at the top of a module, or take engine="inplace"',
    )


def _serve(
    pipe: Connection,
    task: Task,
    settings: Settings,
    draws: Draws,
    threads: int,
    maker: Callable[..., Method],
    kind: type[FastSequential],
) -> None:
    """A worker process: serve requests until the pipe ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the parent's to handle
    torch.set_num_threads(threads)
    torch.set_flush_denormal(True)  # as `neural.engine.flush_denormals` does for others
    engine = kind(task, settings, torch.device("cpu"), draws)
    inbox, outbox = Mailbox(), Mailbox()
    method = _IDLE
    while True:
        try:
            what, method_sent, letter, visits, t = pipe.recv()
        except EOFError:
            return
        try:
            if method_sent is not None:
                method = maker(method_sent[0], ops=TORCH, **method_sent[1])
            state, own = inbox.read(letter)
            pipe.send(("answer", outbox.write(_worked(engine, what, method, state, own, visits, t))))
        except ProblemError as error:
            pipe.send(("problem", error))
        except Exception:
            pipe.send(("error", traceback.format_exc()))


def _worked(
    engine: FastSequential, what: str, method: Method, state: State, own: dict[int, State], visits: list[Visit], t: int
) -> Any:
    """One share of a round: the mean over these visits, and what they keep."""
    if not visits:
        return None
    if what == "survey":
        return engine.survey(method, state, visits, t), {}
    if what == "loss":
        total = sum(v.share for v in visits)
        return {"loss": engine.loss(state["x"], visits, t) / total}, {}
    return engine.local(method, state, own, visits, t)
