"""Every method once: pure functions of (state, gradient), for float64, exact rationals, balls and torch alike.

`build` makes a `Method` from its name and settings, `names` lists them, `describe` says what each is, `play` plays a
round.

>>> import numpy as np
>>> from surrogate import Quadratics, methods
>>> clients = Quadratics([[[1.0]], [[2.0]]], [[1.0], [0.5]])
>>> fedavg = methods.build("fedavg", gamma=0.5, steps=2)
>>> state, own = methods.play(
...     fedavg, fedavg.start(np.zeros(1)), {}, methods.quadratic_clients(clients), clients.weights)
>>> state["x"].tolist()
[0.625]
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from surrogate.kit.lazy import lazy

if TYPE_CHECKING:
    from surrogate.methods.method import Client, Message, Method, State
    from surrogate.methods.optimizers import Optimizer
    from surrogate.methods.registry import Description, aliases, build, describe, names
    from surrogate.methods.rounds import QuadraticClient, mean_message, play, quadratic_clients
    from surrogate.methods.settings import MEANING
    from surrogate.numbers import FLOATS, RATIONALS, Kind
    from surrogate.numbers.balls import BALLS

__all__ = [
    "BALLS",
    "FLOATS",
    "MEANING",
    "RATIONALS",
    "Client",
    "Description",
    "Kind",
    "Message",
    "Method",
    "Optimizer",
    "QuadraticClient",
    "State",
    "aliases",
    "build",
    "describe",
    "mean_message",
    "names",
    "play",
    "quadratic_clients",
]

__getattr__ = lazy(
    __name__,
    {
        "method": "Client Message Method State",
        "optimizers": "Optimizer",
        "registry": "Description aliases build describe names",
        "rounds": "QuadraticClient mean_message play quadratic_clients",
        "settings": "MEANING",
        "surrogate.numbers": "FLOATS RATIONALS Kind",
        "surrogate.numbers.balls": "BALLS",
    },
)
