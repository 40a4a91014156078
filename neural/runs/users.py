"""Users' files as modules ``neural.runs.users.STEM_DIGEST_PATH``: the name tells where the file is.

So functions of such a file can be sent to worker processes, which find them by that name alone; nothing is put on
``sys.path``.
"""

from __future__ import annotations

import importlib.util
import re
import sys
from importlib.machinery import ModuleSpec
from pathlib import Path
from typing import Any

__all__ = ["name_of"]

__path__: list[str] = []  # so that the import system asks for modules inside


class _Finder:
    """Reads the path from the name."""

    @staticmethod
    def find_spec(name: str, path: Any = None, target: Any = None) -> ModuleSpec | None:
        found = re.fullmatch(rf"{re.escape(__name__)}\.\w*?_[0-9a-f]{{16}}_([0-9a-f]+)", name)
        if found is None:
            return None
        return importlib.util.spec_from_file_location(name, bytes.fromhex(found[1]).decode())


if not any(isinstance(finder, _Finder) for finder in sys.meta_path):
    sys.meta_path.append(_Finder())


def name_of(file: Path, digest: str) -> str:
    """The module's name, for this content of the file."""
    stem = re.sub(r"\W", "_", file.stem)
    return f"{__name__}.{stem}_{digest[:16]}_{str(file.resolve()).encode().hex()}"
