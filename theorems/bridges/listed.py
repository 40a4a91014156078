"""Every bridge: importing this module puts the bridges of all modules on the list."""

from theorems.bridges import (
    expectations,
    finite_sums,
    forms,
    functions,
    matrices,
    means,
    moments,
    recursions,
    spectra,
    vectors,
)
from theorems.bridges.bridge import BRIDGES

__all__ = [
    "BRIDGES",
    "expectations",
    "finite_sums",
    "forms",
    "functions",
    "matrices",
    "means",
    "moments",
    "recursions",
    "spectra",
    "vectors",
]
