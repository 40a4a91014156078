"""Build the docs into out/docs, warnings as errors, unless nothing has changed. ``make docs`` calls this."""

from __future__ import annotations

import fcntl
import hashlib
import subprocess
import sys
from pathlib import Path

__all__ = ["OUT", "build"]

TREE = Path(__file__).resolve().parents[1]
OUT = TREE / "out" / "docs"
READ = ("docs", "surrogate", "theorems", "neural", "figures", "pyproject.toml")  # what the pages are made from


def build() -> Path:
    """The first page. One process builds, others wait for it."""
    OUT.mkdir(parents=True, exist_ok=True)
    with (OUT / ".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        stamp, state = OUT / ".built", _state()
        if not stamp.is_file() or stamp.read_text() != state:
            stamp.unlink(missing_ok=True)
            options = ["-W", "--keep-going", "--jobs", "auto", "--quiet", "--builder", "html"]
            command = [sys.executable, "-m", "sphinx", *options, str(TREE / "docs"), str(OUT)]
            done = subprocess.run(command, stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
            if done.returncode:
                raise RuntimeError(f"the docs do not build:\n{done.stderr}")
            stamp.write_text(state)
    return OUT / "index.html"


def _state() -> str:
    """Every file that is read, by path, size and time."""
    found = hashlib.sha256()
    for name in READ:
        for path in sorted(TREE.joinpath(name).rglob("*")) or [TREE / name]:
            if path.is_file() and "__pycache__" not in path.parts:
                about = path.stat()
                found.update(f"{path}\0{about.st_size}\0{about.st_mtime_ns}\n".encode())
    return found.hexdigest()


if __name__ == "__main__":
    print(f"begin at {build()}")
