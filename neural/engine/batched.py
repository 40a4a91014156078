"""All drawn clients at once: the methods' own code on matrices with a row a client."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, cast

import numpy as np
import torch
from torch import Tensor, nn

from neural.engine.draws import Draws, Visit
from neural.engine.fast_sequential import FastSequential
from neural.engine.loop import Sequential, observed
from neural.engine.settings import Settings
from neural.engine.stacked_clients import Models, StackedClients
from neural.tasks.task import Task
from surrogate.kit.errors import problem
from surrogate.methods import Client, Message, Method, State
from surrogate.methods.settings import listed

__all__ = ["Batched", "groups", "stacked", "unstacked"]

_NOT_PER_CLIENT = {"layers", "optimizer", "server"}


def _share_of(name: str, value: Any, i: int) -> Any:
    """What tells client i's value of a listed setting from that of others; None where all share it."""
    if name == "inner_rates":
        return tuple(value[i]) if listed(value[0]) else None
    if name in ("P", "frozen"):
        return i if getattr(value, "ndim", 3) == 3 else None
    try:
        return hash(value[i]) and value[i]
    except (TypeError, IndexError):
        return i


def groups(method: Method, drawn: Sequence[Visit]) -> list[list[Visit]]:
    """The drawn clients by equal settings: those of a group take the same steps."""
    found: dict[Any, list[Visit]] = {}
    own = [(name, value) for name, value in method.settings.items() if name not in _NOT_PER_CLIENT and listed(value)]
    for visit in drawn:
        key = tuple(_share_of(name, value, visit.client) for name, value in own)
        found.setdefault(key, []).append(visit)
    return list(found.values())


def stacked(states: Sequence[State], like: Tensor) -> State:
    """What clients keep, entry by entry as rows; entries that not all of them have yet are records, and left out.

    Numbers that differ (a count of the steps so far) become a column (M, 1) of the vectors' own kind, ``like``.
    """
    common = [key for key in states[0] if all(key in state for state in states)]
    return {key: _rows([state[key] for state in states], like) for key in common}


def _rows(values: Sequence[Any], like: Tensor) -> Any:
    first = next((value for value in values if torch.is_tensor(value)), None)
    if isinstance(values[0], tuple):
        return tuple(_rows(parts, like) for parts in zip(*values, strict=True))
    if first is None:
        if all(value == values[0] for value in values):
            return values[0]
        return torch.tensor(values, dtype=like.dtype).to(like.device, non_blocking=True)[:, None]
    return torch.stack([torch.as_tensor(v, dtype=first.dtype, device=first.device).expand(first.shape) for v in values])


def unstacked(state: State, row: int) -> State:
    """One client's part; what has no rows is the same for all."""
    return {key: _row(value, row) for key, value in state.items()}


def _row(value: Any, row: int) -> Any:
    if isinstance(value, tuple):
        return tuple(_row(part, row) for part in value)
    return value[row].clone() if torch.is_tensor(value) and value.ndim == 2 else value


class Batched(FastSequential):
    """Clients with equal settings are trained together, a group after the other; one model is evaluated as there."""

    name = "batched"

    def __init__(self, task: Task, settings: Settings, device: torch.device, draws: Draws) -> None:
        super().__init__(task, settings, device, draws)
        self.models = Models(self.objective)
        if any(isinstance(part, nn.RNNBase) for part in self.objective.flat.module.modules()):
            raise problem(
                f"the model of {task.name}",
                "recurrent",
                "layers that torch can batch over models",
                "an LSTM, which torch.vmap does not know",
                'take engine="auto", "workers" or "inplace"',
            )

    def together(self, visits: Sequence[Visit], t: int) -> StackedClients:
        """These clients as one."""
        batches = [self.draws.batches(t, v) for v in visits]
        return StackedClients(self.objective, [v.client for v in visits], batches, self.models)

    def outputs(self, x: Tensor) -> Callable[[Tensor], Tensor]:
        """On a CPU, for whose kernels the module was copied, as there; else the reference engine's."""
        return super().outputs(x) if x.device.type == "cpu" else Sequential.outputs(self, x)

    def survey(self, method: Method, state: State, drawn: Sequence[Visit], t: int) -> Message:
        """The mean of what the method wants to know at x before local work starts."""
        survey = method.survey
        if survey is None:
            return {}
        return self._mean(
            (v, survey(state, cast(Client, self.together(v, t)), v[0].client)) for v in groups(method, drawn)
        )

    def local(
        self, method: Method, shared: State, own: Mapping[int, State], drawn: Sequence[Visit], t: int
    ) -> tuple[Message, dict[int, State]]:
        """Local work, one group after the other."""
        kept: dict[int, State] = {}
        messages = []
        for visits in groups(method, drawn):
            memories = [own[v.client] if own.get(v.client) else method.enrol(shared["x"]) for v in visits]
            message, after = method.local(
                shared, stacked(memories, shared["x"]), cast(Client, self.together(visits, t)), visits[0].client
            )
            kept |= {v.client: unstacked(after, row) for row, v in enumerate(visits)}
            messages.append((visits, observed(message)))
        return self._mean(messages), kept

    def loss(self, x: Tensor, drawn: Sequence[Visit], t: int) -> Tensor:
        """The mean loss of the drawn clients at x, (1,)."""
        return self._shares(drawn, x) @ self.together(drawn, t).loss(x)

    def _mean(self, answers: Iterable[tuple[Sequence[Visit], Message]]) -> Message:
        """sum_i share_i m_i over the rows of all groups; what has no rows counts for the whole group.

        Divided by sum_i share_i where these are not all of the drawn clients, as in a worker process.
        """
        total: Message = {}
        weight = 0.0
        for visits, message in answers:
            weight += sum(v.share for v in visits)
            shares: dict[Any, Tensor] = {}  # placed once a kind
            for key, value in message.items():
                if torch.is_tensor(value) and value.ndim == 2:
                    kind = value.dtype, value.device
                    if kind not in shares:
                        shares[kind] = self._shares(visits, value)
                    part: Any = shares[kind] @ value
                else:
                    part = value * sum(v.share for v in visits)
                total[key] = total[key] + part if key in total else part
        return total if abs(weight - 1) < 1e-9 else {key: value / weight for key, value in total.items()}

    @staticmethod
    def _shares(visits: Sequence[Visit], like: Tensor) -> Tensor:
        shares = torch.from_numpy(np.array([v.share for v in visits]))
        return shares.to(like.device, like.dtype, non_blocking=True)
