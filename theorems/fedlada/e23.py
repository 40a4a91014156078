"""LADA (23): FedLADA's correction, written as SCAFFOLD's."""

from __future__ import annotations

from typing import Any

from theorems.engines.prove import identity
from theorems.fedlada.common import boxed
from theorems.statement import Claim, Comparison, Proof, Statement


def compare(s: Any) -> list[Comparison]:
    return [Comparison("", 9 + s.alpha * s.g + (1 - s.alpha) * s.g_a, "==", 9 + s.g + (1 - s.alpha) * (s.g_a - s.g))]


def prove() -> Proof:
    import sympy

    alpha, g, g_a = sympy.symbols("alpha g g_a")
    identity((alpha * g + (1 - alpha) * g_a, g + (1 - alpha) * (g_a - g)))
    return Proof("sympy identity", "Entry by entry.")


STATEMENT = Statement(
    id="LADA.E23",
    paper="fedlada",
    kind="identity",
    location="equation (23), C.2",
    says="alpha g + (1 - alpha) g_a = g + (1 - alpha)(g_a - g).",
    domain=boxed("any numbers", alpha=(0, 1), g=(-1, 1), g_a=(-1, 1)),
    printed=Claim("(23)", r"\alpha g+(1-\alpha)g_a=g+(1-\alpha)(g_a-g)", compare, prove),
)
