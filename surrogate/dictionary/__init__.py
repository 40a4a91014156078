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

from typing import TYPE_CHECKING

from surrogate.kit.lazy import lazy

if TYPE_CHECKING:
    from surrogate.dictionary.catalogue import entry, methods
    from surrogate.dictionary.entries import Entry
    from surrogate.dictionary.evaluate import (
        displacement,
        equals_minimizer,
        field,
        limit,
        method,
        rest_weights,
        resting_point,
        round_map,
    )
    from surrogate.dictionary.round_maps import RoundMap

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

__getattr__ = lazy(
    __name__,
    {
        "catalogue": "entry methods",
        "entries": "Entry",
        "evaluate": "displacement equals_minimizer field limit method rest_weights resting_point round_map",
        "round_maps": "RoundMap",
    },
)
