"""The vocabulary of statement files, in one line: ``from theorems.vocabulary import *``."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from surrogate import Theta
from surrogate._types import Numbers, Scalar
from theorems.domain import Cursor, Domain, clients, grid, rate
from theorems.engines.derive import Derivation
from theorems.engines.prove import identity, induction, reals, smt
from theorems.engines.terms import both, either, maximum
from theorems.instance import Instance
from theorems.population import Population
from theorems.statement import Claim, Comparison, Hypothesis, Proof, Statement, Step, claim_of, that

if TYPE_CHECKING:
    import sympy
else:

    class _Sympy:
        """sympy, loaded when a proof first asks for a name of it: a search needs none."""

        def __getattr__(self, name: str) -> Any:
            return getattr(importlib.import_module("sympy"), name)

    sympy = _Sympy()

__all__ = [
    "Any",
    "Callable",
    "Claim",
    "Comparison",
    "Cursor",
    "Derivation",
    "Domain",
    "Fraction",
    "Hypothesis",
    "Instance",
    "Iterator",
    "Mapping",
    "Numbers",
    "Population",
    "Proof",
    "Scalar",
    "Sequence",
    "Statement",
    "Step",
    "Theta",
    "both",
    "claim_of",
    "clients",
    "either",
    "grid",
    "identity",
    "induction",
    "maximum",
    "np",
    "rate",
    "reals",
    "replace",
    "smt",
    "sympy",
    "that",
]
