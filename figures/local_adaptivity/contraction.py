r"""h_i(k) of LA's Assumption 1, measured: two starts of softmax regression that see the same batches.

    h(k) = ||E A(x; k) - E A(y; k)||^2 / ||x - y||^2

A(x; k) is k local steps of a method's own code from x, E the mean over sequences of batches. x and y are drawn as Keras
draws a dense layer: weights uniform up to sqrt(6 / (features + classes)), biases 0.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from surrogate import methods
from surrogate._types import Array

__all__ = ["Data", "gradient", "starts", "walked"]


@dataclass(frozen=True)
class Data:
    """Examples ``x`` (n, features), labels ``y`` (n,) of so many ``classes``."""

    x: Array
    y: Array
    classes: int

    @classmethod
    def of(cls, task: Any) -> Data:
        """All training examples of a task of images."""
        pixels = task.data.x.numpy().reshape(len(task.data.x), -1)
        scale = 255.0 if pixels.dtype == np.uint8 else 1.0
        return cls(pixels / scale, task.data.y.numpy().astype(int), task.data.classes)


def gradient(data: Data, batch: Any, points: Array) -> Array:
    """Of the batch's mean cross entropy at each of the points (P, classes * (features + 1)): weights, then biases."""
    x, size, count = data.x[batch], data.x.shape[1] * data.classes, len(points)
    W, b = points[:, :size].reshape(count, data.classes, -1), points[:, size:]
    scores = np.einsum("bf,pcf->pbc", x, W, optimize=True) + b[:, None]
    p = np.exp(scores - scores.max(axis=-1, keepdims=True))
    p /= p.sum(axis=-1, keepdims=True)
    p[:, np.arange(len(batch)), data.y[batch]] -= 1
    p /= len(batch)
    gradients = np.einsum("pbc,bf->pcf", p, x, optimize=True).reshape(count, size)
    return np.concatenate([gradients, p.sum(axis=1)], axis=1)


def starts(data: Data, seed: int) -> Array:
    """x and y, (2, classes * (features + 1))."""
    features = data.x.shape[1]
    bound = np.sqrt(6 / (features + data.classes))
    weights = np.random.default_rng(seed).uniform(-bound, bound, (2, data.classes * features))
    return np.concatenate([weights, np.zeros((2, data.classes))], axis=1)


def walked(
    data: Data, method: str, settings: Mapping[str, Any], steps: Sequence[int], repeats: int, batch: int, seed: int
) -> list[float]:
    """h(k) for each k of ``steps``; the same batches for every method."""
    drawn = [np.random.default_rng([seed, r]).integers(0, len(data.y), (max(steps), batch)) for r in range(repeats)]
    functions = [_client(data, batches) for batches in drawn]
    points = starts(data, seed)
    first = float(((points[0] - points[1]) ** 2).sum())
    losses = []
    for k in steps:
        built = methods.build(method, steps=k, **settings)
        state, _ = methods.play(built, built.start(points), {}, functions, [1 / repeats] * repeats)
        losses.append(float(((state["x"][0] - state["x"][1]) ** 2).sum()) / first)
    return losses


def _client(data: Data, batches: Any) -> Any:
    return lambda y, k: gradient(data, batches[k], y)
