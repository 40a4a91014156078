"""What a run is: frozen, validated, the same from TOML, from ``--set`` and from Python.

A TOML file holds run keys on top, and the options of the task and the settings of the method in tables:

    rounds = 200
    clients_per_round = 10
    [task]
    name = "quadratic"
    n = 20
    [method]
    name = "fedavg"
    gamma = 0.1
    steps = 10
"""

from __future__ import annotations

import dataclasses
import json
import sys
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from neural.engine import NAMES
from neural.engine.scheduled_method import no_steps
from neural.engine.schedules import schedule, times
from neural.engine.settings import Settings
from neural.ops import TORCH
from neural.runs import plugins
from neural.tasks import task as tasks
from surrogate import Theta, methods
from surrogate.kit.errors import problem, shortened, unknown

__all__ = ["EXECUTION", "Config", "flat", "made", "read_toml", "value_of"]

EXECUTION = ("rounds", "device", "engine", "workers", "threads", "checkpoint_every")  # these leave the key alone
_SETTINGS = {f.name: f for f in dataclasses.fields(Settings)}


@dataclass(frozen=True)
class Config:
    """``task`` and ``method`` by name (or as FILE.py:NAME), their options, and how to run them.

    ``settings``: of the method; ``options``: of the task; ``run``: of the engine, see `neural.engine.Settings`.
    ``task_seed`` draws the task's data and split, ``seed`` in ``run`` everything else. ``epochs``: local work in passes
    over the client's examples, in place of ``steps``. Schedules: see neural.engine.schedules.
    ``full_batch_from``: the round from which clients take one step on all their data (FedDA's tail);
    ``full_batch_tail`` = N, in files and on the command line, means the last N of ``rounds``.
    ``checkpoint_every``: rounds between two checkpoints; at most so many are done again after a kill.
    """

    task: str
    method: str
    rounds: int = 100
    settings: Mapping[str, Any] = field(default_factory=dict)
    options: Mapping[str, Any] = field(default_factory=dict)
    run: Mapping[str, Any] = field(default_factory=dict)
    scale: str = "laptop"
    task_seed: int = 0
    epochs: int | None = None
    gamma_schedule: Mapping[str, Any] | None = None
    eta_schedule: Mapping[str, Any] | None = None
    full_batch_from: int | None = None
    engine: str = "auto"
    device: str = "auto"
    checkpoint_every: int = 20

    def __post_init__(self) -> None:
        for name in ("settings", "options", "run"):
            object.__setattr__(self, name, _plain(name, getattr(self, name)))
            for key, value in getattr(self, name).items():
                _finite(key, value)
        least = {"rounds": 0, "task_seed": 0, "epochs": 1, "full_batch_from": 0, "checkpoint_every": 1}
        for name, smallest in least.items():
            _whole(name, getattr(self, name), smallest, optional=name in ("epochs", "full_batch_from"))
        if self.engine not in NAMES:
            raise problem("engine", repr(self.engine), f"one of {', '.join(NAMES)}", "a slip", 'pass engine="auto"')
        _device(self.device)
        for name in ("gamma_schedule", "eta_schedule"):
            _finite(name, getattr(self, name))
            schedule(getattr(self, name))
        _known(f"options of the task {self.task}", self.options, tasks.describe(plugins.load_task(self.task))[0])
        about = methods.describe(plugins.load(self.method)).settings
        _known(f"settings of the method {self.method}", self.settings, about)
        _known("settings of the run", self.run, _SETTINGS)
        workers = self.engine_settings().workers
        if self.engine not in ("auto", "workers") and workers not in (None, 1):
            raise problem(
                "workers", workers, f"left out beside engine={self.engine!r}",
                "that engine has none, so it would be ignored", 'leave it out, or pass engine="workers"',
            )  # fmt: skip
        self._build()

    def _build(self) -> None:
        """Try the method's settings, with rates of 0 where a schedule leads there, too.

        Rates and steps that other keys will give are stood in for.
        """
        given = {name: made(name, value) for name, value in self.settings.items()}
        if self.epochs and "steps" not in given:
            if "steps" not in methods.describe(plugins.load(self.method)).settings:
                raise no_steps(self.method, "epochs")
            given["steps"] = 1
        ended = {}
        for name, table in (("gamma", self.gamma_schedule), ("eta", self.eta_schedule)):
            if schedule(table).absolute:
                given.setdefault(name, 1.0)
            if schedule(table).factor == 0 and given.get(name) is not None:
                ended[name] = times(given[name], 0)
        plugins.build(self.method, ops=TORCH, **given)
        if ended:
            plugins.build(self.method, ops=TORCH, **{**given, **ended})

    @classmethod
    def of(cls, given: Mapping[str, Any]) -> Config:
        """From a nested table as in TOML, or from flat keys: ``{"task": "quadratic", "gamma": 0.1, ...}``.

        >>> Config.of({"task": "quadratic", "method": "fedavg", "gamma": 0.1, "steps": 5, "n": 3, "seed": 4}).run
        {'seed': 4}
        """
        if not isinstance(given, Mapping):
            raise problem(
                "the configuration", repr(given), "a table of keys", "the name of a task, or of a file, alone",
                'pass {"task": "quadratic", "method": "fedavg", "gamma": 0.1, "steps": 10}, say',
            )  # fmt: skip
        keys = flat(given)
        for name, example in (("task", "quadratic"), ("method", "fedavg")):
            if not isinstance(keys.get(name), str):
                raise problem(
                    name, repr(keys.get(name, "missing")), "a name", "a key left out",
                    f'give --{name} {example}, or {name} = "{example}" in the file',
                )  # fmt: skip
        homes = _homes(keys["task"], keys["method"])
        parts: dict[str, dict[str, Any]] = {"run": {}, "settings": {}, "options": {}}
        own: dict[str, Any] = {}
        for key, value in keys.items():
            home, name = _home(key, homes)
            (own if home == "config" else parts[home])[name] = value
        return cls(**{**_with_tail(own), **parts})

    def engine_settings(self, **resolved: Any) -> Settings:
        """Those of the engine, checked; ``resolved``: what was left open."""
        given = {key: tuple(v) if isinstance(v, list) else v for key, v in self.run.items()}
        return Settings(**{**given, **resolved})

    def table(self) -> dict[str, Any]:
        """As nested plain data, which `of` reads again."""
        own = {f.name: getattr(self, f.name) for f in dataclasses.fields(self)}
        nested = {"method": {"name": own.pop("method"), **own.pop("settings")}}
        nested |= {"task": {"name": own.pop("task"), **own.pop("options")}}
        return {
            **{k: v for k, v in own.pop("run").items()},
            **{k: v for k, v in own.items() if v is not None},
            **nested,
        }

    def replace(self, **changes: Any) -> Config:
        """With other values of some fields."""
        return dataclasses.replace(self, **changes)


def flat(given: Mapping[str, Any]) -> dict[str, Any]:
    """Nested tables ``task``, ``method`` and ``run`` as dotted keys; their ``name`` as the key itself.

    Beside such tables the keys on top are the run's: ``batch`` there is no option of the task.
    """
    nested = any(isinstance(given.get(home), Mapping) for home in ("task", "method"))
    keys: dict[str, Any] = {}
    for key, value in given.items():
        if key in ("task", "method", "run") and isinstance(value, Mapping):
            for inner, entry in value.items():
                keys[key if inner == "name" and key != "run" else f"{key}.{inner}"] = entry
        else:
            keys[f"run.{key}" if nested and key in _SETTINGS else key] = value
    return keys


def read_toml(path: Path) -> dict[str, Any]:
    """The table in a TOML file."""
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise problem(
            f"the file {path}",
            f"not readable ({error.strerror or error})",
            "a TOML file",
            "a slip in the path",
            "correct it",
        ) from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise problem(f"the file {path}", f"no TOML ({error})", "TOML", "a slip", "correct that line") from None


def value_of(text: str) -> tuple[str, Any]:
    """``key=value`` of ``--set``: the value as TOML writes it, or a bare word.

    >>> value_of("gamma=0.1"), value_of("server=adam")
    (('gamma', 0.1), ('server', 'adam'))
    """
    key, equals, value = text.partition("=")
    if not equals or not key.strip():
        raise problem("--set", repr(text), "key=value", "a blank instead of =", "write --set gamma=0.1")
    try:
        return key.strip(), tomllib.loads(f"value = {value}")["value"]
    except tomllib.TOMLDecodeError:
        return key.strip(), value.strip()


def _homes(task: str, method: str) -> dict[str, Iterable[str]]:
    config = [f.name for f in dataclasses.fields(Config) if f.name not in ("settings", "options", "run")]
    config.append("full_batch_tail")
    known = methods.describe(plugins.load(method)).settings
    options = list(tasks.describe(plugins.load_task(task))[0])
    return {"config": config, "run": list(_SETTINGS), "settings": list(known), "options": options}


def _home(key: str, homes: Mapping[str, Iterable[str]]) -> tuple[str, str]:
    """Where a key belongs; ``method.``, ``task.`` and ``run.`` say it outright."""
    prefix, dot, name = key.partition(".")
    spelled = {"method": "settings", "task": "options", "run": "run"}
    if dot and prefix in spelled:
        _known(f"keys of {prefix}", [name], homes[spelled[prefix]])
        return spelled[prefix], name
    found = [home for home, names in homes.items() if key in names]
    if len(found) == 1:
        return found[0], key
    if found:
        words = {"settings": "method", "options": "task", "run": "run"}
        raise problem(
            f"the key {key!r}", "ambiguous", " or ".join(f"{words[home]}.{key}" for home in found),
            f"the {' and the '.join(words[home] for home in found)} both have a {key}",
            f"write {words[found[0]]}.{key}=..., or in a file {key} in the table of the one that is meant",
        )  # fmt: skip
    _known("keys", [key], [name for names in homes.values() for name in names])
    raise AssertionError(key)


def _with_tail(own: dict[str, Any]) -> dict[str, Any]:
    """full_batch_tail = N as full_batch_from = rounds - N."""
    if "full_batch_tail" not in own:
        return own
    tail, rounds = own["full_batch_tail"], own.get("rounds", Config.rounds)
    _whole("rounds", rounds, 0, optional=False)
    _whole("full_batch_tail", tail, 1, optional=False)
    if "full_batch_from" in own or tail > rounds:
        raise problem(
            "full_batch_tail", f"{tail} of {rounds} rounds", "at most that many, and no full_batch_from beside it",
            "settings merged from two places", "give one of the two, that fits",
        )  # fmt: skip
    return {key: value for key, value in own.items() if key != "full_batch_tail"} | {"full_batch_from": rounds - tail}


def _known(what: str, given: Iterable[str], names: Iterable[str]) -> None:
    names = list(names)
    for name in given:
        if name not in names:
            cause = "a key of something else, which here would be ignored"
            raise unknown(f"{name!r} among the {what}", name, names, cause, "drop or correct it", "unknown")


def _whole(name: str, value: Any, least: int, optional: bool) -> None:
    if optional and value is None:
        return
    if not isinstance(value, int) or isinstance(value, bool) or value < least:
        raise problem(name, repr(value), f"a whole number >= {least}", "a slip", "correct it")


def _device(name: str) -> None:
    import torch

    try:
        known = name == "auto" or bool(torch.device(name).type)
    except (RuntimeError, TypeError):
        known = False
    if not known:
        raise problem("device", repr(name), '"auto", "cpu", "cuda" or "cuda:1"', "a slip", 'pass device="auto"')


def _plain(name: str, given: Mapping[str, Any]) -> dict[str, Any]:
    """Plain data only, so that a run can be written down and made again."""
    try:
        return dict(json.loads(json.dumps({key: _listed(value) for key, value in given.items()})))
    except (TypeError, ValueError) as error:
        raise problem(
            name, f"not plain ({error})", "numbers, words, lists and tables",
            "an object, such as a Theta or an Optimizer", 'write "sum(10)", or {name = "adam", beta1 = 0.9}',
        ) from error  # fmt: skip


def _finite(name: str, value: Any) -> None:
    """Refuse what float64 cannot hold, wherever it stands in the value."""
    if isinstance(value, (list, Mapping)):
        for part in value.values() if isinstance(value, Mapping) else value:
            _finite(name, part)
    elif isinstance(value, (int, float)) and not abs(value) <= sys.float_info.max:
        raise problem(name, shortened(value), "a finite number", "a number past float64's 1.8e308", "correct it")


def _listed(value: Any) -> Any:
    return value.tolist() if hasattr(value, "tolist") else value


def made(name: str, value: Any) -> Any:
    """A setting as methods want it, from plain data: "sum(10)" and lists as Theta, matrices as arrays."""
    if name == "theta":
        return _theta(value)
    if name in ("P", "frozen") and value is not None:
        return _array(name, value)
    if name == "layers" and value is not None:
        layers = value if isinstance(value, list) else [value]
        if not all(isinstance(layer, list) and layer and all(isinstance(k, int) for k in layer) for layer in layers):
            raise problem(
                name, repr(value), "a list of lists of places in the vector", "layers by name or by number",
                "leave it out: a network's own layers are known",
            )  # fmt: skip
    return value


def _array(name: str, value: Any) -> Any:
    import numpy as np

    try:
        found = np.array(value, dtype=float)
    except (TypeError, ValueError):
        found = np.zeros(0)
    if found.ndim not in (2, 3):
        raise problem(
            name, repr(value), "lists of numbers, all of one length", "one list, or rows of different lengths",
            f"write {name} = [[1.0, 0.0], [0.0, 1.0]], say",
        )  # fmt: skip
    return found


def _theta(value: Any) -> Theta:
    if isinstance(value, list):
        return Theta(value)
    kind, _, count = str(value).partition("(")
    if kind in ("sum", "last", "maml") and count[:-1].isdigit() and count.endswith(")"):
        built: Theta = getattr(Theta, kind)(int(count[:-1]))
        return built
    raise problem(
        "theta", repr(value), '"sum(K)", "last(K)", "maml(K)" or a list of weights', "a slip", 'write theta = "sum(10)"'
    )
