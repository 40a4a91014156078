"""Exact linear algebra of local update methods on quadratics: distortions, surrogates, resting points.

Everything public is listed here and loaded on first use, so that ``import surrogate`` costs next to nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from surrogate.kit.lazy import lazy

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


_find = lazy(
    __name__,
    {
        "fields": "Contraction Field",
        "kit.errors": "ProblemError",
        "local_update": "Surrogate",
        "preconditioned": "Preconditioned",
        "quadratics": "Quadratics",
        "theta": "Theta",
        **dict.fromkeys(
            ("bounds", "dictionary", "exact", "methods", "moments", "problems", "simulate", "sweep", "toys"), ""
        ),
    },
)


def __getattr__(name: str) -> Any:
    if name == "__version__":
        from surrogate.kit.entries import version

        return version()
    return _find(name)


def __dir__() -> list[str]:
    return sorted([*__all__, "__version__"])
