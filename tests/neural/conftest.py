"""One thread a process: pytest already starts a process for each core."""

from __future__ import annotations

import torch

torch.set_num_threads(1)
