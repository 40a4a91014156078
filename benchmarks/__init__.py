"""What ``surrogate bench`` runs: every suite times our code, most against reference implementations beside it.

A suite is a module with ``BENCHMARKS``: functions ``(quick: bool) -> list[harness.Result]`` by name.
"""

SUITES = ("exact", "theorems", "neural", "explorer")
