"""Products of matrices on a CPU by whoever multiplies them fastest: oneDNN, or the BLAS that torch takes.

That BLAS is MKL, which keeps its best code to Intel's cores. On an AMD core, for 20 rows and a 512 x 3136 matrix,
oneDNN takes, in microseconds, 380 for MKL's 660 (forward), 280 for 710 (gradient of the rows), 330 for 810 (gradient of
the matrix); from 2 to 8,000 million products of numbers a layer takes 0.4 to 0.9 of the time. On an Intel core with
AVX-512 it is 1040 for 1080, 1070 for 670, 1250 for 650, and slower for every other shape tried: there MKL stays.
"""

from __future__ import annotations

import functools
import platform
from pathlib import Path

import torch
from torch import Tensor

__all__ = ["PAYS", "by_onednn", "product"]

PAYS = 1 << 21  # rows times entries of the matrix: below, calls of oneDNN cost more than products


def product(rows: Tensor, matrix: Tensor, bias: Tensor | None = None) -> Tensor:
    """rows matrix^T + bias. Rows with gaps between them in memory take oneDNN 400 times as long."""
    known = rows.device.type == "cpu" and rows.dtype == matrix.dtype == torch.float32
    if known and rows.shape[0] * matrix.numel() >= PAYS and by_onednn():
        return torch.ops.mkldnn._linear_pointwise(rows, matrix, bias, "none", [], "")  # type: ignore[no-any-return]
    return rows @ matrix.t() if bias is None else torch.addmm(bias, rows, matrix.t())


def by_onednn() -> bool:
    """Whether oneDNN multiplies: always the same answer on one machine, so that runs resume bit-equal."""
    return there() and not (intel() and torch.backends.mkl.is_available())


def there() -> bool:
    """Whether this build of torch has the operations."""
    known = torch.ops.mkldnn if torch.backends.mkldnn.is_available() else None
    return hasattr(known, "_linear_pointwise") and hasattr(known, "_convolution_pointwise_")


@functools.cache
def intel(told: Path = Path("/proc/cpuinfo")) -> bool:
    """Whether the processor says that it is Intel's; in Linux in a file, elsewhere if Python knows."""
    says = told.read_text(encoding="utf-8", errors="replace") if told.is_file() else platform.processor()
    return "GenuineIntel" in says
