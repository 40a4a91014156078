"""Exact linear algebra of local update methods on quadratics: distortions, surrogates, resting points.

Everything public is listed here and loaded on first use, so that ``import surrogate`` costs next to nothing.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import surrogate.bounds as bounds
    import surrogate.dictionary as dictionary
    import surrogate.exact as exact
    import surrogate.methods as methods
    import surrogate.moments as moments
    import surrogate.problems as problems
    import surrogate.simulate as simulate
    import surrogate.sweep as sweep
    import surrogate.toys as toys
    from surrogate.fields import Contraction, Field
    from surrogate.kit.errors import ProblemError
    from surrogate.local_update import Surrogate
    from surrogate.preconditioned import Preconditioned
    from surrogate.quadratics import Quadratics
    from surrogate.theta import Theta

_HOMES = {
    "Contraction": "fields",
    "Field": "fields",
    "Preconditioned": "preconditioned",
    "ProblemError": "kit.errors",
    "Quadratics": "quadratics",
    "Surrogate": "local_update",
    "Theta": "theta",
}
_MODULES = ("bounds", "dictionary", "exact", "methods", "moments", "problems", "simulate", "sweep", "toys")

__all__ = [
    "Contraction",
    "Field",
    "Preconditioned",
    "ProblemError",
    "Quadratics",
    "Surrogate",
    "Theta",
    "bounds",
    "dictionary",
    "exact",
    "methods",
    "moments",
    "problems",
    "simulate",
    "sweep",
    "toys",
]


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        return getattr(importlib.import_module(f"surrogate.{_HOMES[name]}"), name)
    if name in _MODULES:
        return importlib.import_module(f"surrogate.{name}")
    if name == "__version__":
        return importlib.import_module("surrogate.kit.entries").version()  # of this tree, installed or not
    raise AttributeError(f"module 'surrogate' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted([*__all__, "__version__"])
