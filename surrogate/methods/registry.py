"""Every method by name: what it is called, where it was printed, which settings it takes; built from those settings."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from surrogate._types import Settings, Vector
from surrogate.kit.errors import problem, unknown
from surrogate.methods import catalogue
from surrogate.methods.method import Check, Client, Message, Method, Sends, State, no_state
from surrogate.methods.settings import filled, idle
from surrogate.numbers import FLOATS, Kind

__all__ = ["Description", "Parts", "aliases", "build", "describe", "names", "register", "with_optimizer"]


@dataclass(frozen=True)
class Parts:
    """The pure functions of a `Method`, from a factory; ``sends``, ``check`` where settings change the entry's."""

    start: Callable[[Vector], State]
    local: Callable[[State, State, Client, int], tuple[Message, State]]
    update: Callable[[State, Message, int, int], State]
    survey: Callable[[State, Client, int], Message] | None = None
    enrol: Callable[[Vector], State] = no_state
    sends: Sends | None = None
    check: Check | None = None


@dataclass(frozen=True)
class _Entry:
    name: str
    factory: Callable[..., Parts]
    paper: str
    sends: Sends
    check: Check
    excludes: Mapping[str, Sequence[str]]


@dataclass(frozen=True)
class Description:
    """What ``surrogate methods`` prints of a method.

    ``name`` and ``aliases``: what it is called; ``paper``: where it is printed; ``sends`` and ``check``: as in
    `Method`; ``settings``: each name with its default, or ``"required"``; ``about``: its listing and the readings
    taken.
    """

    name: str
    aliases: tuple[str, ...]
    paper: str
    sends: str
    check: str
    settings: Settings = field(default_factory=dict)
    about: str = ""


_ENTRIES: dict[str, _Entry] = {}
_ALIASES: dict[str, tuple[str, Settings]] = {}  # the method meant, and the settings that the alias fixes

Factory = Callable[..., Parts]


def register(
    name: str,
    paper: str,
    *,
    sends: Sends,
    check: Check,
    aliases: Mapping[str, Settings] | None = None,
    excludes: Mapping[str, Sequence[str]] | None = None,
) -> Callable[[Factory], Factory]:
    """Enter a factory ``f(ops, *, settings...) -> Parts``: its signature lists the settings, its docstring the text.

    ``excludes``: settings that a chosen one ("frozen", or "sends=updates") would leave idle, and that are then refused.
    """

    def enter(factory: Factory) -> Factory:
        _ENTRIES[name] = _Entry(name, factory, paper, sends, check, excludes or {})
        _ALIASES.update({alias: (name, fixed) for alias, fixed in (aliases or {}).items()})
        return factory

    return enter


def with_optimizer(
    base: Factory, made: Callable[..., object], about: str, hide: Sequence[str] = (), **defaults: object
) -> Factory:
    """``base`` with its keyword ``optimizer`` spread out: the settings of ``made`` become settings of the method.

    ``about`` opens the docstring; ``hide``: settings of ``base`` left out; ``defaults`` replace defaults of ``made``.
    """
    outer = inspect.signature(base)
    inner = [p.replace(default=defaults.get(p.name, p.default)) for p in inspect.signature(made).parameters.values()]
    own = [p for p in outer.parameters.values() if p.name not in ("optimizer", *hide)]
    required = [p for p in own if p.default is p.empty]
    optional = [p for p in own if p.default is not p.empty]

    def factory(ops: Kind, **settings: Any) -> Parts:
        chosen = made(**{p.name: settings.pop(p.name) for p in inner})
        return base(ops, optimizer=chosen, **settings)

    factory.__module__ = base.__module__  # where the method stands: a run's key covers that file
    factory.__signature__ = outer.replace(parameters=[*required, *inner, *optional])  # type: ignore[attr-defined]
    factory.__doc__ = f"{about}\n\n{inspect.getdoc(base)}"
    return factory


def build(name: str, *, ops: Kind = FLOATS, **settings: Any) -> Method:
    """Build a federated method: the one called ``name`` (or an alias) with its ``settings``.

    ``settings``: as `describe` lists them; those left out take their defaults. ``ops``: the arithmetic of the vectors,
    whose numbers defaults become (`FLOATS`, `RATIONALS`, `BALLS`, or torch's).

    >>> build("fed-sgd", gamma=0.1, steps=5).name
    'fedavg'
    """
    entry, fixed = _find(name)
    clash = sorted(set(fixed) & set(settings))
    if clash:
        raise problem(
            f"{', '.join(clash)} of {name}",
            "given",
            f"left out: the name {name!r} fixes it",
            "an alias with a setting of its own",
            f"drop it, or build {entry.name!r}",
        )
    values = filled(name, entry.factory, {**fixed, **settings}, ops.decimal, entry.excludes)
    parts = entry.factory(ops, **values)
    return Method(
        name=entry.name,
        paper=entry.paper,
        sends=parts.sends or entry.sends,
        check=parts.check or entry.check,
        start=parts.start,
        local=parts.local,
        update=parts.update,
        survey=parts.survey,
        enrol=parts.enrol,
        settings={key: value for key, value in values.items() if key not in idle(values, entry.excludes)},
    )


def names() -> tuple[str, ...]:
    """The names of all methods, sorted."""
    return tuple(sorted({*catalogue.FILES, *_ENTRIES}))


def aliases() -> dict[str, str]:
    """Other names, and the method that each means."""
    entered = {alias: target for alias, (target, _) in _ALIASES.items()}
    return dict(sorted({**catalogue.ALIASES, **entered}.items()))


def describe(name: str) -> Description:
    """What the method called ``name`` is: paper, what it sends, how it is checked, its settings, its listing.

    >>> describe("fed-sgd").name
    'fedavg'
    """
    entry, _ = _find(name)
    parameters = [p for p in inspect.signature(entry.factory).parameters.values() if p.kind is p.KEYWORD_ONLY]
    return Description(
        entry.name,
        tuple(alias for alias, target in aliases().items() if target == entry.name),
        entry.paper,
        entry.sends,
        entry.check,
        {p.name: "required" if p.default is p.empty else p.default for p in parameters},
        inspect.getdoc(entry.factory) or "",
    )


def _find(name: str) -> tuple[_Entry, Settings]:
    if name not in _ENTRIES:
        catalogue.load(name)
    if name in _ENTRIES:
        return _ENTRIES[name], {}
    if name in _ALIASES:
        target, fixed = _ALIASES[name]
        return _ENTRIES[target], fixed
    known, fix = [*names(), *aliases()], "run `surrogate methods` for what each does"
    raise unknown("the method", name, known, "a method that lives elsewhere, or not yet here", fix)
