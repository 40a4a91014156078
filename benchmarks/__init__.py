"""What ``surrogate bench`` runs: every suite times our code against reference implementations committed beside it.

A suite is a module with ``BENCHMARKS``: functions ``(quick: bool) -> list[harness.Result]`` by name.
"""

SUITES = ("exact", "theorems", "neural")
