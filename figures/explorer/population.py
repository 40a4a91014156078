"""The clients of a state as plain numbers, which the page edits and a link encodes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from surrogate import Quadratics, problems
from surrogate.kit.errors import problem

if TYPE_CHECKING:
    from surrogate.clients import AnyClients

__all__ = ["MOST_CLIENTS", "MOST_DIMENSIONS", "Population"]

MOST_CLIENTS, MOST_DIMENSIONS, MOST_EXAMPLES = 100, 20, 2000
_KINDS = {"c": ("weights",), "b": ("weights",), "examples": ("owner",)}


@dataclass(frozen=True)
class Population:
    """Clients by ``A`` and ``v``; ``kind`` says what v is: minimizers ("c"), linear terms ("b"), or with ``owner`` the
    minimizers of examples ("examples"). ``preset``: the name of a preset, whose numbers these are.

    ``spread`` s > 0 gives each client of kind "c" 2 d examples with its Hessian, minimizers c_i ± s e_j: the same loss
    up to a constant, and something to draw minibatches from.
    """

    kind: str
    A: tuple[Any, ...]
    v: tuple[Any, ...]
    weights: tuple[float, ...] | None = None
    owner: tuple[int, ...] | None = None
    preset: str | None = None
    spread: float = 0.0

    @classmethod
    def of(cls, plain: Mapping[str, Any]) -> Population:
        """From plain data: ``{"preset": name}``, or kind, A, v and weights or owner; ``spread`` with either."""
        if not isinstance(plain, Mapping):
            raise problem("problem", repr(plain)[:60], "a table", "a name alone", '{"preset": "plane"}')
        known = ("preset", "kind", "A", "v", "weights", "owner", "spread")
        for key in plain:
            if key not in known:
                raise problem(f"problem.{key}", "unknown", f"one of {', '.join(known)}", "a slip", "drop or correct it")
        spread = plain.get("spread") or 0.0
        if "A" not in plain:
            return cls._named(plain.get("preset"), spread)
        kind = plain.get("kind", "c")
        if kind not in _KINDS:
            raise problem("problem.kind", repr(kind), f"one of {', '.join(_KINDS)}", "a slip", "correct it")
        extra = {key: tuple(plain[key]) for key in _KINDS[kind] if plain.get(key) is not None}
        population = cls(
            kind, _tuples(plain["A"]), _tuples(plain.get("v", ())), preset=None, spread=_scale(spread), **extra
        )
        population.clients  # noqa: B018  (refuses numbers that make no clients)
        return population

    @classmethod
    def _named(cls, preset: Any, spread: Any) -> Population:
        if preset not in problems.PRESETS:
            raise problem(
                "problem.preset", repr(preset), f"one of {', '.join(problems.PRESETS)}", "a slip", "correct it"
            )
        population = cls.from_clients(problems.load(preset).clients)
        return cls(
            population.kind, population.A, population.v, population.weights, preset=preset, spread=_scale(spread)
        )

    @classmethod
    def from_clients(cls, clients: AnyClients) -> Population:
        """The numbers that these clients were made from."""
        if clients.examples is not None:
            A, c, owner = clients.examples
            return cls("examples", _tuples(A), _tuples(c), owner=tuple(owner.tolist()))
        uniform = bool((clients.weights == clients.weights[0]).all())
        weights = None if uniform else tuple(clients.weights.tolist())
        if clients._c is not None:
            return cls("c", _tuples(clients.A), _tuples(clients._c), weights)
        return cls("b", _tuples(clients.A), _tuples(clients.b), weights)

    @cached_property
    def clients(self) -> Quadratics:
        """The clients themselves."""
        A, v = np.array(self.A, dtype=float), np.array(self.v, dtype=float)
        self._check_size(A)
        if self.spread:
            return self._scattered(A, v)
        if self.kind == "examples":
            return Quadratics.from_examples(A, v, np.array(self.owner))
        build = Quadratics if self.kind == "c" else Quadratics.from_linear
        return build(A, v, None if self.weights is None else np.array(self.weights))

    def _check_size(self, A: Any) -> None:
        most = MOST_EXAMPLES if self.kind == "examples" else MOST_CLIENTS
        if len(A) > most or A.ndim < 3 or A.shape[-1] > MOST_DIMENSIONS:
            raise problem(
                "the clients",
                f"an array of shape {A.shape}",
                f"(n, d, d) with n <= {most} and d <= {MOST_DIMENSIONS}",
                "a problem larger than can be looked at",
                "take part of it; `surrogate toy` handles all of it",
            )

    def _scattered(self, A: Any, c: Any) -> Quadratics:
        if self.kind != "c" or self.weights is not None:
            raise problem(
                "spread",
                self.spread,
                "0 for clients " + ("of unequal weights" if self.kind == "c" else f"given by {self.kind}"),
                "clients that keep examples weigh the same, and those from examples have their own",
                "set spread to 0",
            )
        n, d = c.shape
        steps = self.spread * np.concatenate([np.eye(d), -np.eye(d)])
        points = (c[:, None, :] + steps).reshape(-1, d)
        return Quadratics.from_examples(np.repeat(A, 2 * d, axis=0), points, np.repeat(np.arange(n), 2 * d))

    @property
    def minimizers(self) -> list[list[float]] | None:
        """Client minimizers (n, d); None where a client has none."""
        from surrogate.kit.errors import ProblemError

        try:
            points: list[list[float]] = self.clients.c.tolist()
        except ProblemError:
            return None
        return points

    def plain(self) -> dict[str, Any]:
        """What `of` takes."""
        extra = {"spread": self.spread} if self.spread else {}
        if self.preset is not None:
            return {"preset": self.preset} | extra
        numbers = {"kind": self.kind, "A": self.A, "v": self.v, "weights": self.weights, "owner": self.owner}
        return {key: value for key, value in numbers.items() if value is not None} | extra


def _scale(value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 <= value < float("inf"):
        raise problem("spread", repr(value), "a distance >= 0", "a sign slip", "pass 0 for clients without examples")
    return float(value)


def _tuples(value: Any) -> Any:
    """Nested tuples of floats."""
    if hasattr(value, "tolist"):
        value = value.tolist()
    if isinstance(value, (list, tuple)):
        return tuple(_tuples(v) for v in value)
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise problem("a number of the clients", repr(value), "a number", "an empty or mistyped cell", "fill it in")
    return float(value)
