"""Client sampling and minibatches as functions of (seed, round, client), nothing else.

Every stream is numpy's Philox with the place in the run as its counter: no order of arrival, no engine and no number of
workers can change it, and no state has to be saved for a run to be resumed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from threading import Lock
from typing import Any, NamedTuple

import numpy as np

from neural.engine.reallot import Deal
from neural.engine.settings import Settings
from neural.tasks.task import Task
from surrogate.kit.errors import problem

__all__ = ["Batches", "Draws", "Visit", "client_weights", "clients"]

_CLIENTS, _BATCHES, _KEYS, _SAMPLE, _DEAL, _TESTS = 1, 2, 3, 4, 5, 6  # what a stream is for


class Visit(NamedTuple):
    """A client that takes part: its share of the mean, and how often it was drawn before in this round."""

    client: int
    share: float
    time: int = 0


def generator(seed: int, purpose: int, *place: int) -> np.random.Generator:
    """The stream of one place (up to three whole numbers)."""
    return np.random.Generator(np.random.Philox(**_state(seed, purpose, place)))


def _state(seed: int, purpose: int, place: Sequence[int]) -> dict[str, Any]:
    """In whole numbers of their own kind: of a list with one from 2^63 up numpy makes floats; seeds become equal."""
    counter = [0, *place, *[0] * (3 - len(place))]
    return {"counter": np.array(counter, np.uint64), "key": np.array([seed, purpose], np.uint64)}


_BITS = np.random.Philox()
_FRESH = {"bit_generator": "Philox", "buffer_pos": 4, "has_uint32": 0, "uinteger": 0}  # nothing taken yet
_SHUFFLER, _TURN = np.random.Generator(_BITS), Lock()


def permutation(count: int, seed: int, purpose: int, *place: int) -> Any:
    """``generator(seed, purpose, *place).permutation(count)`` in half the time: a stream is set, not made."""
    state, unused = _state(seed, purpose, place), np.zeros(4, np.uint64)
    with _TURN:
        whole: Any = _FRESH | {"state": state, "buffer": unused}
        _BITS.state = whole
        return _SHUFFLER.permutation(count)


def clients(seed: int, t: int, n: int, M: int | None) -> list[int]:
    """M of n clients without replacement, sorted; all of them when M is None."""
    if M is None:
        return list(range(n))
    return sorted(generator(seed, _CLIENTS, t).choice(n, size=M, replace=False).tolist())


class Batches:
    """One client's minibatches in one round: ``[k]`` are positions 0..size-1 of the examples of local step k.

    Without replacement within an epoch, shuffled anew for each; the last minibatch of an epoch may be smaller. With
    ``replacement`` every step draws ``batch`` of them on its own. ``batch`` = 0: all examples at every step.
    ``owned``: where the client's examples are in this round, None where they are its own.
    """

    def __init__(
        self,
        seed: int,
        t: int,
        i: int,
        size: int,
        batch: int,
        time: int = 0,
        replacement: bool = False,
        owned: Any = None,
    ) -> None:
        self.seed, self.place, self.size, self.replacement = seed, (i + (time << 32), t), size, replacement
        self.owned = owned
        self.batch = (min(batch, size) if not replacement else batch) or size
        self.nominal = batch  # may be more than the client has
        self.epoch = 1 if batch == 0 else -(-size // self.batch)  # steps in an epoch
        self.all = batch == 0
        self._shuffled: dict[int, Any] = {}

    def __getitem__(self, k: int) -> Any:
        if self.all:
            return np.arange(self.size)
        if self.replacement:
            return generator(self.seed, _BATCHES, k, *self.place).integers(self.size, size=self.batch)
        epoch, step = divmod(k, self.epoch)
        return self._order(epoch)[step * self.batch : (step + 1) * self.batch]

    def first(self, steps: int, examples: Any) -> list[Any]:
        """``examples[self[k]]`` of that many steps."""
        if self.all or self.replacement:
            return [examples[self[k]] for k in range(steps)]
        starts = range(0, self.size, self.batch)
        orders = (examples[self._order(epoch)] for epoch in range(-(-steps // self.epoch)))
        return [own[start : start + self.batch] for own in orders for start in starts][:steps]

    def whole(self, steps: int, examples: Any) -> Any:
        """``first`` as one array (steps, batch); None where a minibatch may be smaller."""
        if steps == 0 or self.all or self.replacement or self.size % self.batch:
            return None
        orders = [self._order(epoch) for epoch in range(-(-steps // self.epoch))]
        order = orders[0] if len(orders) == 1 else np.concatenate(orders)
        return examples[order[: steps * self.batch]].reshape(steps, self.batch)

    def _order(self, epoch: int) -> Any:
        if epoch not in self._shuffled:
            self._shuffled = {epoch: permutation(self.size, self.seed, _BATCHES, epoch, *self.place)}
        return self._shuffled[epoch]

    def keys(self, k: int, count: int) -> Any:
        """(count,) int64: what dropout and augmentation of step k are drawn from (`neural.noise`)."""
        base = generator(self.seed, _KEYS, k, *self.place).integers(-(2**62), 2**62)
        return base + np.arange(count)


def client_weights(task: Task, settings: Settings) -> Any:
    """(n,), 0 for clients without examples; not normalised."""
    sizes, chosen = task.data.sizes.numpy(), settings.weights
    if chosen == "examples":
        return sizes.astype(float)
    if isinstance(chosen, str) or chosen is None:
        own = task.weights if chosen is None else None
        weights = np.ones(len(sizes)) if own is None else np.array(own)
    else:
        try:
            weights = np.array(chosen, dtype=float)
        except (TypeError, ValueError):
            raise problem("weights", repr(chosen), "numbers >= 0", "words among them", "give one a client") from None
    if weights.shape != sizes.shape or not (weights >= 0).all() or not np.isfinite(weights).all():
        raise problem(
            "weights",
            f"of shape {weights.shape}",
            f'{len(sizes)} numbers >= 0, "uniform" or "examples"',
            "weights of other clients",
            "give one a client",
        )
    return np.where(sizes > 0, weights, 0.0)


class Draws:
    """All draws of a run. ``full_from``: from this round on clients see all their examples at every step."""

    def __init__(self, task: Task, settings: Settings, full_from: int | None = None) -> None:
        self.settings, self.full_from, self.replacement = settings, full_from, task.replacement
        self.sizes = task.data.sizes.numpy()
        self.weights = client_weights(task, settings)
        self.batch = task.batch if settings.batch is None else settings.batch
        _check(settings, len(self.sizes), self.weights)
        if task.closed_form and settings.batch and not task.batch:
            raise problem(
                "run.batch", settings.batch, "left out: each client of the task is one quadratic, its gradient exact",
                "minibatches of a task whose examples were put together", "pass task.batch, for clients with examples",
            )  # fmt: skip
        self.present = np.flatnonzero(self.weights > 0)  # clients that can take part: the n of the methods
        self.deal = Deal(task, settings.reallot) if settings.reallot else None
        self._dealt: tuple[int, dict[int, Any]] = (-1, {})  # the last round's

    def visits(self, t: int) -> tuple[Visit, ...]:
        """The clients of round t: M of those that have examples and weight, or all of these where they are fewer."""
        seed, M, n = self.settings.seed, self.settings.clients_per_round, len(self.present)
        if self.settings.sampling == "iid" and M is not None:
            p = self.weights / self.weights.sum()
            drawn = generator(seed, _CLIENTS, t).choice(len(p), size=M, p=p).tolist()
            return counted(drawn, [1.0] * M)
        drawn = self.present[clients(seed, t, n, None if M is None else min(M, n))].tolist()
        return counted(drawn, self.weights[drawn].tolist())

    def batches(self, t: int, visit: Visit) -> Batches:
        """The minibatches of one client in round t."""
        full = self.full_from is not None and t >= self.full_from
        i = visit.client
        batch = 0 if full else self.batch
        owned = self._owned(t, i)
        size = int(self.sizes[i]) if owned is None else len(owned)
        return Batches(self.settings.seed, t, i, size, batch, visit.time, self.replacement and not full, owned)

    def _owned(self, t: int, i: int) -> Any:
        """Client i's examples in round t, where all are dealt out anew."""
        if self.deal is None:
            return None
        if self._dealt[0] != t:
            ids = sorted({visit.client for visit in self.visits(t)})
            parts = self.deal.parts(len(ids), generator(self.settings.seed, _DEAL, t))
            self._dealt = (t, dict(zip(ids, parts, strict=True)))
        return self._dealt[1][i]

    def sample(self, count: int | None) -> list[int]:
        """A fixed sample of clients with examples, for evaluation."""
        if count is None or count >= len(self.present):
            return self.present.tolist()
        return sorted(generator(self.settings.seed, _SAMPLE).choice(self.present, size=count, replace=False).tolist())

    def tests(self, count: int | None, of: int) -> Any:
        """A fixed sample of ``of`` test examples, a sorted numpy array; None for all."""
        if count is None or count >= of:
            return None
        return np.sort(generator(self.settings.seed, _TESTS).choice(of, size=count, replace=False))


def counted(drawn: Sequence[int], weights: Sequence[float]) -> tuple[Visit, ...]:
    """Visits with shares that sum to 1."""
    total, times, visits = sum(weights), Counter[int](), []
    for i, weight in zip(drawn, weights, strict=True):
        visits.append(Visit(i, weight / total, times[i]))
        times[i] += 1
    return tuple(visits)


def _check(settings: Settings, n: int, weights: Any) -> None:
    M = settings.clients_per_round
    if M is not None and settings.sampling == "uniform" and M > n:
        raise problem(
            "clients_per_round",
            M,
            f"at most {n}, the clients there are",
            "settings for another data set",
            "leave it out for all clients",
        )
    if not (weights > 0).any():
        raise problem(
            "the clients",
            "all without examples or weight",
            "one that has both",
            "an empty split",
            "look at the data's sizes",
        )
