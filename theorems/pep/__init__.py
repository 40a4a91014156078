"""Performance estimation: worst cases over all clients in any dimension, by semidefinite programming (extra `pep`).

`theorems.worst_case` is the front. ``model``, ``quantities`` and ``certificate`` need the standard library alone.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from surrogate.kit.lazy import lazy

if TYPE_CHECKING:
    from theorems.pep.certificate import Certificate, check
    from theorems.pep.worst import WorstCase, contraction, displacement, distance

__all__ = ["Certificate", "WorstCase", "check", "contraction", "displacement", "distance"]

__getattr__ = lazy(
    __name__, {"certificate": "Certificate check", "worst": "WorstCase contraction displacement distance"}
)
