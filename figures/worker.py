"""A process that trains runs: a line of JSON in, one out. ``python -m figures.worker`` is started by `figures.crew`.

It ends when its input does. Past the time given with a run, or when whoever started it is gone, the run is kept as it
is, to be resumed.
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Mapping
from typing import Any, TextIO

__all__ = ["main"]

WAIT = 0.1  # seconds between two looks at a run that another process holds


def main(lines: TextIO, answers: TextIO) -> None:
    """Train what the lines ask for."""
    import torch

    torch.set_num_threads(1)
    for line in lines:
        print(json.dumps(_answer(json.loads(line))), file=answers, flush=True)


def _answer(asked: Mapping[str, Any]) -> dict[str, Any]:
    """``status``: ended, stopped (time is up) or failed, with the error."""
    try:
        return {"status": "ended" if _train(asked["keys"], asked["out"], asked["seconds"]) else "stopped"}
    except Exception as error:
        return {"status": "failed", "error": f"{type(error).__name__}: {error}"}


def _train(keys: Mapping[str, Any], out: str, seconds: float | None) -> bool:
    """False when time was up, or the parent gone, before the run ended."""
    from neural.runs.files import Held
    from neural.runs.run import run

    parent, end = os.getppid(), None if seconds is None else time.monotonic() + seconds

    def stop() -> bool:
        return os.getppid() != parent or (end is not None and time.monotonic() >= end)

    def each(row: Any) -> None:
        if stop():
            raise KeyboardInterrupt  # the run saves itself

    while not stop():
        try:
            run({"workers": 1, "threads": 1, **keys}, out, each=each)
            return True
        except Held:
            time.sleep(WAIT)
        except KeyboardInterrupt:
            if stop():
                return False
            raise
    return False


if __name__ == "__main__":
    channel = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # whatever prints does not disturb the answers
    try:
        main(sys.stdin, channel)
    except KeyboardInterrupt:
        sys.exit(130)
