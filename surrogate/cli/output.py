"""``--json FILE`` of every verb: refused before anything is computed where it cannot be written, written whole."""

from __future__ import annotations

from pathlib import Path

from surrogate.errors import problem
from surrogate.files import whole

__all__ = ["checked", "write"]


def checked(name: str | Path) -> Path:
    """Where to write."""
    path = Path(name)
    if not path.parent.is_dir() or path.is_dir():
        cause, fix = "a folder not made yet", f"run `mkdir -p {path.parent}` first"
        if path.is_dir():
            cause, fix = "the name of the file left out", f"write --json {path / 'report.json'}"
        raise problem("--json", str(name), "a file in a folder that exists", cause, fix)
    return path


def write(path: Path, text: str) -> None:
    """All of it, or the old file stays; into what is no file, such as /dev/stdout, as it comes."""
    if path.exists() and not path.is_file():
        path.write_text(f"{text}\n", encoding="utf-8")
        return
    with whole(path) as partial:
        partial.write_text(f"{text}\n", encoding="utf-8")
