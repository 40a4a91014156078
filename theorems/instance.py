"""The record that a domain decodes to: the quantities that a statement is about, each a batch of numbers."""

from __future__ import annotations

from types import SimpleNamespace

from surrogate._types import Numbers
from surrogate.numbers import Kind

__all__ = ["Instance"]


class Instance(SimpleNamespace):
    """One instance, or a batch of them: fields have the names of the paper; those below mean the same everywhere."""

    nb: Kind  # the kind of number that all of them are
    K: int  # local steps
    gamma: Numbers  # client rate
    eta: Numbers  # server rate
    mu: Numbers  # least curvature
    L: Numbers  # largest curvature
    beta1: Numbers
    beta2: Numbers
