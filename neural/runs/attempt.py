"""One attempt at one run of a sweep, in a process that must survive it."""

from __future__ import annotations

import contextlib
import traceback
from collections.abc import Sequence
from pathlib import Path

from neural.runs import files, results
from neural.runs.callbacks import Callback
from neural.runs.files import Held
from neural.runs.grid import Trial
from surrogate.kit.errors import ProblemError

__all__ = ["attempt", "over"]


def over(trial: Trial, out: Path) -> bool:
    """Whether nothing is left to do: the run has ended and can be read, or failed in this sweep."""
    (line,) = results.progress([trial], out)
    return line["status"] == "failed" or (line["status"] in results.ENDED and results.whole(trial, out))


def attempt(trial: Trial, out: Path, callbacks: Sequence[Callback] = ()) -> bool:
    """Run it; False where another process holds it. What goes wrong is left in error.txt, and ends nothing else."""
    from neural.runs.run import run

    if over(trial, out):
        return True
    try:
        run(trial.config, out, callbacks=callbacks, alone=False)
    except Held:
        return False
    except Exception as error:
        text = str(error) if isinstance(error, ProblemError) else traceback.format_exc()
        print(f"{trial.folder}: {text}", flush=True)
        with contextlib.suppress(ProblemError):
            files.replace(out / trial.folder / "error.txt", f"{text}\n".encode())
    return True
