"""What a run needs to know besides its task and method."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from surrogate.kit.errors import problem

__all__ = ["Settings"]


@dataclass(frozen=True)
class Settings:
    """How clients take part, what they see, how they are evaluated, and how the machine is used.

    ``clients_per_round``: M without replacement (None: all); ``sampling`` "iid": M draws from the weights and their
    plain mean, as surrogate.moments has it (a client drawn twice answers twice, and keeps the later state).
    ``weights``: "uniform", "examples", one a client, or None: the task's own, which are uniform but for quadratics.
    ``reallot``: all examples are dealt out anew each round to the clients that take part, "iid" or "one_class" (LAMB
    section 5); None: clients keep their own.
    ``batch``: examples a step (None: the task's; 0: all). ``weight_decay`` w adds w y to every gradient.
    ``loss_before``: measure the drawn clients' loss before they start. ``eval_clients``: on how many the training loss
    is measured, ``eval_tests`` on how many test examples the metrics are: fixed samples (None: all; no tests: 0);
    ``eval_every``: rounds between measurements (0: never); ``chunk``: examples evaluated at once. ``channels_last``:
    layout of images in the sequential engine. ``amp``, ``compile``: mixed precision (bfloat16) and torch.compile, on
    CUDA, refused elsewhere. ``workers``, ``threads``: processes of the worker engine, and threads of each.
    """

    seed: int = 0
    clients_per_round: int | None = None
    sampling: Literal["uniform", "iid"] = "uniform"
    weights: str | tuple[float, ...] | None = None
    reallot: Literal["iid", "one_class"] | None = None
    batch: int | None = None
    weight_decay: float = 0.0
    loss_before: bool = False
    eval_every: int = 1
    eval_clients: int | None = None
    eval_tests: int | None = None
    chunk: int = 500
    channels_last: bool = False
    amp: bool = False
    compile: bool = False
    workers: int | None = None
    threads: int | None = None

    def __post_init__(self) -> None:
        least = {"seed": 0, "clients_per_round": 1, "batch": 0, "eval_every": 0, "eval_clients": 1, "eval_tests": 0}
        for name, smallest in {**least, "chunk": 1, "workers": 1, "threads": 1}.items():
            value = getattr(self, name)
            whole = isinstance(value, int) and not isinstance(value, bool)
            if value is not None and not (whole and value >= smallest):
                raise problem(name, repr(value), f"a whole number >= {smallest}", "a slip", "correct it")
        if self.seed >= 1 << 64:
            raise problem("seed", self.seed, "a whole number below 2^64", "a slip", "pass a smaller one")
        for name in ("loss_before", "channels_last", "amp", "compile"):
            if not isinstance(getattr(self, name), bool):
                raise problem(name, repr(getattr(self, name)), "true or false", "a slip", "correct it")
        if self.sampling not in ("uniform", "iid"):
            raise problem("sampling", repr(self.sampling), '"uniform" or "iid"', "a slip", "correct it")
        if self.reallot not in (None, "iid", "one_class"):
            raise problem("reallot", repr(self.reallot), '"iid" or "one_class"', "a slip", "or leave it out")
        if self.reallot and self.weights == "examples":
            raise problem(
                "weights", "'examples'", "uniform weights beside reallot", "sizes that are known in the round alone",
                "leave weights out",
            )  # fmt: skip
        if isinstance(self.weights, str) and self.weights not in ("uniform", "examples"):
            raise problem("weights", repr(self.weights), '"uniform" or "examples"', "a slip", "or give one a client")
        if self.sampling == "iid" and self.clients_per_round is None:
            raise problem(
                "sampling", "'iid' without clients_per_round", "clients_per_round, how many are drawn",
                "where all take part, nothing is drawn", "pass clients_per_round=10, say, or leave sampling out",
            )  # fmt: skip
        plain = isinstance(self.weight_decay, (int, float)) and not isinstance(self.weight_decay, bool)
        if not plain or not 0 <= self.weight_decay < float("inf"):
            raise problem("weight_decay", repr(self.weight_decay), "a number >= 0", "a slip", "correct it")

    def sizes(self, own: Sequence[int]) -> Sequence[int]:
        """How many examples each client has when it takes part, given those of its own."""
        if self.reallot == "one_class":
            raise problem(
                "epochs", 'given beside reallot="one_class"', "steps", "parts whose sizes differ from round to round",
                "pass steps, those of an epoch",
            )  # fmt: skip
        if self.reallot and self.sampling == "iid":
            raise problem(
                "epochs", 'given beside reallot and sampling="iid"', "steps",
                "a client drawn twice has one part, so that parts grow from round to round", "pass steps",
            )  # fmt: skip
        drawn = len(own) if self.clients_per_round is None else self.clients_per_round
        return [-(-sum(own) // drawn)] * len(own) if self.reallot else own
