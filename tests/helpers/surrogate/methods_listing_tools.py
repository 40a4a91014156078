"""Pieces of the plain listings: scalars, no arrays, and moments computed anew from the whole history of gradients."""

from __future__ import annotations

import math
from fractions import Fraction as F
from typing import Any


def of(value: Any, i: int) -> Any:
    """Client i's share of a setting."""
    return value[i] if isinstance(value, list) else value


def rate(gamma: Any, inner: Any, i: int, k: int) -> Any:
    """Client i's rate at step k."""
    if inner is None:
        return of(gamma, i)
    factors = inner[i] if isinstance(inner[0], list) else inner
    return of(gamma, i) * factors[k]


def mean(weights: list[Any], values: dict[int, Any]) -> Any:
    """The weighted mean over those drawn."""
    return sum(weights[i] * v for i, v in values.items()) / sum(weights[i] for i in values)


def momentum(g: list[Any], beta: Any, dampened: bool = True, corrected: bool = False) -> Any:
    """m after the gradients g[0], ..., g[-1], as an explicit sum."""
    t = len(g)
    total = sum(beta ** (t - 1 - s) * g[s] for s in range(t))
    if corrected:
        return total / sum(beta**j for j in range(t))
    return (1 - beta) * total if dampened else total


def second(kind: str, g: list[Any], beta2: Any, initial: Any) -> Any:
    """v after the gradients g, without corrections."""
    t = len(g)
    if kind == "adagrad":
        return initial + sum(h * h for h in g)
    if kind == "yogi":
        v = initial
        for h in g:
            v = v - (1 - beta2) * (h * h if v > h * h else -h * h if v < h * h else 0)
        return v
    return beta2**t * initial + (1 - beta2) * sum(beta2 ** (t - 1 - s) * g[s] ** 2 for s in range(t))


def moments(name: str, g: list[Any], **s: Any) -> tuple[Any, Any]:
    """(P, m) of an optimizer after the gradients g; defaults as the optimizers state them."""
    if name == "sgd":
        return 1, g[-1]
    bias = s.get("bias_correction", False)
    if name == "sgdm":
        return 1, momentum(g, s.get("beta", F(9, 10)), s.get("dampened", True), bias)
    beta1, beta2 = s.get("beta1", 0 if name == "adagrad" else F(9, 10)), s.get("beta2", F(99, 100))
    initial, eps = s.get("initial", 0), s.get("eps", F(1, 1000))
    roots = []
    for t in range(1, len(g) + 1):
        v = second(name, g[:t], beta2, initial)
        roots.append(v / (1 - beta2**t) if bias else v)
    v = max([initial, *roots]) if name == "amsgrad" else roots[-1]
    P = 1 / math.sqrt(v + eps) if s.get("inside") else 1 / (math.sqrt(v) + eps)
    return P, momentum(g, beta1, corrected=bias)


def server_of(chosen: Any) -> tuple[str, dict[str, Any]]:
    """Name and settings of a server optimizer."""
    if isinstance(chosen, dict):
        return chosen["name"], {key: value for key, value in chosen.items() if key != "name"}
    return chosen, {}


class Server:
    """x, and every pseudo-gradient so far."""

    def __init__(self, x: Any, eta: Any, name: str = "sgd", **settings: Any) -> None:
        self.path, self.heard, self.eta, self.name, self.settings = [x], [], eta, name, settings

    @property
    def x(self) -> Any:
        """The model now."""
        return self.path[-1]

    def take(self, pseudo: Any) -> None:
        """One server step."""
        self.heard.append(pseudo)
        P, m = moments(self.name, self.heard, **self.settings)
        self.path.append(self.x - self.eta * P * m)
