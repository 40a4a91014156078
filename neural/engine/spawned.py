"""Processes that start without running the user's script again.

A spawned process first imports the script that started its parent: a plain one, without ``if __name__ ==
"__main__":``, would train all over again in each worker. It needs the script only for what was defined there.
"""

from __future__ import annotations

import pickle
import sys
import threading
from types import ModuleType
from typing import Any

__all__ = ["start"]

_ONE = threading.Lock()


def start(process: Any) -> None:
    """Start it; with the script only where something that is sent was defined there, and cannot be found without."""
    with _ONE:
        script = sys.modules["__main__"]
        sys.modules["__main__"] = ModuleType("__main__")
        try:
            process.start()
            return
        except (pickle.PicklingError, AttributeError, TypeError):
            pass  # defined in the script, or not to be sent at all, which the second attempt says
        finally:
            sys.modules["__main__"] = script
    process.start()
