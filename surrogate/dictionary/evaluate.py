"""The dictionary's formulas evaluated on clients: resting point, displacement, rest weights, round map."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from surrogate._types import Array, Numbers, QuadraticClients
from surrogate.dictionary.catalogue import entry
from surrogate.dictionary.constants import drifts
from surrogate.dictionary.entries import Entry
from surrogate.dictionary.pairs import PairRing
from surrogate.dictionary.rest import FloatRest, rest
from surrogate.dictionary.rings import is_exact, ring_of
from surrogate.dictionary.round_maps import RoundMap, probe
from surrogate.dictionary.settings import Settings, built, settings_for
from surrogate.kit.errors import problem
from surrogate.methods.method import Method

if TYPE_CHECKING:
    from surrogate.dictionary.exact_rest import ExactRest

__all__ = [
    "displacement",
    "equals_minimizer",
    "field",
    "limit",
    "method",
    "rest_weights",
    "resting_point",
    "round_map",
]


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
    known, scale, given = entry(method), 1.0, chosen
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
        lambda: None if flat or known.bias is None else known.bias(ring.clients, given),
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


def method(name: str, clients: QuadraticClients, **settings: object) -> Method:
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
