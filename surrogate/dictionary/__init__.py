"""The surrogate dictionary: where every method with a closed form rests on quadratics, and what it thereby minimises.

With all clients taking part and exact gradients a linear method rests where

    sum_i w_i D_i A_i (x - c_i) = 0

- ``w_i``, ``A_i`` (d, d), ``c_i`` (d,): weight, Hessian and minimizer of client i, of ``clients``, a `Quadratics`
- ``D_i`` (d, d): the client's distortion, one formula a method
- ``method``: a name of `methods`, or an alias; ``settings``: its own (``gamma``, ``steps``, ...), as `methods.build`
  takes them, numbers of the clients' arithmetic; a server rate ``eta`` may be left out, for it moves no resting point

`methods` lists the names; `entry` says a formula, its derivation, and when it gives x*; `resting_point`, `displacement`
and `rest_weights` evaluate it, in float64 or, for clients of ``surrogate.exact``, in rationals. `round_map` is the
affine map of one round, read off the method's own code. Adaptive clients are linear given the preconditioners that they
realised: pass these as ``realised`` (n, K, d).

>>> from surrogate import Quadratics, dictionary
>>> clients = Quadratics([[[1.0]], [[2.0]]], [[1.0], [0.5]])
>>> dictionary.resting_point("fedavg", clients, gamma=0.5, steps=2)
array([0.71428571])
>>> dictionary.resting_point("scaffold", clients, gamma=0.5, steps=2)
array([0.66666667])
"""

from __future__ import annotations

import difflib
import importlib
from typing import TYPE_CHECKING

import numpy as np

from surrogate import methods as _methods
from surrogate._types import Array, Numbers, QuadraticClients
from surrogate.dictionary.constants import drifts
from surrogate.dictionary.entries import TABLE, Entry
from surrogate.dictionary.pairs import PairRing
from surrogate.dictionary.rest import FloatRest, rest
from surrogate.dictionary.rings import is_exact, ring_of
from surrogate.dictionary.round_maps import RoundMap, probe
from surrogate.dictionary.settings import Settings, built, settings_for
from surrogate.kit.errors import problem

if TYPE_CHECKING:
    from surrogate.dictionary.exact_rest import ExactRest

__all__ = [
    "Entry",
    "RoundMap",
    "displacement",
    "entry",
    "equals_minimizer",
    "field",
    "limit",
    "method",
    "methods",
    "rest_weights",
    "resting_point",
    "round_map",
]

_FAMILIES = {
    name: family
    for family, listed in {
        "amended": "fedadam-amended fedcm fedlada",
        "control": "fedlin fednova mimelite scaffold stem",
        "fedda": "fedda-adagrad fedda-adam fedda-sgdm",
        "local_update": "central-adagrad central-adam central-sgd central-sgdm fedavg fedopt-adagrad fedopt-adam "
        "fedopt-amsgrad fedopt-sgd fedopt-sgdm fedopt-yogi fomaml local-update lookahead maml minibatch-sgd reptile",
        "momentum": "fed-ams fed-lamb fedlocal local-adagrad local-adam local-amsgrad local-sgdm local-yogi mfl",
        "preconditioned": "preconditioned",
        "prox": "fedprox",
    }.items()
    for name in listed.split()
}  # the file of each formula, loaded when first used


def methods() -> tuple[str, ...]:
    """The names of the methods with a closed form.

    >>> "fednova" in methods(), "climb" in methods()
    (True, False)
    """
    return tuple(sorted(_FAMILIES))


def entry(method: str) -> Entry:
    """What the dictionary says of a ``method`` (or of an alias of it): formula, derivation, when it rests at x*.

    >>> entry("minibatch-sgd").formula
    'D_i = I'
    """
    name = _methods.describe(method).name
    if name in _FAMILIES:
        importlib.import_module(f"surrogate.dictionary.{_FAMILIES[name]}")
    if name not in TABLE:
        near = difflib.get_close_matches(name, methods(), n=3)
        raise problem(
            f"{method!r}",
            "not in the dictionary",
            f"one of {', '.join(methods())}",
            "a method without a closed form on quadratics",
            f"try {' or '.join(near)}" if near else "run it to rest instead",
        )
    return TABLE[name]


def field(method: str, clients: QuadraticClients, **settings: object) -> FloatRest | ExactRest:
    """The field sum_i w_i D_i A_i (x - c_i) of a ``method`` with ``settings`` on ``clients``, which vanishes at rest.

    It has ``distortion``, ``jacobian``, ``resting_point``, ``displacement``, ``rest_weights``; a ``Field``, or an
    ``exact.Field``. Its scale is arbitrary.

    >>> from surrogate import Quadratics
    >>> clients = Quadratics([[[1.0]], [[2.0]]], [[1.0], [0.5]])
    >>> print(f"{field('fedavg', clients, gamma=0.5, steps=2).displacement[0]:.10g}")
    0.04761904762
    """
    return _field(method, clients, settings_for(method, ring_of(clients), settings))


def _field(method: str, clients: QuadraticClients, chosen: Settings, flat: bool = False) -> FloatRest | ExactRest:
    known, scale = entry(method), 1.0
    if not is_exact(clients):
        chosen, scale = chosen.magnified()
    ring = ring_of(clients, flat, chosen.shared(), scale)
    try:
        with np.errstate(all="ignore"):  # what overflows is refused by name in rest()
            distortions = known.distortions(ring, chosen)
    except (ZeroDivisionError, np.linalg.LinAlgError):
        raise problem(
            f"the distortion under {known.name}",
            "undefined (a singular matrix on the way)",
            "settings at which every client's state settles",
            "a rate at which a client's steps cancel (gamma times an eigenvalue in a bad place)",
            "change gamma slightly",
        ) from None
    return rest(
        known.name,
        ring,
        distortions,
        lambda: _changes(known, PairRing(clients, scale=scale), chosen),
        lambda: drifts(known, clients, chosen, scale, distortions),
    )


def _changes(known: Entry, ring: PairRing, chosen: Settings) -> Array | None:
    """D_i - D_0 (n, d, d) by the arithmetic of differences; None where clients differ in their settings."""
    if not chosen.shared():
        return None
    with np.errstate(all="ignore"):
        pairs = known.distortions(ring, chosen)
    changes = np.stack([pair.change for pair in pairs])
    return changes if np.isfinite(changes).all() else None


def limit(method: str, clients: QuadraticClients, **settings: object) -> Numbers:
    """The resting point (d,) of ``method`` on ``clients`` as all ``gamma`` of its ``settings`` -> 0 in their ratios.

    The formula depends on gamma A_i (and gamma mu) alone.

    >>> from surrogate import Quadratics
    >>> clients = Quadratics([[[1.0]], [[2.0]]], [[1.0], [0.5]])
    >>> print(f"{limit('fedavg', clients, gamma=0.5, steps=[3, 1])[0]:.10g}")  # (3 * 1 + 1 * 1) / (3 * 1 + 1 * 2)
    0.8
    """
    chosen = settings_for(method, ring_of(clients), settings)
    if not chosen.has("gamma"):
        return resting_point(method, clients, **settings)
    if chosen.has("mu"):
        chosen.replace("mu", 0)
    return _field(method, clients, chosen, flat=True).resting_point


def resting_point(method: str, clients: QuadraticClients, **settings: object) -> Numbers:
    """Where ``method`` rests on ``clients``, (d,). ``settings``: the method's own; a server rate may be left out.

    >>> from surrogate import exact
    >>> clients = exact.Quadratics([[[1]], [[2]]], [[1], ["1/2"]])
    >>> resting_point("fedavg", clients, gamma="1/2", steps=2)[0]       # x* is 2/3
    5/7
    """
    return field(method, clients, **settings).resting_point


def displacement(method: str, clients: QuadraticClients, **settings: object) -> Numbers:
    """Resting point minus x*, (d,), of ``method`` with ``settings`` on ``clients``, without cancellation as gamma -> 0.

    It is right down to rates of 1e-300 or, where it is A_i or P_i that are tiny, to products gamma P_i A_i of 1e-150.

    But clients of ``preconditioned`` whose P_i differ while gamma_i K_i P_i agree lose digits as gamma -> 0, half of
    them at 1e-8: take exact clients, or (where those agree before any rounding) ``Preconditioned``.

    >>> from surrogate import Quadratics
    >>> clients = Quadratics([[[1.0]], [[2.0]]], [[1.0], [0.5]])
    >>> print(f"{displacement('fedavg', clients, gamma=1e-15, steps=2)[0]:.10g}")    # gamma / 18 to first order
    5.555555556e-17
    """
    return field(method, clients, **settings).displacement


def rest_weights(method: str, clients: QuadraticClients, **settings: object) -> Numbers:
    """D_i (n, d, d) of ``method`` on ``clients``: sum_i w_i D_i A_i (x - c_i) = 0 at rest, sum_i w_i D_i = I.

    ``settings``: the method's own. For adaptive clients add ``realised`` (n, K, d), the preconditioners of a run with
    ``record=True`` (each client's state keeps them), which replace those that the client would compute.

    >>> from surrogate import Quadratics
    >>> clients = Quadratics([[[1.0]], [[2.0]]], [[1.0], [0.5]])
    >>> print(rest_weights("fedavg", clients, gamma=0.5, steps=2).ravel().round(6).tolist())
    [1.2, 0.8]
    """
    return field(method, clients, **settings).rest_weights


def equals_minimizer(method: str, clients: QuadraticClients, **settings: object) -> bool:
    """Whether ``settings`` make ``method`` rest at x* for every population of as many ``clients``.

    >>> from surrogate import Quadratics
    >>> clients = Quadratics([[[1.0]], [[2.0]]], [[1.0], [0.5]])
    >>> equals_minimizer("fedavg", clients, gamma=0.5, steps=1), equals_minimizer("fedavg", clients, gamma=0.5, steps=2)
    (True, False)
    """
    chosen = settings_for(method, ring_of(clients), settings)
    _field(method, clients, chosen)  # refuses settings without a closed form
    return clients.n == 1 or entry(method).is_minimizer(chosen)


def method(name: str, clients: QuadraticClients, **settings: object) -> _methods.Method:
    """The `Method` called ``name``, its ``settings`` in the numbers of the ``clients``: to be played on them.

    >>> from surrogate import exact
    >>> clients = exact.Quadratics([[[1]], [[2]]], [[1], ["1/2"]])
    >>> method("fedavg", clients, gamma="1/3", steps=2).settings["gamma"]
    1/3
    """
    return built(name, ring_of(clients), settings)


def round_map(method: str, clients: QuadraticClients, **settings: object) -> RoundMap:
    """The exact affine map of one round on (x, state): ``.matrix``, ``.offset``, ``.names``, ``.solve()``, ``.radius``.

    ``method``: any linear one, in the dictionary or not, with its ``settings`` (``eta`` included); ``clients``: those
    that it is played on. One round is played for each coordinate of the state, which is dear for many steps.

    >>> from surrogate import Quadratics
    >>> clients = Quadratics([[[1.0]], [[2.0]]], [[1.0], [0.5]])
    >>> found = round_map("fedavg", clients, gamma=0.5, steps=2)
    >>> found.matrix.tolist(), found.solve()["x"], found.radius
    ([[0.125]], array([0.71428571]), 0.125)
    """
    return probe(built(method, ring_of(clients), settings), clients)
