"""One attempt at one run of a sweep, in a worker process."""

from __future__ import annotations

import contextlib
import traceback
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from neural.runs import files, results
from neural.runs.callbacks import Each
from neural.runs.files import Held
from neural.runs.grid import Trial
from surrogate.kit import executor
from surrogate.kit.errors import ProblemError

__all__ = ["attempt", "failed", "gpus", "leave", "over", "placed"]


def gpus() -> list[str]:
    """The GPUs of this machine, to be dealt out to processes; none where there is only one, which all share."""
    import torch

    count = torch.cuda.device_count()
    return [f"cuda:{number}" for number in range(count)] if count > 1 else []


def placed(asked: str, dealt: str | None) -> str:
    """The device of a run that asks for one, in a process to which another was dealt.

    >>> placed("auto", "cuda:1"), placed("cuda", "cuda:1"), placed("cuda:0", "cuda:1"), placed("auto", None)
    ('cuda:1', 'cuda:1', 'cuda:0', 'auto')
    """
    return dealt if dealt and (asked == "auto" or (asked == "cuda" and dealt.startswith("cuda"))) else asked


def leave(row: Mapping[str, Any]) -> None:
    """After each round: interrupt the run, which saves itself, where the executor asks for that."""
    if executor.stopping():
        raise KeyboardInterrupt


def over(trial: Trial, out: Path) -> bool:
    """Whether nothing is left to do: the run has ended and can be read, or failed in this sweep."""
    (line,) = results.progress([trial], out)
    return line["status"] == "failed" or (line["status"] in results.ENDED and results.whole(trial, out))


def failed(trial: Trial, out: Path, text: str) -> None:
    """Note why, in error.txt."""
    with contextlib.suppress(ProblemError):
        files.replace(out / trial.folder / "error.txt", f"{text}\n".encode())


def attempt(trial: Trial, out: Path) -> bool:
    """Run it; False where another process holds it. An error is left in error.txt, and ends nothing else."""
    from neural.runs.run import run

    if over(trial, out):
        return True
    config = trial.config.replace(device=placed(trial.config.device, executor.device()))
    try:
        run(config, out, callbacks=[Each(leave)], alone=False)
    except Held:
        return False
    except Exception as error:
        text = str(error) if isinstance(error, ProblemError) else traceback.format_exc()
        print(f"{trial.folder}: {text}", flush=True)
        failed(trial, out, text.rstrip("\n"))
    return True
