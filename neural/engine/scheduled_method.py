"""A method whose rates follow schedules: the `Method` of each round."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import torch

from neural.engine.schedules import CONSTANT, Schedule
from neural.ops import TORCH
from surrogate import methods
from surrogate.kit.errors import problem
from surrogate.methods import Method

__all__ = ["ScheduledMethod", "no_steps"]


@dataclass(frozen=True, eq=False)
class ScheduledMethod:
    """``at(t)`` is the method of round t.

    ``settings``: those of the method, ``gamma`` and ``eta`` as they are in round 0. ``full_batch_from``: from this
    round on clients take one step, on all their examples (FedDA's tail), without ``inner_rates``, which are for K.
    ``maker(name, ops=..., **settings)`` builds methods: the registry's, or that of a user's file.
    """

    name: str
    settings: Mapping[str, Any] = field(default_factory=dict)
    gamma_schedule: Schedule = CONSTANT
    eta_schedule: Schedule = CONSTANT
    full_batch_from: int | None = None
    maker: Callable[..., Method] = methods.build

    def __post_init__(self) -> None:
        for name in ("gamma", "eta"):
            self._check(name, getattr(self, f"{name}_schedule"))
        if self.full_batch_from is not None and "steps" not in self.settings:
            raise no_steps(self.name, "full_batch_from")

    def _check(self, name: str, schedule: Schedule) -> None:
        given = self.settings.get(name) is not None
        if schedule != CONSTANT and given == schedule.absolute:
            raise problem(
                f"the {name} schedule of {self.name}",
                f"{schedule.kind!r} {'beside' if given else 'without'} {name}",
                f"{name} left out" if given else f"{name} given",
                "a schedule with rates of its own" if given else "a method that has no such rate, or a rate left out",
                "drop one of the two" if given else f"pass {name}=..., or drop the schedule",
            )

    @cached_property
    def _made(self) -> dict[Any, Method]:
        return {}

    def at(self, t: int) -> Method:
        """The method of round t; the last one made is kept, for most rounds share it."""
        tail = self.full_batch_from is not None and t >= self.full_batch_from
        changed = {name: self._rate(name, t) for name in ("gamma", "eta") if self._scheduled(name)}
        key = (tail, *(self._moment(name, t) for name in ("gamma", "eta")))
        if key not in self._made:
            self._made.clear()
            settings = {**self.settings, **changed} | ({"steps": 1} if tail else {})
            if tail:
                settings.pop("inner_rates", None)
            self._made[key] = self.maker(self.name, ops=TORCH, **settings)
        return self._made[key]

    def _scheduled(self, name: str) -> bool:
        return bool(getattr(self, f"{name}_schedule") != CONSTANT)

    def _rate(self, name: str, t: int) -> Any:
        schedule = getattr(self, f"{name}_schedule")
        return getattr(schedule, name)(self.settings.get(name), t)

    def _moment(self, name: str, t: int) -> Any:
        """What tells the rates of two rounds apart."""
        schedule = getattr(self, f"{name}_schedule")
        return t if schedule.absolute else schedule.factor_at(t)

    def on(self, dtype: torch.dtype, device: torch.device, layers: Sequence[slice] = ()) -> ScheduledMethod:
        """The same method with its arrays as tensors there, and plain numbers where a setting is one a client.

        ``layers``: those of the model, for layer-wise methods that were not given any.
        """
        settings = {name: _placed(value, dtype, device) for name, value in self.settings.items()}
        if layers and settings.get("layers") is not None:
            _within(settings["layers"], layers[-1].stop)
        if len(layers) > 1 and "layers" in methods.describe(self.name).settings:
            settings = {"layers": list(layers), **settings}
        return replace(self, settings=settings)

    def for_epochs(self, epochs: int, sizes: Any, batch: int) -> ScheduledMethod:
        """The same method with as many local steps as ``epochs`` passes over each client's own examples take."""
        if "steps" in self.settings:
            raise problem(
                "steps",
                "given beside epochs",
                "one of the two",
                "settings merged from two places",
                "drop steps, or drop epochs",
            )
        if "steps" not in methods.describe(self.name).settings:
            raise no_steps(self.name, "epochs")
        steps = [max(1, epochs * -(-int(size) // batch) if batch else epochs) for size in sizes]
        return replace(self, settings={**self.settings, "steps": steps[0] if len(set(steps)) == 1 else steps})


def _within(layers: Sequence[Any], D: int) -> None:
    """Refuse places that the vector has not."""
    for layer in layers:
        beyond = [] if isinstance(layer, slice) else [k for k in layer if not -D <= k < D]
        if beyond:
            raise problem("layers", f"the place {beyond[0]}", f"places 0 to {D - 1}", "layers of another model",
                          "correct it, or leave layers out: a network's own are known")  # fmt: skip


def _placed(value: Any, dtype: torch.dtype, device: torch.device) -> Any:
    """Matrices as tensors; vectors, which hold one number a client or a step, as lists."""
    if isinstance(value, (list, tuple)) and value and hasattr(value[0], "ndim"):
        return [_placed(entry, dtype, device) for entry in value]
    if getattr(value, "ndim", 0) >= 2:
        return torch.as_tensor(value).to(device, dtype)
    return value.tolist() if hasattr(value, "tolist") else value


def no_steps(name: str, wanted: str) -> Exception:
    """The error that a method has no setting ``steps``."""
    return problem(
        f"{wanted} of {name}",
        "given",
        "a method with the setting steps",
        "a method whose steps are fixed, or follow from theta",
        f"drop {wanted}, or take fedavg, reptile or lookahead",
    )
