"""What a federated method is: pure functions of (state, gradient), the same on quadratics and on networks.

A vector is anything with ``+ - * /``: a float64 array, an object array of rationals or balls, a flat torch tensor. The
rest that a method needs (square root, maximum, norm) is injected as ``ops``, a kind of number (``surrogate.numbers``),
and so is the gradient.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

from surrogate._types import Settings, Vector
from surrogate.kit.errors import problem

__all__ = ["Check", "Client", "Message", "Method", "Sends", "State", "full_gradient", "no_state", "required"]

Sends = Literal["gradients", "updates", "model"]
Check = Literal["linear", "realised", "stepwise"]

State = dict[str, Any]  # named vectors and counters; the server's always has "x"
Message = dict[str, Vector]  # what one client sends; the server sees the weighted mean, entry by entry


class Client(Protocol):
    """A client as a method sees it: ``client(y, k)`` is its k-th local gradient (k = 0, 1, ...) at y.

    Where gradients are of minibatches a client also has ``full(y)``, over all its data, for methods that survey; where
    its proximal problem can be solved it has ``prox(x, mu)``, the minimiser of f_i(y) + mu/2 ||y - x||^2. Some methods
    ask for ``loss(y)``, the mean loss over all its data, (1,), or for ``hvp(y, v, k)``, the Hessian of the k-th
    minibatch's loss at y times v. A client that takes gradient steps faster than one by one has
    ``descend(x, rates, correction, weights)``: y_K of y <- y - rate_k (g_k(y) + correction) and, where there are
    weights theta_k, the sum of theta_k times what the rates multiply; None where it leaves the steps to the caller.
    """

    def __call__(self, y: Vector, k: int) -> Vector: ...


def full_gradient(client: Client, y: Vector) -> Vector:
    """The client's gradient at y over all its data: its ``full(y)``, or its first gradient where it has no ``full``."""
    full = getattr(client, "full", None)
    return client(y, 0) if full is None else full(y)


def required(client: Client, ability: str, i: int, method: str) -> Callable[..., Vector]:
    """The client's ``loss`` or ``hvp``; a client without it is refused by name."""
    found: Callable[..., Vector] | None = getattr(client, ability, None)
    if found is None:
        raise problem(
            f"client {i} of {method}",
            f"{type(client).__name__}, without {ability}",
            f"a client with {ability}({'y' if ability == 'loss' else 'y, v, k'})",
            "a client that knows its gradients only",
            "play it with methods.quadratic_clients or the neural engine, or give the client that function",
        )
    return found


def no_state(x: Vector) -> State:
    """The state of a client that keeps nothing from round to round, whatever ``x`` is."""
    return {}


@dataclass(frozen=True)
class Method:
    """One federated method with its settings filled in: pure functions of states and gradients.

    ``name``, ``paper``: what it is called and where it is printed. ``start(x)``: the server's state in the beginning;
    ``enrol(x)``: that of a client. A round: ``survey`` (only where a method needs a quantity at x_t from all drawn
    clients before local work; its weighted mean joins the shared state for this round), then ``local`` on each drawn
    client, then ``update`` on the weighted mean of the messages. ``update`` also gets the numbers of clients drawn and
    in all (SCAFFOLD's M / n).

    ``sends``: ``gradients`` (q = sum theta_k g_k), ``updates`` (x minus the client's result), ``model`` (a model update
    computed otherwise, or several vectors). ``check``: how it is checked on quadratics: ``linear`` (lands where the
    dictionary says), ``realised`` (the preconditioners that the run realised make the field vanish where it rests),
    ``stepwise`` (against an independent listing). ``settings``: with which ``build(name, **settings)`` makes it again.
    """

    name: str
    paper: str
    sends: Sends
    check: Check
    start: Callable[[Vector], State]
    local: Callable[[State, State, Client, int], tuple[Message, State]]  # (shared, own, client, its index)
    update: Callable[[State, Message, int, int], State]  # (state, mean message, clients drawn, clients in all)
    survey: Callable[[State, Client, int], Message] | None = None
    enrol: Callable[[Vector], State] = no_state  # what a client keeps between rounds, at first
    settings: Settings = field(default_factory=dict)  # build(name, **settings) makes it again
