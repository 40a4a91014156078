"""What happens beside training, a small module each; a user adds own ones: ``neural.run(config, callbacks=[...])``.

>>> from neural.runs.callbacks import Callback
>>> class Patience(Callback):
...     def row(self, run, row):
...         if row.get("loss", 1.0) < 1e-3:
...             run.stop("stopped")
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from neural.runs.callbacks.callback import Callback, Each
from surrogate.kit.errors import problem
from surrogate.kit.lazy import lazy

if TYPE_CHECKING:
    from neural.runs.callbacks.checkpoint import Checkpoint
    from neural.runs.callbacks.console import Console
    from neural.runs.callbacks.divergence import Divergence
    from neural.runs.callbacks.manifest import Manifest
    from neural.runs.callbacks.parquet import Parquet
    from neural.runs.callbacks.tensorboard import TensorBoard
    from neural.runs.callbacks.wandb import Wandb

__all__ = [
    "LOGS", "Callback", "Checkpoint", "Console", "Divergence", "Each", "Manifest", "Parquet", "TensorBoard",
    "Wandb", "kept", "logs",
]  # fmt: skip

LOGS = {"tensorboard": "TensorBoard", "wandb": "Wandb"}  # optional extras of the same names

__getattr__ = lazy(
    __name__,
    {
        name.lower(): name
        for name in ("Checkpoint", "Console", "Divergence", "Manifest", "Parquet", "TensorBoard", "Wandb")
    },
)


def kept() -> list[Callback]:
    """Those of every run, in the order of writing: the checkpoint, from which the rest can be made again, first."""
    from neural.runs.callbacks import Checkpoint, Divergence, Manifest, Parquet

    return [Divergence(), Checkpoint(), Parquet(), Manifest()]


def logs(names: list[str]) -> list[Callback]:
    """Those of optional extras by name."""
    for name in names:
        if name not in LOGS:
            raise problem("--log", repr(name), f"one of {', '.join(LOGS)}", "a slip", "correct it")
    return [__getattr__(LOGS[name])() for name in dict.fromkeys(names)]
