"""The program's own help, verb by verb."""

from __future__ import annotations

import os
from unittest.mock import patch

from surrogate.cli import verbs

__all__ = ["all_verbs"]


def all_verbs(up: str = "") -> str:
    """A heading and the help text for every verb."""
    return "\n\n".join(_verb(name) for name in verbs.available())


def _verb(name: str) -> str:
    with patch.dict(os.environ, {"COLUMNS": "96", "NO_COLOR": "1"}):  # argparse's width, the same on every machine
        text = verbs.parser(name, verbs.load(name)).format_help().rstrip()
    return f"## surrogate {name}\n\n```text\n{text}\n```"
