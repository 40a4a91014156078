"""``--json FILE`` of every verb: checked before anything is computed, written atomically; - is standard output."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TextIO

from surrogate.kit.errors import problem
from surrogate.kit.files import whole

__all__ = ["alone", "checked", "folder", "write"]

_JSON: list[TextIO] = []  # where `--json -` goes


@contextlib.contextmanager
def alone() -> Iterator[None]:
    """With ``--json -`` standard output has the JSON alone: what else a verb says goes to standard error."""
    _JSON.append(sys.stdout)
    try:
        with contextlib.redirect_stdout(sys.stderr):
            yield
    finally:
        _JSON.pop()


def checked(name: str | Path) -> Path:
    """The path to write to; one that cannot be written is refused."""
    path = Path(name)
    if str(path) == "-":
        return path
    if path.is_dir():
        cause, fix = "the name of the file left out", f"write --json {path / 'report.json'}"
    elif not path.parent.is_dir():
        cause, fix = "a folder not made yet", f"run `mkdir -p {path.parent}` first"
    elif not _is_stream(path) and not os.access(path.resolve().parent, os.W_OK):
        cause, fix = "a folder that you may only read", "write --json to a folder of your own"
    else:
        return path
    raise problem("--json", str(name), "a file in a folder that exists and takes new files", cause, fix)


def folder(out: Path) -> Path:
    """The folder of ``--out``, made where it is missing; one that cannot be made or written is refused."""
    probe = out / f".{os.getpid()}.partial"
    try:
        out.mkdir(parents=True, exist_ok=True)
        probe.touch()
        probe.unlink()
    except OSError as error:
        raise problem(
            "--out", str(out), "a folder that can be written", f"{error.strerror or error}", "pass another folder"
        ) from None
    return out


def write(path: Path, text: str) -> None:
    """Replace a regular file atomically; write to pipes and terminals directly."""
    if str(path) == "-":
        print(text, file=_JSON[-1] if _JSON else sys.stdout, flush=True)
        return
    if _is_stream(path):
        path.write_text(f"{text}\n", encoding="utf-8")
        return
    with whole(path) as partial:
        partial.write_text(f"{text}\n", encoding="utf-8")


def _is_stream(path: Path) -> bool:
    """A pipe, a terminal, /dev/null: there, but not to be replaced."""
    return path.exists() and not path.is_file()
