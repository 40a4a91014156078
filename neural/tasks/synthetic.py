"""Stand-in data drawn from the seed, of the shapes and kinds of the real ones: for smoke runs that fetch nothing.

Each kind has something to learn: a pattern a class, a chain of tokens, words that belong to tags.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import torch

from neural.data import splits
from neural.data.federated import FederatedData
from neural.data.loading import first_classes

__all__ = ["bags", "images", "texts"]

SOURCE = "synthetic stand-in, drawn from the seed"


def images(
    seed: int,
    shape: tuple[int, int, int],
    of: int,
    clients: int,
    split: str = "iid",
    alpha: float | None = None,
    limit: int | None = None,
    classes: int | None = None,
) -> FederatedData:
    """A smooth pattern for each of ``of`` classes, or of fewer ``classes``, with noise; bytes (N, channels, height,
    width). 40 examples a client, or ``limit``."""
    said = "" if classes is None else f", {first_classes(classes, of, 'made-up data')}"
    classes = of if classes is None else classes
    rng = np.random.default_rng([seed, 0x1A6E5])
    total = 40 * clients if limit is None else limit
    y = rng.integers(classes, size=total + 200)
    coarse = rng.random((classes, shape[0], 4, 4))
    patterns = np.kron(coarse, np.ones((-(-shape[1] // 4), -(-shape[2] // 4))))[..., : shape[1], : shape[2]]
    x = 255 * np.clip(patterns[y] + 0.15 * rng.standard_normal((len(y), *shape)), 0, 1)
    settings: dict[str, Any] = {} if alpha is None else {"alpha": alpha}
    owner = splits.assign("iid" if split == "natural" else split, y[:total], clients, seed, **settings)
    made = _federated(torch.from_numpy(x.astype(np.uint8)), torch.from_numpy(y), owner, clients, classes)
    return replace(made, source=made.source + said)


def texts(seed: int, length: int, vocabulary: int, clients: int) -> FederatedData:
    """Tokens that mostly follow one another by a table of their own, with begin, end, unknown ones and padding.

    x and y (N, length), y one place ahead. A token v goes to a fixed successor with probability 0.8, else anywhere;
    40 texts a client. Only the first 30 tokens of a large vocabulary occur.
    """
    rng = np.random.default_rng([seed, 0x7E875])
    used, total = min(vocabulary, 30), 40 * clients + 40
    successor = rng.permutation(used)
    rows = np.zeros((total, length + 1), np.int64)
    rows[:, 0] = vocabulary + 2
    now = rng.integers(used, size=total)
    for t in range(1, length + 1):
        rows[:, t] = np.where(rng.random(total) < 0.02, vocabulary + 1, now + 1)
        now = np.where(rng.random(total) < 0.8, successor[now], rng.integers(used, size=total))
    ends = rng.integers(max(2, length // 2), length + 1, size=total)
    places = np.arange(length + 1)
    rows[places[None] == ends[:, None]] = vocabulary + 3
    rows[places[None] > ends[:, None]] = 0
    owner = np.repeat(np.arange(clients), 40)
    return _federated(torch.from_numpy(rows[:, :-1]), torch.from_numpy(rows[:, 1:]), owner, clients)


def bags(seed: int, words: int, tags: int, clients: int) -> FederatedData:
    """Texts of 20 words, of which each tag has its own: x (N, words) frequencies, y (N, tags) of 0 and 1."""
    rng = np.random.default_rng([seed, 0xBA65])
    total = 30 * clients + 100
    first, second = rng.integers(tags, size=total), rng.integers(tags, size=total)
    y = np.zeros((total, tags), np.uint8)
    y[np.arange(total), first] = y[np.arange(total), second] = 1
    own = rng.integers(words, size=(tags, 5))
    chosen = np.where(rng.random((total, 20)) < 0.5, first[:, None], second[:, None])
    drawn = own[chosen, rng.integers(5, size=(total, 20))]
    drawn = np.where(rng.random((total, 20)) < 0.4, rng.integers(words, size=(total, 20)), drawn)
    x = np.zeros((total, words), np.float32)
    np.add.at(x, (np.arange(total)[:, None], drawn), 1 / 20)
    owner = np.repeat(np.arange(clients), 30)
    return _federated(torch.from_numpy(x), torch.from_numpy(y), owner, clients)


def _federated(
    x: torch.Tensor, y: torch.Tensor, owner: np.ndarray[Any, Any], clients: int, classes: int | None = None
) -> FederatedData:
    """The first examples belong to clients, the rest is for tests."""
    order, offsets = splits.ranges(owner, clients)
    total = len(owner)
    return FederatedData(
        name="synthetic",
        source=SOURCE,
        x=x[:total].clone(),
        y=y[:total].clone(),
        order=torch.from_numpy(order),
        offsets=torch.from_numpy(offsets),
        test_x=x[total:].clone(),
        test_y=y[total:].clone(),
        classes=classes,
    )
