"""What the dictionary says of each method: its entry, loaded with the file of its formula when it is asked for."""

from __future__ import annotations

import difflib
import importlib

from surrogate import methods as _methods
from surrogate.dictionary.entries import TABLE, Entry
from surrogate.kit.errors import problem

__all__ = ["entry", "methods"]

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
