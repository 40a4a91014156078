"""Who owns which example: splits of labelled examples over n clients. Every example is given to exactly one client.

Each split is a function of (labels, n, rng) that returns the owner of each example, (N,) int64. The families of random
label proportions (dirichlet, pachinko) share one dealer: clients take their share in turn, each from the labels that
are left, by its own proportions.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from surrogate.kit.errors import problem

__all__ = ["assign", "dirichlet", "iid", "names", "natural", "one_class", "options", "pachinko", "ranges", "tree"]

Owners = NDArray[np.int64]
Floats = NDArray[np.float64]
Rng = np.random.Generator


def names() -> tuple[str, ...]:
    """The splits there are."""
    return ("natural", *_SPLITS)


def options(split: str) -> dict[str, Any]:
    """The settings of a split, with their defaults."""
    if split == "natural":
        return {}
    parameters = inspect.signature(_split(split)).parameters.values()
    return {p.name: p.default for p in parameters if p.kind is p.KEYWORD_ONLY and p.name != "coarse"}


def assign(
    split: str, labels: NDArray[Any], clients: int, seed: int, coarse: NDArray[Any] | None = None, **settings: Any
) -> Owners:
    """The owner of each example under the split called ``split``, a function of the seed.

    >>> assign("one_class", np.array([0, 1, 0, 1, 1]), clients=2, seed=0).tolist()
    [0, 1, 0, 1, 1]
    """
    deal = _split(split)
    known = options(split)
    for name in settings:
        if name not in known:
            raise problem(
                f"the setting {name!r} of the split {split}", "unknown", f"one of {', '.join(known) or 'none'}",
                "a setting of another split, which here would be ignored", f"drop {name}",
            )  # fmt: skip
    if clients < 1:
        raise problem("clients", clients, "at least 1", "a slip", "pass clients=100, say")
    if split != "iid" and labels.ndim != 1:
        raise problem(
            f"the labels for the split {split}", f"of shape {labels.shape}", "one label an example",
            "texts, tags or images as targets, which have no single label", 'pass split="natural" or split="iid"',
        )  # fmt: skip
    if split == "pachinko":
        settings["coarse"] = coarse
    return deal(labels, clients, np.random.default_rng([seed, 0x5B117]), **settings)


def ranges(owner: Owners, clients: int) -> tuple[Owners, Owners]:
    """(order, offsets): client i owns order[offsets[i]:offsets[i + 1]], its examples in their order in x.

    >>> [a.tolist() for a in ranges(np.array([2, 0, 2]), 3)]
    [[1, 0, 2], [0, 1, 1, 3]]
    """
    sizes = np.bincount(owner, minlength=clients)
    return np.argsort(owner, kind="stable"), np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)


def natural(owner: NDArray[Any]) -> Owners:
    """Owners numbered 0, 1, ... without gaps, in the order of their old numbers."""
    return np.unique(owner, return_inverse=True)[1].astype(np.int64)


def iid(labels: NDArray[Any], clients: int, rng: Rng) -> Owners:
    """Shuffled and dealt out in equal parts (sizes differ by one at most)."""
    owner = np.repeat(np.arange(clients), _sizes(len(labels), clients))
    return rng.permutation(owner).astype(np.int64)


def one_class(labels: NDArray[Any], clients: int, rng: Rng) -> Owners:
    """Client i has label i mod C alone; clients of one label share its examples in equal parts. Needs n >= C."""
    present = np.unique(labels)
    if clients < len(present):
        raise problem(
            "clients", clients, f"at least {len(present)}, the number of labels", "fewer clients than labels, where one"
            " label each would leave examples to nobody", "ask for more clients, or use split='dirichlet'",
        )  # fmt: skip
    owner = np.empty(len(labels), dtype=np.int64)
    for k, label in enumerate(present):
        mine = np.arange(k, clients, len(present))
        where = rng.permutation(np.flatnonzero(labels == label))
        owner[where] = np.repeat(mine, _sizes(len(where), len(mine)))
    return owner


def dirichlet(
    labels: NDArray[Any], clients: int, rng: Rng, *, alpha: float = 0.6, balanced: bool = True
) -> Owners:  # fmt: skip
    """Label proportions p_i ~ Dirichlet(alpha) of each client.

    ``balanced``: clients have equal sizes and take turns (Hsu et al. 2019); a label that has run out drops out of p_i.
    Otherwise each label is cut into n parts of proportions ~ Dirichlet(alpha), and sizes are ragged (Yurochkin et al.).
    """
    _positive("alpha", alpha)
    classes = int(labels.max()) + 1
    if not balanced:
        return _cut_labels(labels, clients, rng, alpha)

    def proportions() -> Callable[[NDArray[np.bool_]], Floats]:
        p = _simplex(rng, alpha, classes)
        return lambda left: p * left

    return _deal(labels, classes, clients, rng, proportions)


def pachinko(
    labels: NDArray[Any],
    clients: int,
    rng: Rng,
    *,
    coarse: NDArray[Any] | None = None,
    alpha: float = 0.1,
    beta: float = 10.0,
) -> Owners:
    """Pachinko allocation (Reddi et al. 2021, appendix F): Dirichlet(alpha) over families, Dirichlet(beta) inside each.

    P(label) = r[family] q[label | family], renormalised inside a family as its labels run out, and over the families
    that are left. ``coarse`` (classes,): the family of each label; without it, consecutive labels form a tree of about
    sqrt(classes) families.
    """
    _positive("alpha", alpha)
    _positive("beta", beta)
    classes = int(labels.max()) + 1
    family = tree(classes) if coarse is None else np.asarray(coarse)[:classes].astype(np.int64)
    families = int(family.max()) + 1

    def proportions() -> Callable[[NDArray[np.bool_]], Floats]:
        root, leaf = _simplex(rng, alpha, families), _within(family, rng.gamma(beta, size=classes))

        def over(left: NDArray[np.bool_]) -> Floats:
            return root[family] * _within(family, leaf * left)

        return over

    return _deal(labels, classes, clients, rng, proportions)


def tree(classes: int) -> Owners:
    """A tree of two levels for labels without families: about sqrt(classes) families of consecutive labels.

    >>> tree(10).tolist()
    [0, 0, 0, 0, 1, 1, 1, 2, 2, 2]
    """
    families = max(1, round(classes**0.5))
    return np.repeat(np.arange(families), _sizes(classes, families))


def _deal(
    labels: NDArray[Any],
    classes: int,
    clients: int,
    rng: Rng,
    proportions: Callable[[], Callable[[NDArray[np.bool_]], Floats]],
) -> Owners:
    """Each client in turn takes its share from what is left of each label, by its own proportions."""
    shuffled = [rng.permutation(np.flatnonzero(labels == c)) for c in range(classes)]
    left = np.array([len(s) for s in shuffled])
    owner = np.empty(len(labels), dtype=np.int64)
    for i, size in enumerate(_sizes(len(labels), clients)):
        over, want = proportions(), int(size)
        while want:
            p = over(left > 0)
            # All the mass may sit, to rounding, on labels that have run out: then whatever is left is as good.
            p = p / p.sum() if p.sum() > 0 else (left > 0) / (left > 0).sum()
            take = np.minimum(rng.multinomial(want, p), left)
            for c in np.flatnonzero(take):
                owner[shuffled[c][left[c] - take[c] : left[c]]] = i
            left, want = left - take, want - int(take.sum())
    return owner


def _cut_labels(labels: NDArray[Any], clients: int, rng: Rng, alpha: float) -> Owners:
    owner = np.empty(len(labels), dtype=np.int64)
    for label in np.unique(labels):
        where = rng.permutation(np.flatnonzero(labels == label))
        counts = rng.multinomial(len(where), _simplex(rng, alpha, clients))
        owner[where] = np.repeat(np.arange(clients), counts)
    return owner


def _simplex(rng: Rng, alpha: float, size: int) -> Floats:
    """Dirichlet(alpha) on ``size`` points. numpy's own sampler breaks sticks where alpha is tiny, so no 0 / 0."""
    return rng.dirichlet(np.full(size, alpha))


def _within(family: Owners, weight: Floats) -> Floats:
    """Weights normalised to sum to 1 inside each family; 0 in a family without weight."""
    total = np.bincount(family, weights=weight)[family]
    return np.divide(weight, total, out=np.zeros_like(weight), where=total > 0)


def _sizes(total: int, parts: int) -> Owners:
    """``total`` in ``parts`` nearly equal parts, the larger ones first."""
    return np.full(parts, total // parts) + (np.arange(parts) < total % parts)


def _positive(name: str, value: float) -> None:
    if not (value > 0 and np.isfinite(value)):
        raise problem(name, value, "a finite number > 0", "a slip: small means one label each", f"pass {name}=0.3")


def _split(name: str) -> Callable[..., Owners]:
    if name not in _SPLITS:
        cause = "data without writers, roles or maintainers" if name == "natural" else "a slip for one of these"
        raise problem("split", repr(name), f"one of {', '.join(_SPLITS)}", cause, 'pass split="dirichlet", alpha=0.3')
    return _SPLITS[name]


_SPLITS: dict[str, Callable[..., Owners]] = {
    "dirichlet": dirichlet,
    "pachinko": pachinko,
    "iid": iid,
    "one_class": one_class,
}
