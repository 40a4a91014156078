"""Spawned processes that do not import the script which started their parent.

A spawned process first imports the parent's ``__main__``: a plain script, without ``if __name__ == "__main__":``, would
run all over again in each worker. The script is needed only for what was defined there.
"""

from __future__ import annotations

import pickle
import sys
import threading
from multiprocessing.process import BaseProcess
from types import ModuleType

__all__ = ["spawn_without_main"]

_ONE = threading.Lock()


def spawn_without_main(process: BaseProcess) -> None:
    """Start the process; with the script only where the target or its arguments were defined in it."""
    with _ONE:
        script = sys.modules["__main__"]
        sys.modules["__main__"] = ModuleType("__main__")
        try:
            process.start()
            return
        except (pickle.PicklingError, AttributeError, TypeError):
            pass  # defined in the script, or not picklable at all, which the second attempt reports
        finally:
            sys.modules["__main__"] = script
    process.start()
