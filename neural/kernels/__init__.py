"""Inner loops that torch has no operation for, compiled by numba: on a CPU, for contiguous float32 and float64.

Each has a plain torch route beside it, which says what it computes and which it is tested against. numba is loaded when
the first of them is called, not before.
"""
