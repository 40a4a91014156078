"""In which file each method stands, so that a method is loaded when it is asked for, and no other.

A test holds this table against what the files register.
"""

from __future__ import annotations

import importlib
from types import ModuleType

__all__ = ["ALIASES", "FILES", "load"]

FILES = {
    name: file
    for file, listed in {
        "amended": "fedadam-amended fedcm fedlada",
        "central": "central-adagrad central-adam central-sgd central-sgdm",
        "climb": "climb",
        "decaying": "local-update-decay",
        "fedda": "fedda-adagrad fedda-adam fedda-sgdm",
        "fedlamb": "fed-ams fed-lamb",
        "fedlin": "fedlin",
        "fednova": "fednova",
        "fedopt": "fedopt-adagrad fedopt-adam fedopt-amsgrad fedopt-sgd fedopt-sgdm fedopt-yogi",
        "fedprox": "fedprox",
        "local_adaptive": "fedlocal local-adagrad local-adam local-amsgrad local-sgdm local-yogi",
        "local_update": "fedavg fomaml local-update lookahead minibatch-sgd reptile",
        "maml": "maml",
        "preconditioned": "preconditioned",
        "scaffold": "scaffold",
        "shared_moments": "mfl mimelite",
        "stem": "stem",
    }.items()
    for name in listed.split()
}

ALIASES = {
    alias: name
    for name, listed in {
        "fedavg": "fed-sgd local-sgd",
        "fedopt-adam": "adp-fed",
        "local-adagrad": "fedlocal-adagrad",
        "local-adam": "fedlocal-adam localadam",
        "local-amsgrad": "fedlocal-amsgrad",
        "local-sgdm": "fedlocal-sgdm",
        "local-yogi": "fedlocal-yogi",
        "mfl": "mfl-adagrad mfl-adam mfl-sgdm",
        "mimelite": "mimelite-adagrad mimelite-adam mimelite-sgdm",
    }.items()
    for alias in listed.split()
}


def load(name: str) -> ModuleType | None:
    """Import the file that registers this method or alias; None for one that is not listed here."""
    file = FILES.get(ALIASES.get(name, name))
    return None if file is None else importlib.import_module(f"surrogate.methods.{file}")
